"""The tree of commands, each imported when it is asked for, and the rooms it calls when called."""

from __future__ import annotations

from typing import Annotated

import typer

from treewright import __version__
from treewright.cli.groups import lazy

_COMMANDS = (
    "compress",
    "demo",
    "corpus",
    "relations",
    "extract",
    "train",
    "transduce",
    "evaluate",
    "grammar",
    "plot",
    "parse",
    "parser",
    "doctor",
)

app = typer.Typer(
    name="treewright",
    cls=lazy({name: f"treewright.cli.{name}" for name in _COMMANDS}),
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
