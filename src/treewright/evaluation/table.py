"""Evaluations as a table for the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from treewright.evaluation.result import Evaluation

if TYPE_CHECKING:
    from rich.table import Table

_SCORES = {
    "RelP": "relation_precision",
    "RelR": "relation_recall",
    "RelF1": "relation_f1",
    "TokF1": "token_f1",
    "Exact": "exact_match",
    "Rate": "token_rate",
    "Word rate": "word_rate",
}


def score_table(evaluations: Sequence[Evaluation], *, title: str | None = None) -> Table:
    """Lay out systems as rows, with scores in per cent; the last row has the rates of the
    references.

    The signature is below. Missing outputs get a column only if there are any.
    """
    from rich.table import Table

    missing = any(evaluation.total("missing") for evaluation in evaluations)
    table = Table(title=title, caption=_caption(evaluations))
    table.add_column("System")
    for heading in [*_SCORES, "n", *(["Missing"] if missing else [])]:
        table.add_column(heading, justify="right")
    for evaluation in evaluations:
        cells = [_percent(evaluation.score(metric)) for metric in _SCORES.values()]
        cells.append(str(evaluation.total("sentences")))
        if missing:
            cells.append(str(evaluation.total("missing")))
        table.add_row(evaluation.name, *cells)
    if evaluations:
        gold = evaluations[0]
        rates = [_percent(gold.score(f"gold_{name}")) for name in ("token_rate", "word_rate")]
        table.add_section()
        table.add_row("reference", "", "", "", "", "", *rates, str(gold.total("sentences")))
    return table


def _percent(score: float) -> str:
    return f"{100 * score:.1f}"


def _caption(evaluations: Sequence[Evaluation]) -> str:
    return "\n".join(dict.fromkeys(evaluation.signature for evaluation in evaluations))
