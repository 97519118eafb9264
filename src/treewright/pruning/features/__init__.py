"""Features of nodes, gaps and tokens that may be dropped, and prices that are linear in them."""

from treewright.pruning.features.keys import KeyMaker, Keys, table_size
from treewright.pruning.features.pruning import GapPruning
from treewright.pruning.features.surroundings import Surroundings
from treewright.pruning.features.templates import templates_without

__all__ = [
    "GapPruning",
    "KeyMaker",
    "Keys",
    "Surroundings",
    "table_size",
    "templates_without",
]
