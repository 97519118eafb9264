"""`treewright propositions roles`."""

from __future__ import annotations

from typing import Annotated

import typer

from treewright.cli import console, options


def roles(
    model: options.ModelFile,
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help='Lines {"id", "text", "name": [first, last]}; - is stdin.'
        ),
    ],
    top: Annotated[int, typer.Option(min=1, metavar="N", help="Classes of each name.")] = 10,
    parser: options.ParserSpec = "embedded",
    strict: options.Strict = False,
) -> None:
    """Rank the classes of names in sentences: JSON Lines {"id", "classes"}, best first."""
    from treewright.propositions import load_model, rank_roles, read_role_items

    console.check_stdin(model, file)
    opened = load_model(model)
    problems = console.collect(strict)
    for item, classes in rank_roles(
        opened, read_role_items(file, problems), parser, problems, number=top
    ):
        console.put_json({"id": item.id, "classes": classes})
    console.conclude(problems, "items")
