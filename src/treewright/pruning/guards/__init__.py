"""What must not be deleted: what a user demands, what carries the claim, and what English needs;
and what a user wants to go.

Demands and the claim never give way; grammar does if it may, and a limit cannot be met otherwise.
"""

from treewright.pruning.guards.demands import (
    CLASSES,
    Demand,
    Drop,
    Keep,
    demanded,
    unmatched,
)
from treewright.pruning.guards.grammar import essential
from treewright.pruning.guards.guarding import (
    JOINED,
    LOOSE,
    STRICT,
    WEIGHED,
    claim_of,
    guard,
    parts_of,
)
from treewright.pruning.guards.meaning import (
    FAITHFUL,
    NORMAL,
    Dropped,
    bound_words,
    dropped_material,
)
from treewright.pruning.guards.negation import negation_words
from treewright.pruning.guards.neighbours import impossible_neighbours
from treewright.pruning.guards.reference import leans, orphans, references_from

__all__ = [
    "CLASSES",
    "FAITHFUL",
    "JOINED",
    "LOOSE",
    "NORMAL",
    "STRICT",
    "WEIGHED",
    "Demand",
    "Drop",
    "Dropped",
    "Keep",
    "bound_words",
    "claim_of",
    "demanded",
    "dropped_material",
    "essential",
    "guard",
    "impossible_neighbours",
    "leans",
    "negation_words",
    "orphans",
    "parts_of",
    "references_from",
    "unmatched",
]
