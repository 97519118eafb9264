"""The metrics of translation: sacrebleu counts, the counts add up, and scores follow from the sums.

Scores have sacrebleu's layout and results, for many sums at once: each function takes an array
whose last axis is the statistics and returns one score for each row.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from treewright.arrays import Floats
from treewright.errors import choose

ORDER = 4
"""The longest n-grams of BLEU. Its statistics are the lengths of the output and of the closest
reference, then, by order, the n-grams that match and all there are.
"""

_BETA = 2


def bleu_score(sums: ArrayLike) -> Floats:
    """Return BLEU of 0 to 100, as sacrebleu smooths it by default.

    Each order without a match counts half of what the order without a match before it did; an
    order without n-grams makes the score 0.
    """
    counts = np.asarray(sums, np.float64)
    matched, total = counts[..., 2 : 2 + ORDER], counts[..., 2 + ORDER :]
    missed = (matched == 0) & (total > 0)
    halved = np.where(missed, 0.5 ** np.cumsum(missed, axis=-1), matched)
    possible = matched.any(axis=-1) & total.all(axis=-1)
    return _bleu(counts, halved, total, possible)


def bleu_plus_one(sums: ArrayLike) -> Floats:
    """Return BLEU of 0 to 100 with one added to all counts of two words and more.

    Lin and Och, "ORANGE" (COLING 2004): a score for single sentences.
    """
    counts = np.asarray(sums, np.float64)
    added = np.array([0.0, *[1.0] * (ORDER - 1)])
    matched, total = counts[..., 2 : 2 + ORDER] + added, counts[..., 2 + ORDER :] + added
    possible = counts[..., 2 : 2 + ORDER].any(axis=-1)
    return _bleu(counts, matched, total, possible)


def _bleu(counts: Floats, matched: Floats, total: Floats, possible: ArrayLike) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.log(matched / total).mean(axis=-1)
        shortness = np.minimum(1.0 - counts[..., 1] / counts[..., 0], 0.0)
        scores = np.where(possible, 100.0 * np.exp(mean + shortness), 0.0)
    return np.asarray(scores, np.float64)


def ter_score(sums: ArrayLike) -> Floats:
    """Return TER, edits per 100 words of the references: the lower, the better."""
    counts = np.asarray(sums, np.float64)
    edits, length = counts[..., 0], counts[..., 1]
    none = np.where(edits > 0, 1.0, 0.0)
    return 100.0 * np.divide(edits, length, out=none, where=length > 0)


def chrf_score(sums: ArrayLike) -> Floats:
    """Return chrF2 of 0 to 100: precision and recall are means over the orders that occur."""
    counts = np.asarray(sums, np.float64)
    system, reference, matched = counts[..., 0::3], counts[..., 1::3], counts[..., 2::3]
    occurs = (system > 0) & (reference > 0)
    orders = np.maximum(occurs.sum(axis=-1), 1)
    precision, recall = (
        np.divide(matched, whole, out=np.zeros_like(matched), where=occurs).sum(axis=-1) / orders
        for whole in (system, reference)
    )
    below = _BETA**2 * precision + recall
    above = (1 + _BETA**2) * precision * recall
    scores: Floats = np.divide(above, below, out=np.zeros_like(above), where=below > 0)
    return 100.0 * scores


TOKENIZERS = ("none", "13a", "intl", "zh", "char")
"""How BLEU finds tokens; `none` splits at spaces."""


@dataclass(frozen=True)
class TranslationMetric:
    """A metric whose statistics are those of sacrebleu: one row per sentence, and rows add up."""

    name: str
    better: int
    """1 if a higher score is better, -1 if a lower one is."""
    counter: Any
    """sacrebleu's object."""
    score: Callable[[ArrayLike], Floats]
    """Returns the score of each row of summed statistics."""

    def statistics(
        self, outputs: Sequence[str], references: Sequence[Sequence[str]]
    ) -> tuple[Floats, str]:
        """Return one row per output, and sacrebleu's signature.

        Each element of `references` is one translation of the whole text.
        """
        rows = self.counter._extract_corpus_statistics(outputs, references)
        return np.array(rows, np.float64), str(self.counter.get_signature())


def translation_metrics(
    *, lowercase: bool = False, tokenize: str = "none"
) -> dict[str, TranslationMetric]:
    """Return BLEU, chrF2 and TER by name; only BLEU has tokenizers to choose from."""
    from sacrebleu.metrics.bleu import BLEU
    from sacrebleu.metrics.chrf import CHRF
    from sacrebleu.metrics.ter import TER

    choose(tokenize, TOKENIZERS, "tokenizer")
    bleu = BLEU(lowercase=lowercase, tokenize=tokenize, force=True)
    found = (
        TranslationMetric("bleu", 1, bleu, bleu_score),
        TranslationMetric("chrf", 1, CHRF(lowercase=lowercase), chrf_score),
        TranslationMetric("ter", -1, TER(case_sensitive=not lowercase), ter_score),
    )
    return {metric.name: metric for metric in found}
