"""What may not be deleted: what a user demands, negation of what is kept, and what English needs.

The first two never give way; grammar does, to a limit that cannot be met with it.
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
