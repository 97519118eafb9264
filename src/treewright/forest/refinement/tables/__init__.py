"""Tables: the best derivation for every value of a counter, or of two, without a refined forest."""

from treewright.forest.refinement.tables.curve import CountCurve, best_by_count
from treewright.forest.refinement.tables.table import CountTable, best_by_two_counts

__all__ = ["CountCurve", "CountTable", "best_by_count", "best_by_two_counts"]
