"""The deletion model: which tokens to keep, scored by adjacent kept ones (McDonald 2006)."""

from treewright.pruning.deletion.evidence import Evidence, gather
from treewright.pruning.deletion.forest import Deleted, DeletionForest
from treewright.pruning.deletion.model import KIND, MAX_BITS, DeletionModel

__all__ = [
    "KIND",
    "MAX_BITS",
    "Deleted",
    "DeletionForest",
    "DeletionModel",
    "Evidence",
    "gather",
]
