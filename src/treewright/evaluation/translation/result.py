"""`TranslationEvaluation`: one system's statistics under every metric, and the scores they give."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from treewright.arrays import Floats
from treewright.counts import signature
from treewright.errors import DataError, choose
from treewright.evaluation.translation.metrics import ORDER, TranslationMetric


@dataclass(frozen=True, eq=False)
class TranslationEvaluation:
    """A system's statistics, a table for each metric with one row per sentence.

    Scores are those that sacrebleu prints, 0 to 100. The signature says what they were measured on;
    scores with different signatures must not be compared.
    """

    name: str
    signature: str
    tables: Mapping[str, Floats]
    metrics: Mapping[str, TranslationMetric]
    signatures: Mapping[str, str]
    """sacrebleu's signature of each metric."""

    def statistics(self, metric: str) -> tuple[Floats, Callable[[Floats], Floats]]:
        """Return the table of a metric, and the function that scores its column sums."""
        choose(metric, list(self.metrics), "metric")
        return self.tables[metric], self.metrics[metric].score

    def score(self, metric: str) -> float:
        """Return the corpus score of a metric."""
        table, score = self.statistics(metric)
        return float(score(table.sum(axis=0)))

    @property
    def sentences(self) -> int:
        """The number of sentences."""
        return len(next(iter(self.tables.values())))

    def as_dict(self) -> dict[str, object]:
        """Return the scores, by name, and what explains them, as plain values."""
        scores = {name: self.score(name) for name in self.metrics}
        report = {"name": self.name, "sentences": self.sentences, **scores}
        if "bleu" in self.tables:
            sums = self.tables["bleu"].sum(axis=0)
            total = np.maximum(sums[2 + ORDER :], 1)
            report["precisions"] = (100 * sums[2 : 2 + ORDER] / total).tolist()
            report["words"] = {"output": int(sums[0]), "reference": int(sums[1])}
        return {**report, "signature": self.signature, "signatures": dict(self.signatures)}


def evaluate_translation(
    outputs: Sequence[str],
    references: Sequence[Sequence[str]],
    metrics: Mapping[str, TranslationMetric],
    *,
    name: str = "system",
) -> TranslationEvaluation:
    """Score lines of text; each element of `references` is one translation of the whole text."""
    if not references:
        raise DataError("no reference to evaluate against")
    for text in references:
        if len(text) != len(outputs):
            raise DataError(f"{len(outputs)} outputs for {len(text)} references", where=name)
    if not outputs:
        raise DataError("no sentences to evaluate", where=name)
    digest = hashlib.sha256("\n\n".join("\n".join(text) for text in references).encode())
    found = {key: metric.statistics(outputs, references) for key, metric in metrics.items()}
    return TranslationEvaluation(
        name,
        signature(len(outputs), digest.hexdigest()),
        {key: table for key, (table, _) in found.items()},
        dict(metrics),
        {key: text for key, (_, text) in found.items()},
    )
