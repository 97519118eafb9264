"""Scores of paraphrases, entailments and substitutions."""

from treewright.evaluation.paraphrases.expected import (
    DEPTHS,
    Judged,
    ParaphraseScores,
    average_precision,
    precision_of_best,
    score_paraphrases,
    substitution_scores,
)
from treewright.evaluation.paraphrases.files import (
    read_gold,
    read_judgements,
    read_paraphrases,
    read_phrases,
)

__all__ = [
    "DEPTHS",
    "Judged",
    "ParaphraseScores",
    "average_precision",
    "precision_of_best",
    "read_gold",
    "read_judgements",
    "read_paraphrases",
    "read_phrases",
    "score_paraphrases",
    "substitution_scores",
]
