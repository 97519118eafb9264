"""Pruning: what only deletes. Gaps and their prices, guards, least risk, reasons for a deletion."""

from treewright.pruning.forests import CompressionForest, Curve
from treewright.pruning.gaps import Gaps, Prices, Pruning
from treewright.pruning.model import Model
from treewright.pruning.pruner import Pruner
from treewright.pruning.steps import StepPruning

__all__ = [
    "CompressionForest",
    "Curve",
    "Gaps",
    "Model",
    "Prices",
    "Pruner",
    "Pruning",
    "StepPruning",
]
