"""What may never be deleted: words a user demands, and negation of something that is kept."""

from treewright.compression.guards.articles import clashing_gaps
from treewright.compression.guards.grammar import essential, head_ties
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
]
