"""Transduction: trees and tree pairs become forests under a grammar."""

from treewright.transduction.application import NOWHERE, Application, Kept, Partial, Result, join
from treewright.transduction.context import ContextModel, Yields
from treewright.transduction.generation import Transducer
from treewright.transduction.labels import GAP, EdgeColumns, EdgeKind, EdgeLabel, EdgeLabels
from treewright.transduction.synchrony import PairForest, admissible, pair_forest
from treewright.transduction.targets import Target, TargetForest, child_labels

__all__ = [
    "GAP",
    "NOWHERE",
    "Application",
    "ContextModel",
    "EdgeColumns",
    "EdgeKind",
    "EdgeLabel",
    "EdgeLabels",
    "Kept",
    "PairForest",
    "Partial",
    "Result",
    "Target",
    "TargetForest",
    "Transducer",
    "Yields",
    "admissible",
    "child_labels",
    "join",
    "pair_forest",
]
