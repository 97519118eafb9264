"""Pruning priced by a small neural network: an encoder's states instead of features."""

from treewright.pruning.encoded._kernels import DISTANCES, END, START
from treewright.pruning.encoded.network import (
    CLASH,
    REGRET,
    SEAM,
    SHARES,
    SURPRISE,
    PriceNetwork,
    measures,
)
from treewright.pruning.encoded.places import KINDS, SPECIAL, Places, distances, number_labels
from treewright.pruning.encoded.pruning import EncodedPruning

__all__ = [
    "CLASH",
    "DISTANCES",
    "END",
    "KINDS",
    "REGRET",
    "SEAM",
    "SHARES",
    "SPECIAL",
    "START",
    "SURPRISE",
    "EncodedPruning",
    "Places",
    "PriceNetwork",
    "distances",
    "measures",
    "number_labels",
]
