"""Words that qualify what they belong to, short of negating it: `almost`, `allegedly`, `deny`.

Without them the sentence says something else, so they are held like negations.
"""

from __future__ import annotations

from treewright.pruning.guards.holding import Holder
from treewright.trees import TreeTable, word_set

_ADVERBS = word_set("almost nearly allegedly reportedly supposedly purportedly falsely")
_PAIRS = {"yet": "to", "far": "from", "supposed": "to"}
_VERBS = tuple(
    word_set(
        "deny denie denied refus fail declin doubt reject dismiss avoid prevent forbid forbad"
        " recommend suggest demand urg wish hope hoping fear threaten pretend"
    )
)
"""Beginnings of verbs that do not assert what they govern."""


def qualifying(source: TreeTable) -> frozenset[int]:
    """Return the nodes, in preorder, that are never dropped while their parent stays."""
    holder = Holder(source)
    for place, word in enumerate(holder.words):
        if word in _PAIRS and holder.word(place + 1) == _PAIRS[word]:
            holder.bind(place, place + 1)
            holder.hold_to_next(place + 1)
        elif word in _ADVERBS:
            if holder.tag(place) == "RB":
                holder.hold_to_next(place)
        elif word.startswith(_VERBS) and holder.tag(place).startswith("VB"):
            holder.held.add(holder.leaves[place])
    return frozenset(holder.held)
