"""`treewright align score`: compare links with those that people drew."""

from __future__ import annotations

from typing import Annotated

import typer

from treewright.cli import console, options


def score(
    system: Annotated[str, typer.Argument(metavar="HYP", help="Links, a line for each pair.")],
    gold: Annotated[
        str,
        typer.Argument(metavar="GOLD", help="Links that people drew: 3-4 is sure, 3p4 possible."),
    ],
    text: Annotated[
        tuple[str, str] | None,
        typer.Option(metavar="SRC TGT", help="The sentences, to check that all links fit them."),
    ] = None,
    json: options.Json = False,
) -> None:
    """Print precision, recall, F1 and the alignment error rate (AER)."""
    from treewright.corpora import read_bitext
    from treewright.evaluation import AlignmentCounts, score_alignment_files

    console.check_stdin(system, gold, *(text or ()))
    sizes = None
    if text is not None:
        sizes = [(len(source), len(target)) for source, target in read_bitext(*text)]
    counts = score_alignment_files(system, gold, sizes)
    total = sum(counts, AlignmentCounts())
    if json:
        console.put_json({"pairs": len(counts), **total.as_dict()})
        return
    from rich.table import Table

    names = ("precision", "recall", "F1", "AER")
    values = (total.precision, total.recall, total.f1, total.aer)
    table = Table("pairs", "links", *names)
    table.add_row(str(len(counts)), str(total.system), *[f"{100 * value:.1f}" for value in values])
    console.put_table(table)
