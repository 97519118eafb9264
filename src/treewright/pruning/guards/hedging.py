"""Words that take back what they stand by, short of a negation: `almost`, `allegedly`, `deny`.

Without them something else is said, so that they are held like negations.
"""

from __future__ import annotations

from treewright.pruning.guards.holding import Holder
from treewright.trees import Tree
from treewright.trees.heads import word_set

_ADVERBS = word_set("almost nearly allegedly reportedly supposedly purportedly falsely")
_PAIRS = {("yet", "to"), ("far", "from"), ("supposed", "to")}
_VERBS = tuple(
    word_set(
        "deny denie denied refus fail declin doubt reject dismiss avoid prevent forbid forbad"
        " recommend suggest demand urg wish hope hoping fear threaten pretend"
    )
)
"""How verbs begin that do not say that what they govern is so."""


def qualifying(tree: Tree) -> frozenset[int]:
    """Return the nodes, in preorder, that never go while their parent stays."""
    holder = Holder(tree)
    for place, word in enumerate(holder.words):
        tag = holder.tag(place)
        follows = (word, holder.word(place + 1)) in _PAIRS
        if follows:
            holder.bind(place, place + 1)
            holder.hold_to_next(place + 1)
        elif word in _ADVERBS and tag == "RB":
            holder.hold_to_next(place)
        elif tag.startswith("VB") and word.startswith(_VERBS):
            holder.held.add(holder.leaves[place])
    return frozenset(holder.held)
