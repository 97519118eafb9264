"""Scores of paraphrases, entailments and substitutions."""

from treewright.evaluation.paraphrases.expected import (
    DEPTHS,
    Judged,
    ParaphraseScores,
    score_paraphrases,
)
from treewright.evaluation.paraphrases.files import (
    read_gold,
    read_judgements,
    read_paraphrases,
    read_phrases,
)
from treewright.evaluation.paraphrases.gold import GoldJudge, VerbForms
from treewright.evaluation.paraphrases.others import (
    average_precision,
    precision_of_best,
    substitution_scores,
)

__all__ = [
    "DEPTHS",
    "GoldJudge",
    "Judged",
    "ParaphraseScores",
    "VerbForms",
    "average_precision",
    "precision_of_best",
    "read_gold",
    "read_judgements",
    "read_paraphrases",
    "read_phrases",
    "score_paraphrases",
    "substitution_scores",
]
