"""Evaluation: relation scores beside rates, significance, baselines, agreement of people."""

from treewright.evaluation.agreement import LEVELS, Agreement, measure_agreement
from treewright.evaluation.baselines import (
    ceiling,
    copy_all,
    first_words,
    first_words_at,
)
from treewright.evaluation.result import Evaluation
from treewright.evaluation.score import evaluate, evaluate_all
from treewright.evaluation.significance import (
    TESTS,
    Comparison,
    approximate_randomisation,
    bootstrap_interval,
    paired_bootstrap,
)
from treewright.evaluation.table import score_table
from treewright.evaluation.variance import Variance, analyse_variance
from treewright.evaluation.word_alignment import (
    AlignmentCounts,
    GoldAlignment,
    score_alignment_files,
)

__all__ = [
    "LEVELS",
    "TESTS",
    "Agreement",
    "AlignmentCounts",
    "Comparison",
    "Evaluation",
    "GoldAlignment",
    "Variance",
    "analyse_variance",
    "approximate_randomisation",
    "bootstrap_interval",
    "ceiling",
    "copy_all",
    "evaluate",
    "evaluate_all",
    "first_words",
    "first_words_at",
    "measure_agreement",
    "paired_bootstrap",
    "score_alignment_files",
    "score_table",
]
