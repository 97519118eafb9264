"""The tree of commands; each is imported when requested, and the rooms it uses when it
is called.
"""

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
    "align",
    "extract",
    "train",
    "transduce",
    "translate",
    "evaluate",
    "lm",
    "grammar",
    "plot",
    "parse",
    "parser",
    "phrases",
    "paraphrase",
    "rules",
    "annotate",
    "propositions",
    "skeleton",
    "serve",
    "doctor",
)

app = typer.Typer(
    name="treewright",
    cls=lazy({name: f"treewright.cli.{name}" for name in _COMMANDS}),
    help="Shorten text, and learn to rewrite text from pairs of parse trees.",
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
    """Shorten text, and learn to rewrite text from pairs of parse trees."""
