"""Pruning priced by a small neural network: an encoder's states instead of features."""

from treewright.pruning.encoded.network import PriceNetwork, measures
from treewright.pruning.encoded.places import KINDS, SPECIAL, Places
from treewright.pruning.encoded.pruning import EncodedPruning

__all__ = [
    "KINDS",
    "SPECIAL",
    "EncodedPruning",
    "Places",
    "PriceNetwork",
    "measures",
]
