"""Transduction: trees and tree pairs become forests under a grammar."""

from treewright.transduction.application import NOWHERE
from treewright.transduction.generation import Transducer
from treewright.transduction.labels import EdgeColumns, EdgeKind, EdgeLabel, EdgeLabels
from treewright.transduction.synchrony import PairForest, admissible, pair_forest
from treewright.transduction.targets import Target, TargetForest, child_labels, spread

__all__ = [
    "NOWHERE",
    "EdgeColumns",
    "EdgeKind",
    "EdgeLabel",
    "EdgeLabels",
    "PairForest",
    "Target",
    "TargetForest",
    "Transducer",
    "admissible",
    "child_labels",
    "pair_forest",
    "spread",
]
