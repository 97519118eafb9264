"""Refinement: forests split by additive counters (words kept, characters, true positives)."""

from treewright.forest.refinement.refine import Refinement, refine
from treewright.forest.refinement.tables import (
    CountCurve,
    CountTable,
    best_by_count,
    best_by_two_counts,
)

__all__ = [
    "CountCurve",
    "CountTable",
    "Refinement",
    "best_by_count",
    "best_by_two_counts",
    "refine",
]
