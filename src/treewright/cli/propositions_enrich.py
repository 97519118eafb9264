"""`treewright propositions enrich`."""

from __future__ import annotations

from typing import Annotated

import typer

from treewright.cli import console, options


def enrich(
    model: options.ModelFile,
    text: Annotated[
        str,
        typer.Argument(metavar="TEXT", help="A phrase a line (Young to Holt); - is stdin."),
    ] = "-",
    best: Annotated[int, typer.Option(min=1, metavar="K", help="Guesses for each phrase.")] = 3,
    parser: options.ParserSpec = "embedded",
    strict: options.Strict = False,
) -> None:
    """Guess what phrases without a verb leave unsaid: JSON Lines {"text", "propositions"}."""
    from treewright.propositions import Enricher, enrich_lines, load_model

    console.check_stdin(model, text)
    enricher = Enricher(load_model(model))
    problems = console.collect(strict)
    for line, found in enrich_lines(enricher, text, parser, problems, number=best):
        rows = [
            {
                "instance": one.instance,
                "classes": one.classes,
                "probability": one.probability,
                "support": one.support,
            }
            for one in found
        ]
        console.put_json({"text": line, "propositions": rows})
    console.conclude(problems, "lines")
