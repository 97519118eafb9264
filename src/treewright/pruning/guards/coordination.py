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
    kinds = [_KINDS.get(label, _kernels.OTHER) for label in source.labels]
    numbers = dict(_NUMBERS)
    found = [_joined_late(source, node) for node in range(len(source))]
    late = np.zeros(len(kinds), dtype=np.bool_)
    late[[last for last, others in found if others > 1]] = True
    categories = [
        numbers.setdefault(_category(source, node), len(numbers)) for node in range(len(source))
    ]
    parting: NDArray[np.bool_] = _kernels.parting_gaps(
        gaps,
        source.arrays,
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
        if label != "S":
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


def late_joint(source: TreeTable, node: int) -> list[int]:
    """Return the last conjunction in the last of several predicates that only commas join, and the
    nodes between the two, from above.

    It joins them all, wherever the parser has put it: `we waited, were served soup and paid`.
    """
    last, _ = _joined_late(source, node)
    if last < 0 or source.labels[node] != "VP":
        return []
    places = reversed(source.span(last))
    joints = [source.leaves[at] for at in places if source.labels[source.leaves[at]] == "CC"][:1]
    path: list[int] = []
    for x in joints:
        while x != last:
            path.append(x)
            x = source.parent[x]
    return path[::-1]


def _joined_late(source: TreeTable, node: int) -> tuple[int, int]:
    """Return the last child of a node if it is a predicate and a comma alone parts it from others
    of the same form, and the number of these; -1 and 0 if not.
    """
    children, labels = source.children[node], source.labels
    if labels[node] not in _PREDICATING or len(children) < 3:
        return -1, 0
    own = [labels[x] for x in children]
    if "," not in own or not _APART.isdisjoint(own):
        return -1, 0
    content = [x for x in children if labels[x] not in PUNCTUATION_TAGS]
    last = content[-1]
    if labels[last] != "VP" or labels[children[source.place[last] - 1]] != ",":
        return -1, 0
    form = _first_tag(source, last)
    alike = [x for x in content[:-1] if labels[x] in ("VP", "S") and _first_tag(source, x) == form]
    return (last, len(alike)) if alike else (-1, 0)


def _first_tag(source: TreeTable, node: int) -> str:
    return source.labels[source.leaves[source.left[node]]]


def _category(source: TreeTable, node: int) -> str:
    """Return what a node can be joined to: `to leave, she stood` are no two clauses of a list, but
    an order may be joined to a predicate, and a clause that nothing subordinates is one.
    """
    label = source.labels[node]
    if label == "S":
        if source.labels[node + 1] != "VP":
            return label
        first = _first_tag(source, node)
        if first in _OPENING:
            return f"S {first}"
        return "VP" if first == "VB" and len(source.children[node]) == 1 else label
    if label == "SBAR" and source.labels[node + 1] == "S":
        return "S"
    return _CATEGORIES.get(label, label)
