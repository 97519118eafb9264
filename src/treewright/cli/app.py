"""The tree of commands. Command modules import the rooms they call only when called."""

from __future__ import annotations

from typing import Annotated

import typer

from treewright import __version__
from treewright.cli import (
    corpus,
    demo,
    evaluate,
    extract,
    grammar,
    parse,
    parser,
    plot,
    relations,
    train,
    transduce,
)

app = typer.Typer(
    name="treewright",
    help="Learn to rewrite text from pairs of parse trees, and rewrite new trees with it.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"treewright {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Learn to rewrite text from pairs of parse trees, and rewrite new trees with it."""


app.command("demo")(demo.demo)
app.add_typer(corpus.app, name="corpus")
app.command("relations")(relations.relations)
app.command("extract")(extract.extract)
app.add_typer(train.app, name="train")
app.command("transduce")(transduce.transduce)
app.command("evaluate")(evaluate.evaluate)
app.add_typer(grammar.app, name="grammar")
app.add_typer(plot.app, name="plot")
app.command("parse")(parse.parse)
app.add_typer(parser.app, name="parser")
