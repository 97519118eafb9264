"""Refinement: forests split by additive counters (words kept, characters, true positives)."""

from treewright.forest.refinement.curve import CountCurve, best_by_count
from treewright.forest.refinement.refine import Refinement, refine

__all__ = ["CountCurve", "Refinement", "best_by_count", "refine"]
