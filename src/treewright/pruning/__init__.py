"""Pruning: what only deletes. Gaps and their prices, guards, minimum Bayes risk, reasons."""

from treewright.pruning.forests import CompressionForest
from treewright.pruning.gaps import Gaps, Prices, Pruning
from treewright.pruning.heads import Tie, split_by_heads
from treewright.pruning.model import Model
from treewright.pruning.pruner import Pruner
from treewright.pruning.steps import StepPruning

__all__ = [
    "CompressionForest",
    "Gaps",
    "Model",
    "Prices",
    "Pruner",
    "Pruning",
    "StepPruning",
    "Tie",
    "split_by_heads",
]
