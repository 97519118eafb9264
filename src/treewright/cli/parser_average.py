"""`treewright parser average`: one parser from several runs with the same start."""

from __future__ import annotations

from typing import Annotated

import typer

from treewright.cli import console, options


def average(
    parsers: Annotated[
        list[str],
        typer.Argument(
            metavar="MODELS", help="From 'parser train --start', all from the same parser."
        ),
    ],
    model: options.Out,
) -> None:
    """Average the weights of parsers trained from the same one, with other seeds or data."""
    from treewright.parsing.embedded import Weights, mean_weights

    console.check_outputs(parsers, [model])
    mean_weights([Weights.read(path) for path in parsers]).write(model)
    console.say(f"{model}: the mean of {len(parsers)} parsers")
