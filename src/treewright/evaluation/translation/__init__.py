"""Evaluation of translations: BLEU, chrF and TER from additive statistics."""

from treewright.evaluation.translation.metrics import (
    bleu_plus_one,
    translation_metrics,
)
from treewright.evaluation.translation.numbered import Bleu, NumberedMetric, minimum_risk
from treewright.evaluation.translation.result import TranslationEvaluation, evaluate_translation

__all__ = [
    "Bleu",
    "NumberedMetric",
    "TranslationEvaluation",
    "bleu_plus_one",
    "evaluate_translation",
    "minimum_risk",
    "translation_metrics",
]
