"""Results as tables for the terminal."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from treewright.annotation.results import Results
from treewright.errors import DataError
from treewright.evaluation import Variance

if TYPE_CHECKING:
    from rich.table import Table

_MEASURES = {"raw": "Raw", "cohen": "Cohen", "fleiss": "Fleiss", "alpha": "Alpha", "g": "G"}


def result_tables(results: Results) -> Iterator[Table]:
    """Yield what became of the answers, agreement, scores, and tests of differences."""
    yield _counts(results)
    yield _agreements(results)
    if results.scores:
        yield _scores(results)
    for criterion, variance in results.variances.items():
        if isinstance(variance, Variance):
            yield _differences(criterion, variance, results.unit)


def impossible_tests(results: Results) -> Iterator[str]:
    """Yield why a criterion was not tested."""
    for criterion, variance in results.variances.items():
        if isinstance(variance, DataError):
            yield f"{criterion}: no analysis of variance: {variance}"


def _table(title: str, first: str, *others: str, caption: str | None = None) -> Table:
    from rich.table import Table

    table = Table(title=title, caption=caption)
    table.add_column(first)
    for name in others:
        table.add_column(name, justify="right")
    return table


def _counts(results: Results) -> Table:
    counts = results.counts()
    table = _table("Answers", "", "all", "counted")
    for name in ("annotators", "judgements"):
        table.add_row(name, str(counts[name]), str(counts[f"{name}_counted"]))
    kept = counts["pages"] - counts["pages_rejected"]
    table.add_row("pages", str(counts["pages"]), str(kept))
    table.add_row("items", str(counts["items"]), str(counts["items_judged"]))
    table.add_section()
    for reason, number in sorted(counts["reasons"].items()):
        table.add_row(f"pages rejected: {reason}", str(number), "")
    for name in ("missing", "late", "undated", "doubles", "contradictions", "items_short"):
        if counts[name]:
            table.add_row(_WORDS[name], str(counts[name]), "")
    return table


_WORDS = {
    "missing": "answers missing on pages begun",
    "late": "late answers",
    "undated": "answers without a time",
    "doubles": "second answers, the same",
    "contradictions": "second answers, different",
    "items_short": "items with too few judgements",
}


def _agreements(results: Results) -> Table:
    table = _table("Agreement", "Question", *_MEASURES.values(), "Items", "Judgements")
    for title, found in (("", results.agreement), (", nothing rejected", results.unscreened)):
        for name, agreement in found.items():
            figures = [_figure(getattr(agreement, measure)) for measure in _MEASURES]
            numbers = str(agreement.items), str(agreement.judgements)
            table.add_row(f"{name}{title}", *figures, *numbers)
    return table


def _scores(results: Results) -> Table:
    table = _table("Scores", "System", "Criterion", "Aggregate", "Majority", "Items", "Judgements")
    for score in sorted(results.scores, key=lambda score: score.criterion):
        majority = "-" if score.majority is None else _figure(score.majority)
        table.add_row(
            score.system,
            score.criterion,
            _figure(score.aggregate),
            majority,
            str(score.items),
            str(score.judgements),
        )
    return table


def _differences(criterion: str, variance: Variance, unit: str) -> Table:
    caption = (
        f"F({variance.between}, {variance.within}) = {variance.f:.2f}, p = {variance.p_value:.4f}; "
        f"one observation is one {unit}; * p < .05, † p < .01 (Tukey)"
    )
    table = _table(
        f"Differences: {criterion}", "System", "minus", "Difference", "95 %", "p", caption=caption
    )
    for each in variance.differences:
        sign = "†" if each.p_value < 0.01 else "*" if each.p_value < 0.05 else ""
        table.add_row(
            each.second,
            each.first,
            f"{each.difference:+.3f}",
            f"{each.low:+.3f} to {each.high:+.3f}",
            f"{each.p_value:.4f}{sign}",
        )
    return table


def _figure(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.3f}"
