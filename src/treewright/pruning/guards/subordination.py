"""A clause that says when, where, why or on what condition stays only with what it is said of."""

from __future__ import annotations

from functools import lru_cache

from treewright.pruning.needing import Need
from treewright.text import is_word
from treewright.trees import TreeTable, word_set

_CLAUSES = word_set("S SINV SQ")
_MAIN = _CLAUSES | {"VP"}
_MARKS = word_set("IN WHADVP")
_RECENT = 64
"""How many sentences are remembered."""
_SHORT = (["so", ","], ["not", ","])
"""What stands for a whole clause after `if`."""
_VERBS = word_set("VB VBD VBZ VBP VBG VBN MD")


@lru_cache(maxsize=_RECENT)
def main_clauses(source: TreeTable) -> tuple[Need, ...]:
    """Return what subordinate clauses need: a verb of the clause beside them.

    Of `if it rains, close the window and call us`, either order may go, but not both. `If so` needs
    anything of what comes after it.
    """
    needs = []
    for place, word in enumerate(source.lower):
        if word == "if" and source.lower[place + 1 : place + 3] in _SHORT:
            after = [at for at in range(place + 3, len(source.words)) if is_word(source.words[at])]
            needs += [Need(frozenset({place + 1}), frozenset(after))] if after else []
    for node, label in enumerate(source.labels):
        if not node or label != "SBAR" or source.labels[source.parent[node]] not in _CLAUSES:
            continue
        mark = source.children[node][0] if source.children[node] else node
        if source.labels[mark] not in _MARKS or source.lower[source.left[node]] == "that":
            continue
        beside = [x for x in source.children[source.parent[node]] if source.labels[x] in _MAIN]
        verbs = {
            at
            for x in beside
            for at in source.span(x)
            if source.labels[source.leaves[at]] in _VERBS
        }
        if verbs:
            needs.append(Need(frozenset(source.span(mark)), frozenset(verbs)))
    return tuple(needs)
