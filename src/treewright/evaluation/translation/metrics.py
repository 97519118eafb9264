"""The metrics of translation: sacrebleu counts, and the counts add up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treewright.errors import choose
from treewright.evaluation.translation.scores import bleu_score, chrf_score, ter_score

Floats = NDArray[np.float64]

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
