"""Transduction: trees and tree pairs, with a grammar, become forests."""

from treewright.transduction.generation import Transducer
from treewright.transduction.synchrony import PairForest, admissible, pair_forest
from treewright.transduction.targets import Curve, Target, TargetForest

__all__ = [
    "Curve",
    "PairForest",
    "Target",
    "TargetForest",
    "Transducer",
    "admissible",
    "pair_forest",
]
