"""`Evaluation`: one system's statistics on one corpus, and the scores they give.

A metric takes an array whose last axis is the columns below (sums over any set of sentences) and
returns one score for each. Corpus scores, bootstrap and randomisation all go through the same ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from treewright.arrays import Floats, Longs
from treewright.counts import Counts
from treewright.errors import choose

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

Table = Longs
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


@dataclass(frozen=True, eq=False)
class Evaluation:
    """A system's statistics, one row per sentence in the columns of `COLUMNS`.

    Scores are fractions (0.63, not 63). The signature says what they were measured on and how;
    scores with different signatures must not be compared.
    """

    name: str
    ids: tuple[str, ...]
    table: Table
    signature: str

    @property
    def totals(self) -> Table:
        """The column sums."""
        sums: Table = self.table.sum(axis=0)
        return sums

    def statistics(self, metric: str) -> tuple[Table, Metric]:
        """Return the table, and the function of `METRICS` that scores its column sums."""
        return self.table, METRICS[choose(metric, list(METRICS), "metric")]

    def score(self, metric: str) -> float:
        """Return the corpus score of one of `METRICS`."""
        return float(self.statistics(metric)[1](self.totals))

    def total(self, name: str) -> int:
        """Return the sum of one of `COLUMNS`."""
        return int(column(self.totals, name))

    @property
    def relations(self) -> Counts:
        """Relations that match, in the outputs, and in the references."""
        return self._counts("relations")

    @property
    def tokens(self) -> Counts:
        """Words (without punctuation) that match, in the outputs, and in the references."""
        return self._counts("words")

    def _counts(self, what: str) -> Counts:
        return Counts(
            *[self.total(f"{what}_{part}") for part in ("matched", "system", "reference")]
        )

    def as_dict(self) -> dict[str, object]:
        """Return scores, rates and counts as plain values."""
        return {
            "name": self.name,
            "signature": self.signature,
            "sentences": self.total("sentences"),
            "missing": self.total("missing"),
            "relations": self.relations.as_dict(),
            "tokens": self.tokens.as_dict(),
            "exact_match": self.score("exact_match"),
            "rate": {"tokens": self.score("token_rate"), "words": self.score("word_rate")},
            "gold_rate": {
                "tokens": self.score("gold_token_rate"),
                "words": self.score("gold_word_rate"),
            },
        }

    def rows(self) -> Iterator[dict[str, object]]:
        """Yield, for each sentence, its id, its statistics and its two F1 scores."""
        f1 = {name: METRICS[name](self.table).tolist() for name in ("relation_f1", "token_f1")}
        for number, (name, row) in enumerate(zip(self.ids, self.table.tolist(), strict=True)):
            scores = {metric: values[number] for metric, values in f1.items()}
            counts = dict(zip(COLUMNS, row, strict=True))
            del counts["sentences"]
            yield {"id": name, **scores, **counts}
