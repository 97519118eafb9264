"""What may not be deleted: what a user demands, negation of what is kept, and what English needs.

The first two never give way; grammar does, to a limit that cannot be met with it.
"""

from treewright.pruning.guards.articles import clashing_gaps
from treewright.pruning.guards.coordination import parting_gaps
from treewright.pruning.guards.grammar import essential, head_ties
from treewright.pruning.guards.hedging import qualifying
from treewright.pruning.guards.keeping import CLASSES, Keep, demanded
from treewright.pruning.guards.negation import inseparable, negation_words

__all__ = [
    "CLASSES",
    "Keep",
    "clashing_gaps",
    "demanded",
    "essential",
    "head_ties",
    "inseparable",
    "negation_words",
    "parting_gaps",
    "qualifying",
]
