"""`treewright annotate collect`: read answers, reject what is not to be trusted, report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from treewright.cli import console, options
from treewright.errors import UsageError
from treewright.files import as_json

if TYPE_CHECKING:
    from treewright.annotation import Results


def collect(
    study: Annotated[str, typer.Argument(metavar="STUDY", help="What 'annotate make' wrote.")],
    answers: Annotated[
        list[str],
        typer.Argument(metavar="ANSWERS...", help="Files that the page saved, or CSV; - is stdin."),
    ],
    until: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="Leave out later answers, e.g. 2026-11-20T18:00+01:00."),
    ] = None,
    share: Annotated[
        float | None,
        typer.Option(
            min=0.0,
            max=1.0,
            help="Reject all work of those who failed this share of their tests.",
            show_default="the form's",
        ),
    ] = None,
    deviations: Annotated[
        float,
        typer.Option(
            min=0.0, help="Reject those who agree less than so many deviations below the average."
        ),
    ] = 1.0,
    keep_outliers: Annotated[
        bool, typer.Option("--keep-outliers", help="Reject nobody for agreeing too little.")
    ] = False,
    unit: Annotated[
        str, typer.Option(help="One observation of the analysis of variance: item or judgement.")
    ] = "item",
    items: Annotated[
        str | None, typer.Option(metavar="FILE.jsonl", help="Write the scores of each item.")
    ] = None,
    judgements: Annotated[
        str | None,
        typer.Option(metavar="FILE.csv", help="Write each answer and what became of it."),
    ] = None,
    json: options.Json = False,
    strict: options.Strict = False,
) -> None:
    """Report agreement, scores of systems, and which of them differ.

    A page with a failed hidden test does not count. Bad answers are skipped and reported.
    """
    from treewright.annotation import (
        Study,
        evaluate_answers,
        impossible_tests,
        parse_time,
        read_answers,
        result_tables,
    )

    console.check_stdin(study, *answers)
    outputs = [path for path in (items, judgements) if path is not None]
    if "-" in outputs:
        raise UsageError("standard output has the report; give --items and --judgements files")
    console.check_outputs([study, *answers], outputs)
    opened = Study.load(study)
    problems = console.collect(strict)
    results = evaluate_answers(
        opened,
        read_answers(answers, opened, problems),
        until=None if until is None else parse_time(until, "--until"),
        share=share,
        deviations=None if keep_outliers else deviations,
        unit=unit,
    )
    skipped = console.conclude(problems, "answers")
    _write(results, items, judgements)
    if json:
        console.put_json(results.as_dict())
    else:
        for table in result_tables(results):
            console.put_table(table)
        for line in impossible_tests(results):
            console.say(line)
    if skipped:
        raise typer.Exit(1)


def _write(results: Results, items: str | None, judgements: str | None) -> None:
    import csv

    from treewright.files import atomic_write

    if items is not None:
        with atomic_write(items) as handle:
            for row in results.item_rows():
                handle.write(as_json(row) + "\n")
    if judgements is not None:
        rows = list(results.answer_rows())
        with atomic_write(judgements) as handle:
            writer = csv.DictWriter(handle, ANSWER_COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)


ANSWER_COLUMNS = (
    "annotator",
    "page",
    "slot",
    "kind",
    "item",
    "question",
    "answer",
    "time",
    "status",
)
