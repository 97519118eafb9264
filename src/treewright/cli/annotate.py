"""`treewright annotate`: have outputs judged by people."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from treewright.cli import console, options
from treewright.cli.options import optional
from treewright.errors import Problems, UsageError
from treewright.files import as_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from treewright.annotation import Context, Form, HiddenTest, Item, Results

_SHOWN = 10
_ANSWER = ("annotator", "page", "slot", "kind", "item", "question", "answer", "time", "status")
"""The columns of answers."""

app = typer.Typer(
    help="Have outputs judged by people: make tasks, collect answers.", no_args_is_help=True
)


@app.command()
def make(
    form: Annotated[
        str,
        typer.Argument(
            metavar="FORM",
            help="What is asked: paraphrases, propositions, compressions, or a TOML file.",
        ),
    ],
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="[SYSTEM=]FILE...",
            help="Outputs: JSON Lines of 'paraphrase apply'; other items as JSON Lines or TSV.",
        ),
    ],
    study: Annotated[
        str,
        typer.Option(metavar="FILE", help="Where to write what 'collect' needs. Keep it secret."),
    ],
    html: Annotated[str | None, optional("FILE", "Write one page that works offline.")] = None,
    csv: Annotated[str | None, optional("FILE", "Write a table for crowd platforms.")] = None,
    sentences: Annotated[
        list[str] | None,
        optional("TEXT", "Show phrases in sentences of this tokenised text (.gz too). Repeat."),
    ] = None,
    tests: Annotated[
        str | None, optional("FILE", "Hidden tests or truisms: items with an 'answer'.")
    ] = None,
    per_page: Annotated[
        int | None, typer.Option(min=1, help="Items on a page, without tests.", show_default="10")
    ] = None,
    tests_per_page: Annotated[
        int | None, typer.Option(min=0, help="Hidden tests on a page.", show_default="the form's")
    ] = None,
    repeat: Annotated[
        bool | None,
        typer.Option(
            "--repeat/--no-repeat",
            help="Ask the first item of a page again at the end.",
            show_default="the form's",
        ),
    ] = None,
    topic: Annotated[
        str, typer.Option(metavar="TEXT", help="What propositions are about.")
    ] = "the subject",
    judgements: Annotated[int, typer.Option(min=1, help="Judgements of each item.")] = 3,
    annotators: Annotated[
        int | None,
        typer.Option(min=1, help="Sheets that the page has.", show_default="as many"),
    ] = None,
    k: Annotated[int, typer.Option(min=1, help="Paraphrases of a phrase, of each system.")] = 10,
    seed: options.Seed = 0,
    strict: options.Strict = False,
) -> None:
    """Lay out items on pages, at random and balanced, with hidden tests among them.

    The same item by several systems is judged once. At least one of --html and --csv is needed.
    """
    from treewright.annotation import load_form, make_study, write_page, write_tasks

    if html is None and csv is None:
        raise UsageError("say what to write: --html FILE, --csv FILE, or both")
    named = [_named(source) for source in sources]
    paths = [path for _, path in named]
    if [study, html, csv].count("-") > 1:
        raise UsageError("only one of --study, --html and --csv can be - (standard output)")
    console.check_files([*paths, tests, *(sentences or ())], [study, html, csv])
    problems = console.collect(strict)
    chosen = load_form(form).about(topic)
    chosen = replace(chosen, **console.given(items=per_page, tests=tests_per_page, repeat=repeat))
    items, contexts = _items(chosen, named, sentences or [], k, seed, problems)
    hidden = _tests(chosen, tests, contexts, len(items), seed, problems)
    made = make_study(
        chosen, items, hidden, judgements=judgements, annotators=annotators, seed=seed
    )
    console.conclude(problems, "lines")
    made.save(study)
    if html is not None:
        write_page(made, html)
    if csv is not None:
        write_tasks(made, csv)
    console.say(
        f"items: {len(made.items)} ({', '.join(made.systems())}), pages: {len(made.pages)}, "
        f"sheets: {len(made.sheets)}, study: {made.id}"
    )


def _named(source: str) -> tuple[str, str]:
    """Return the system and the file; without a name, the file's own is the system's."""
    name, path = console.split_name(source, "SYSTEM=FILE")
    return name or Path(path).name.partition(".")[0] or path, path


def _items(
    form: Form,
    named: Sequence[tuple[str, str]],
    sentences: Sequence[str],
    k: int,
    seed: int,
    problems: Problems,
) -> tuple[list[Item], dict[str, Context]]:
    from treewright.annotation import find_contexts, put_in_context, read_items, read_paraphrases

    if form.input != "paraphrases":
        if sentences:
            raise UsageError("--sentences is for paraphrases; other items bring their own texts")
        return read_items(named, problems), {}
    items = read_paraphrases(named, problems, k=k)
    if not sentences:
        return items, {}
    contexts = find_contexts((item.about["phrase"] for item in items), sentences, seed=seed)
    missing = sorted({item.about["phrase"] for item in items} - contexts.keys())
    if missing:
        named_few = ", ".join(map(repr, missing[:_SHOWN])) + (", …" if missing[_SHOWN:] else "")
        console.say(f"shown without a sentence, as none contains them: {named_few}")
    return put_in_context(items, contexts), contexts


def _tests(
    form: Form,
    path: str | None,
    contexts: dict[str, Context],
    items: int,
    seed: int,
    problems: Problems,
) -> list[HiddenTest]:
    from treewright.annotation import made_tests, number_of_pages, read_tests

    if not form.tests:
        if path is not None:
            raise UsageError("--tests has no effect without tests on pages; set --tests-per-page")
        return []
    if path is not None:
        return read_tests(path, form, problems)
    if form.input == "paraphrases" and items:
        return made_tests(contexts, form, form.tests * number_of_pages(items, form), seed=seed)
    return []


@app.command()
def collect(
    study: Annotated[str, typer.Argument(metavar="STUDY", help="What 'annotate make' wrote.")],
    answers: Annotated[
        list[str],
        typer.Argument(metavar="ANSWERS...", help="Files that the page saved, or CSV; - is stdin."),
    ],
    until: Annotated[
        str | None, optional("TIME", "Leave out later answers, e.g. 2026-11-20T18:00+01:00.")
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
    items: Annotated[str | None, optional("FILE.jsonl", "Write the scores of each item.")] = None,
    judgements: Annotated[
        str | None, optional("FILE.csv", "Write each answer and what became of it.")
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

    if "-" in (items, judgements):
        raise UsageError("standard output has the report; give --items and --judgements files")
    console.check_files([study, *answers], [items, judgements])
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
            writer = csv.DictWriter(handle, _ANSWER, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
