"""Large-margin training of the deletion model."""

from treewright.learning.deletion.data import DeletionSet
from treewright.learning.deletion.learner import Deletion

__all__ = ["Deletion", "DeletionSet"]
