"""Large-margin training: structured support vector machines and their losses."""

from treewright.learning.margin.losses import LOSSES

__all__ = [
    "LOSSES",
]
