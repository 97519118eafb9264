"""`treewright propositions judge`."""

from __future__ import annotations

from typing import Annotated

import typer

from treewright.cli import console, options


def judge(
    model: options.ModelFile,
    top: Annotated[int, typer.Option(min=0, metavar="N", help="The most frequent ones.")] = 100,
    drawn: Annotated[
        int, typer.Option("--random", min=0, metavar="N", help="Others, drawn at random.")
    ] = 100,
    seed: options.Seed = 0,
) -> None:
    """Print propositions as statements for people to judge, for 'annotate make': JSON Lines."""
    from treewright.propositions import load_model, questions

    for row in questions(load_model(model), top=top, drawn=drawn, seed=seed):
        console.put_json(row)
