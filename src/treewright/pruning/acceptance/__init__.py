"""Whether a reader would accept what is left: an estimate from what went and from the seams."""

from treewright.pruning.acceptance.estimate import PARTS, Acceptance, Judged, drop_odds
from treewright.pruning.acceptance.losses import Feature, Losses, dropped_nodes, staying_nodes
from treewright.pruning.acceptance.neighbours import Neighbours
from treewright.pruning.acceptance.seams import (
    SEAM_FEATURES,
    SeamWeights,
    Seen,
    Told,
    join_neighbours,
    seam_features,
    seams_of,
    split_by_seams,
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
    "Seen",
    "Told",
    "drop_odds",
    "dropped_nodes",
    "join_neighbours",
    "seam_features",
    "seams_of",
    "split_by_seams",
    "staying_nodes",
]
