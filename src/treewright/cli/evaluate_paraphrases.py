"""`treewright evaluate paraphrases`: coverage and expected precision of ranked paraphrases."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treewright.cli import console, options
from treewright.cli.options import optional
from treewright.errors import UsageError

if TYPE_CHECKING:
    from treewright.evaluation.paraphrases import ParaphraseScores


def paraphrases(
    output: Annotated[
        str, typer.Argument(metavar="OUTPUT.jsonl", help="As of paraphrase apply; - is stdin.")
    ],
    gold: Annotated[
        str | None, optional("FOLDER", "Has phrases.PART.jsonl, gold.PART.json and verb-forms.tsv.")
    ] = None,
    part: Annotated[str, typer.Option(help="Which part of the gold.")] = "dev",
    without: Annotated[
        list[str] | None, optional("SOURCE", "Leave out what only this source says. Repeat.")
    ] = None,
    judgements: Annotated[
        str | None, optional("FILE.jsonl", "What people judged, instead of --gold.")
    ] = None,
    phrases: Annotated[str | None, optional("FILE", "The phrases to be covered.")] = None,
    json: options.Json = False,
) -> None:
    """Score paraphrases: coverage, and expected precision at 1, 5 and 10, lenient (the meaning is
    the same) and strict (and the grammar, too), with and without (nr) those that repeat the verb.
    """
    from treewright.evaluation.paraphrases import (
        read_gold,
        read_judgements,
        read_paraphrases,
        read_phrases,
        score_paraphrases,
    )

    if (gold is None) == (judgements is None):
        raise UsageError("either --gold FOLDER or --judgements FILE says what is right")
    if gold is not None:
        folder = Path(gold)
        judge: Any = read_gold(
            folder / f"gold.{part}.json", folder / "verb-forms.tsv", without or ()
        )
        phrases = phrases or str(folder / f"phrases.{part}.jsonl")
    else:
        judge = read_judgements(judgements or "")
    ranked = read_paraphrases(output)
    wanted = list(ranked) if phrases is None else read_phrases(phrases)
    scores = score_paraphrases(ranked, wanted, judge)
    if json:
        console.put_json(scores.to_dict())
    else:
        console.put_table(_table(scores))


def _table(scores: ParaphraseScores) -> Any:
    from rich.table import Table

    from treewright.evaluation.paraphrases import DEPTHS

    title = (
        f"{scores.phrases} phrases, coverage {scores.coverage:.3f}, {scores.items} items, "
        f"{scores.redundancy:.3f} redundant"
    )
    table = Table(title=title, box=None, pad_edge=False, title_justify="left", title_style="")
    table.add_column("")
    for over in ("", " of all"):
        for k in DEPTHS:
            table.add_column(f"P@{k}{over}", justify="right")
    for measure in ("lenient", "strict", "lenient_nr", "strict_nr"):
        figures = [
            f"{scores.precision(measure, k, over_all=over_all):.3f}"
            for over_all in (False, True)
            for k in DEPTHS
        ]
        table.add_row(measure.replace("_", " "), *figures)
    return table
