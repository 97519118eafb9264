"""What may not be deleted: what a user demands, negation of what is kept, and what English needs.

The first two never give way; grammar does, to a limit that cannot be met with it.
"""

from treewright.compression.guards.articles import clashing_gaps
from treewright.compression.guards.coordination import parting_gaps
from treewright.compression.guards.grammar import essential, head_ties
from treewright.compression.guards.hedging import qualifying
from treewright.compression.guards.keeping import CLASSES, Keep, demanded
from treewright.compression.guards.negation import inseparable, negation_words

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
