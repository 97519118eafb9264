"""The deletion model: which tokens to keep, scored by adjacent kept ones (McDonald 2006)."""

from treewright.transduction.deletion.evidence import Evidence, gather
from treewright.transduction.deletion.forest import Deleted, DeletionForest
from treewright.transduction.deletion.model import DeletionModel

__all__ = ["Deleted", "DeletionForest", "DeletionModel", "Evidence", "gather"]
