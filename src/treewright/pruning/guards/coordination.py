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
}
_OPENING = word_set("TO VBG VBN")


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
    joined = [
        _clause(source, node) if label == "S" else _CATEGORIES.get(label, label)
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
    )
    return parting


def _clause(source: TreeTable, node: int) -> str:
    """Return what a clause can be joined to: `to leave, she stood` are no two clauses of a list."""
    first = source.labels[source.leaves[source.left[node]]]
    opens = first in _OPENING and source.labels[node + 1] == "VP"
    return f"S {first}" if opens else "S"
