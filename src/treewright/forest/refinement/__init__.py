"""Refinement: forests split by states (words kept, contexts of words, ties)."""

from treewright.forest.refinement.algebra import Algebra
from treewright.forest.refinement.counters import Counters
from treewright.forest.refinement.refine import Refinement, refine
from treewright.forest.refinement.tables import (
    CountCurve,
    CountTable,
    best_by_count,
    best_by_two_counts,
)

__all__ = [
    "Algebra",
    "CountCurve",
    "CountTable",
    "Counters",
    "Refinement",
    "best_by_count",
    "best_by_two_counts",
    "refine",
]
