"""What must not be deleted: what a user demands, what carries the claim, and what English needs.

The first two never give way; grammar does, if a limit cannot be met otherwise.
"""

from treewright.pruning.guards.grammar import essential
from treewright.pruning.guards.guarding import JOINED, LOOSE, STRICT, guard
from treewright.pruning.guards.keeping import CLASSES, Keep, demanded, unmatched
from treewright.pruning.guards.meaning import FAITHFUL, Dropped, bound_words, dropped_material
from treewright.pruning.guards.negation import negation_words

__all__ = [
    "CLASSES",
    "FAITHFUL",
    "JOINED",
    "LOOSE",
    "STRICT",
    "Dropped",
    "Keep",
    "bound_words",
    "demanded",
    "dropped_material",
    "essential",
    "guard",
    "negation_words",
    "unmatched",
]
