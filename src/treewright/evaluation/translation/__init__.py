"""Evaluation of translations: BLEU, chrF and TER from additive statistics."""

from treewright.evaluation.translation.metrics import (
    TOKENIZERS,
    TranslationMetric,
    translation_metrics,
)
from treewright.evaluation.translation.numbered import Bleu, NumberedMetric, minimum_risk
from treewright.evaluation.translation.result import TranslationEvaluation, evaluate_translation
from treewright.evaluation.translation.scores import (
    bleu_plus_one,
    bleu_score,
    chrf_score,
    ter_score,
)

__all__ = [
    "TOKENIZERS",
    "Bleu",
    "NumberedMetric",
    "TranslationEvaluation",
    "TranslationMetric",
    "bleu_plus_one",
    "bleu_score",
    "chrf_score",
    "evaluate_translation",
    "minimum_risk",
    "ter_score",
    "translation_metrics",
]
