"""Large-margin training of the deletion model."""

from treewright.learning.deletion.learner import Deletion, DeletionSet

__all__ = ["Deletion", "DeletionSet"]
