"""The table of per-sentence statistics, and the metrics that read its column sums.

A metric takes an array whose last axis is the columns below (sums over any set of sentences) and
returns one score for each. Corpus scores, bootstrap and randomisation all go through the same ones.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

COLUMNS = (
    "relations_matched",
    "relations_system",
    "relations_reference",
    "words_matched",
    "words_system",
    "words_reference",
    "words_source",
    "tokens_system",
    "tokens_reference",
    "tokens_source",
    "exact",
    "missing",
    "sentences",
)
"""*Tokens* include punctuation, *words* do not. Every column is an integer that adds up."""

Table = NDArray[np.int64]
Floats = NDArray[np.float64]
Metric = Callable[[Table], Floats]

_INDEX = {name: number for number, name in enumerate(COLUMNS)}


def column(table: Table, name: str) -> Table:
    """Return one column by its name."""
    values: Table = table[..., _INDEX[name]]
    return values


def _ratio(above: str, *below: str, factor: int = 1) -> Metric:
    """Make the metric `factor · above / Σ below`, which is 0 if the denominator is."""

    def metric(table: Table) -> Floats:
        upper = factor * column(table, above).astype(np.float64)
        lower = np.sum([column(table, name) for name in below], axis=0).astype(np.float64)
        scores: Floats = np.divide(upper, lower, out=np.zeros_like(upper), where=lower != 0)
        return scores

    return metric


METRICS: dict[str, Metric] = {
    "relation_precision": _ratio("relations_matched", "relations_system"),
    "relation_recall": _ratio("relations_matched", "relations_reference"),
    "relation_f1": _ratio("relations_matched", "relations_system", "relations_reference", factor=2),
    "token_precision": _ratio("words_matched", "words_system"),
    "token_recall": _ratio("words_matched", "words_reference"),
    "token_f1": _ratio("words_matched", "words_system", "words_reference", factor=2),
    "exact_match": _ratio("exact", "sentences"),
    "token_rate": _ratio("tokens_system", "tokens_source"),
    "word_rate": _ratio("words_system", "words_source"),
    "gold_token_rate": _ratio("tokens_reference", "tokens_source"),
    "gold_word_rate": _ratio("words_reference", "words_source"),
}
