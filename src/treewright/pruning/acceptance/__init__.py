"""Whether a reader would accept what is left: an estimate from what went and from the seams."""

from treewright.pruning.acceptance.estimate import PARTS, Acceptance, Judged, drop_odds
from treewright.pruning.acceptance.losses import Feature, Losses, dropped_nodes, staying_nodes
from treewright.pruning.acceptance.neighbours import Neighbours
from treewright.pruning.acceptance.seams import (
    SEAM_FEATURES,
    SeamWeights,
    seam_features,
    seams_of,
)

__all__ = [
    "PARTS",
    "SEAM_FEATURES",
    "Acceptance",
    "Feature",
    "Judged",
    "Losses",
    "Neighbours",
    "SeamWeights",
    "drop_odds",
    "dropped_nodes",
    "seam_features",
    "seams_of",
    "staying_nodes",
]
