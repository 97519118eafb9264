"""Conjunctions stay between what they join, and commas stay in pairs.

No `and` before nothing, no two conjuncts without it, no comma that opens and never closes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treewright.pruning.gaps import Gaps
from treewright.pruning.guards import _kernels
from treewright.trees import PUNCTUATION_TAGS, TreeTable, word_set

_EMPTY = frozenset({",", ":", ".", "CC", "CONJP", "SYM", "HYPH", "''", "-RRB-"})
_KINDS = dict.fromkeys(PUNCTUATION_TAGS, _kernels.MARK) | {
    "CC": _kernels.CONJUNCTION,
    "CONJP": _kernels.CONJUNCTIONS,
    ",": _kernels.COMMA,
}

_CATEGORIES = dict.fromkeys(("NN", "NNS", "NNP", "NNPS", "NML", "NX"), "NP")
_CATEGORIES |= dict.fromkeys(("VB", "VBD", "VBG", "VBN", "VBP", "VBZ"), "VP")
_CATEGORIES |= dict.fromkeys(("JJ", "JJR", "JJS"), "ADJP")
"""Words that are joined to phrases: `John and his sister`."""
_NUMBERS = {
    "VP": _kernels.VERBAL,
    "S": _kernels.CLAUSE,
    "PP": _kernels.PREPOSITIONAL,
    "ADVP": _kernels.ADVERBIAL,
    "SBAR": _kernels.SUBORDINATE,
    "NP": _kernels.NOMINAL,
}
_OPENING = word_set("TO VBG VBN")
_PREDICATING = word_set("VP S")
_CLAUSAL = word_set("S SBAR")
_ADDING = word_set("PP ADVP NP CC CONJP")
_APART = word_set("CC CONJP :")


def leading_gaps(source: TreeTable, gaps: Gaps) -> NDArray[np.bool_]:
    """Return which gaps leave a mark or a conjunction at the beginning of a phrase.

    Without them, something of a phrase that stays is always a word with something to say.
    """
    empty = np.array([label in _EMPTY for label in source.labels])
    opens = (gaps.left < 0) | (gaps.resumes == 2)
    leading: NDArray[np.bool_] = opens & (gaps.first >= 0) & (gaps.right >= 0) & ~gaps.pauses
    leading &= empty[gaps.right]
    return leading


def parting_gaps(source: TreeTable, gaps: Gaps) -> NDArray[np.bool_]:
    """Return which gaps leave a conjunction without one of its sides, or the sides without it.

    A conjunction that begins its phrase in the source may still do so. A comma alone joins nothing:
    `A, B and C` becomes `A and C`, `A and B` or `A`, never `A, B`, even if the tree has put A and B
    together. What `and` joins to a clause is
    a clause, even if the noun before both stays. Gaps that leave only one of the two commas around
    an aside are included too.
    """
    labels = source.labels
    kinds = [_KINDS.get(label, _kernels.OTHER) for label in labels]
    late = np.zeros(len(kinds), dtype=np.bool_)
    late[[last for node in _with_commas(source) for last in _joined_late(source, node)[1:]]] = True
    joined = [
        _clause(source, node) if label in _CLAUSAL else _CATEGORIES.get(label, label)
        for node, label in enumerate(labels)
    ]
    others = [name for name in dict.fromkeys(joined) if name not in _NUMBERS]
    numbers = _NUMBERS | {name: place for place, name in enumerate(others, start=len(_NUMBERS))}
    categories = [numbers[name] for name in joined]
    parting: NDArray[np.bool_] = _kernels.parting_gaps(
        gaps[:],
        source.arrays[:],
        np.array(kinds, dtype=np.int8),
        np.array(categories, dtype=np.int16),
        late,
    )
    return parting


def emptying_gaps(source: TreeTable, gaps: Gaps) -> NDArray[np.bool_]:
    """Return which gaps drop all of several predicates or clauses of a sentence, and keep what was
    said of them: `if it rains` of `if it rains, go home and wait`.
    """
    emptying = np.zeros(len(gaps.parent), dtype=np.bool_)
    for node, label in enumerate(source.labels):
        if label != "S" or len(source.children[node]) < 3:
            continue
        content = [x for x in source.children[node] if source.labels[x] not in PUNCTUATION_TAGS]
        joined = [x for x in content if source.labels[x] in _PREDICATING]
        if len(joined) < 2 or not all(x in joined or _only_adds(source, x) for x in content):
            continue
        own = slice(gaps.pointer[node], gaps.pointer[node + 1])
        dropped = (gaps.first[own] >= 0) & (gaps.first[own] <= joined[0])
        dropped &= (gaps.last[own] >= joined[-1]) & ~gaps.pauses[own]
        emptying[own] |= dropped
    return emptying


def _only_adds(source: TreeTable, node: int) -> bool:
    """Whether a child of a sentence is none without the others."""
    label = source.labels[node]
    return label in _ADDING or (label == "SBAR" and source.labels[node + 1] not in _PREDICATING)


def late_joints(source: TreeTable) -> list[int]:
    """Return the conjunctions in the last of several predicates that only commas join, and the
    nodes between the two.

    They join them all, wherever the parser has put them: `we waited, were served soup and paid`.
    """
    found: list[int] = []
    for node in _with_commas(source):
        if source.labels[node] != "VP":
            continue
        for last in _joined_late(source, node)[:1]:
            x = next((x for x in reversed(_leaves(source, last)) if source.labels[x] == "CC"), last)
            while x != last:
                found.append(x)
                x = source.parent[x]
    return found


def _leaves(source: TreeTable, node: int) -> list[int]:
    return source.leaves[source.left[node] : source.right[node]]


def _with_commas(source: TreeTable) -> list[int]:
    """Return the predicates and clauses with a comma among their children."""
    above = {source.parent[x] for x, label in enumerate(source.labels) if label == ","}
    return sorted(x for x in above if source.labels[x] in _PREDICATING)


def _joined_late(source: TreeTable, node: int) -> list[int]:
    """Return the last child of a node for every other one of the same form, if it is a predicate
    that a comma alone parts from them.
    """
    children, labels = source.children[node], source.labels
    if not _APART.isdisjoint([labels[x] for x in children]):
        return []
    content = [x for x in children if labels[x] not in PUNCTUATION_TAGS]
    last = content[-1] if content else node
    if labels[last] != "VP" or last == node or labels[children[source.place[last] - 1]] != ",":
        return []
    form = _first_tag(source, last)
    others = [x for x in content[:-1] if labels[x] in _PREDICATING]
    return [last for x in others if _first_tag(source, x) == form]


def _first_tag(source: TreeTable, node: int) -> str:
    return source.labels[source.leaves[source.left[node]]]


def _clause(source: TreeTable, node: int) -> str:
    """Return what a clause can be joined to: `to leave, she stood` are no two of a list, but
    an order may be joined to a predicate, and a clause that nothing subordinates is one.
    """
    below = source.labels[node + 1]
    if source.labels[node] == "SBAR":
        return "S" if below == "S" else "SBAR"
    if below != "VP":
        return "S"
    first = _first_tag(source, node)
    if first in _OPENING:
        return f"S {first}"
    return "VP" if first == "VB" and len(source.children[node]) == 1 else "S"
