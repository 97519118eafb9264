"""`treewright propositions label`."""

from __future__ import annotations

from typing import Annotated

import typer

from treewright.cli import console, options
from treewright.cli.propositions import opened_engine


def label(
    model: options.ModelFile,
    text: Annotated[
        str,
        typer.Argument(metavar="TEXT", help="Plain text, or JSON Lines (.gz too); - is stdin."),
    ],
    best: Annotated[int, typer.Option(min=1, metavar="K", help="Readings of an instance.")] = 1,
    full: Annotated[
        bool, typer.Option("--full", help="Also shapes, kinds, characters, tree nodes.")
    ] = False,
    raw: Annotated[bool, typer.Option("--raw", help="JSON Lines hold plain text.")] = False,
    parser: options.ParserSpec = "embedded",
    jobs: Annotated[int, typer.Option(min=1, help="Processes that parse.")] = 1,
    engine: options.Engine = None,
    strict: options.Strict = False,
) -> None:
    """Print the propositions of each sentence as JSON Lines."""
    from treewright.propositions import label_passages, load_model, read_passages

    console.check_stdin(model, text)
    opened = load_model(model)
    problems = console.collect(strict)
    passages = read_passages(text, problems, raw=raw)
    with opened_engine(engine, jobs, parser) as on_engine:
        for row in label_passages(
            opened, passages, parser, problems, number=best, full=full, engine=on_engine
        ):
            console.put_json(row)
    console.conclude(problems, "sentences")
