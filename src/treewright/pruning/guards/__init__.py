"""What must not be deleted: what a user demands, negation of what is kept, and what English needs.

The first two never give way; grammar does, if a limit cannot be met otherwise.
"""

from treewright.pruning.guards.guarding import JOINED, LOOSE, STRICT, guard
from treewright.pruning.guards.keeping import CLASSES, Keep, demanded, unmatched
from treewright.pruning.guards.negation import negation_words

__all__ = [
    "CLASSES",
    "JOINED",
    "LOOSE",
    "STRICT",
    "Keep",
    "demanded",
    "guard",
    "negation_words",
    "unmatched",
]
