"""`treewright propositions score`."""

from __future__ import annotations

from typing import Annotated

import typer

from treewright.cli import console, options


def score(
    model: options.ModelFile,
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help='Lines {"id", "a", "a_names", "b", "b_names"}; - is stdin.'
        ),
    ],
    strict: options.Strict = False,
) -> None:
    """Print the log-probabilities of two tuples a line: JSON Lines {"id", "a", "b"}."""
    from treewright.propositions import load_model, read_tuple_items

    console.check_stdin(model, file)
    opened = load_model(model)
    problems = console.collect(strict)
    for item in read_tuple_items(file, problems):
        first = opened.log_sense(item.a, item.a_names)
        second = opened.log_sense(item.b, item.b_names)
        console.put_json({"id": item.id, "a": first, "b": second})
    console.conclude(problems, "items")
