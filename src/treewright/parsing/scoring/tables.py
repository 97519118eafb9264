"""Scores of parsers as tables for the terminal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from treewright.parsing.scoring import SHORT, BracketScores
from treewright.parsing.scoring.mistakes import KINDS

if TYPE_CHECKING:
    from rich.table import Table

_SCORES: Mapping[str, Callable[[BracketScores], float]] = {
    "F1": lambda scores: scores.f1,
    "P": lambda scores: scores.precision,
    "R": lambda scores: scores.recall,
    "Exact": lambda scores: scores.exact,
    "No cross": lambda scores: scores.no_crossing,
    "≤2 cross": lambda scores: scores.few_crossing,
    "Tags": lambda scores: scores.tag_accuracy,
    "All tags": lambda scores: scores.token_tag_accuracy,
}


def score_table(scores: BracketScores, *, title: str | None = None) -> Table:
    """Lay out all sentences and the short ones as rows, with scores in per cent.

    `Cross` is crossing brackets per sentence; `Tags` leaves out punctuation, `All tags` does not.
    The signature is below. Sentences without a tree get a column only if there are any.
    """
    from rich.table import Table

    table = Table(title=title, caption=scores.signature)
    table.add_column("Sentences")
    headings = [*_SCORES, "Cross", "n", *(["Unparsed"] if scores.unparsed else [])]
    for heading in headings:
        table.add_column(heading, justify="right")
    for name, part in (("all", scores), (f"up to {SHORT} tokens", scores.up_to(SHORT))):
        cells = [_percent(score(part)) for score in _SCORES.values()]
        cells += [f"{part.crossing:.2f}", str(len(part.sentences))]
        if scores.unparsed:
            cells.append(str(part.unparsed))
        table.add_row(name, *cells)
    return table


def label_table(scores: BracketScores, *, most: int = 12) -> Table:
    """Lay out the most frequent labels as rows, with their scores and counts on each side."""
    from rich.table import Table

    table = Table(title="Labels", caption="ADVP includes PRT, which evalb holds equal")
    table.add_column("Label")
    for heading in ("F1", "P", "R", "Gold", "Guessed"):
        table.add_column(heading, justify="right")
    for label, counts in list(scores.labels().items())[:most]:
        cells = [_percent(score) for score in (counts.f1, counts.precision, counts.recall)]
        table.add_row(label, *cells, str(counts.reference), str(counts.system))
    return table


def error_table(scores: BracketScores) -> Table:
    """Lay out the kinds of mistakes as rows, with the missing and extra brackets."""
    from rich.table import Table

    table = Table(title="Mistakes")
    table.add_column("Kind")
    for heading in ("Missing", "Extra"):
        table.add_column(heading, justify="right")
    table.add_column("A bracket is of this kind when")
    for kind, (missing, extra) in scores.errors().items():
        table.add_row(kind, str(missing), str(extra), KINDS[kind])
    return table


def _percent(score: float) -> str:
    return f"{100 * score:.2f}"
