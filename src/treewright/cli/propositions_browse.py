"""`treewright propositions browse`."""

from __future__ import annotations

from typing import Annotated

import typer

from treewright.cli import console, options


def browse(
    model: options.ModelFile,
    output: Annotated[str, typer.Option("--output", "-o", metavar="PAGE.html", help="The page.")],
    top: Annotated[int, typer.Option(min=1, metavar="N", help="Propositions on the page.")] = 2000,
    title: Annotated[str | None, typer.Option(help="Title of the page.")] = None,
) -> None:
    """Write a page to browse propositions, names and sentences; it needs no server."""
    from treewright.propositions import load_model, write_page

    console.check_outputs([model], [output])
    write_page(load_model(model), output, top=top, **console.given(title=title))
