"""What cannot stay if what follows it goes: `to` and `may` before their verb, `facing` before its
object, `we` before its predicate, `and then` and `so` before what they join, `moments` before
`after …`.

Where trees are right, what a verb needs is held already (`grammar.py`). Here no more is asked than
that two siblings follow each other, so that it works in flat and wrong trees as well.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treewright.pruning.gaps import Gaps
from treewright.trees import TreeTable, word_set

_BEFORE_VERBS = word_set("TO MD")
_VERBAL = word_set("VP VB VBN VBG")
_FINITE = word_set("VBD VBP VBZ MD")
_ADVERBIAL = word_set("ADVP RB")
_JOINING = word_set("CC CONJP")
_JOINED = word_set("S SBAR SINV SQ VP NP PP ADJP VB VBD VBG VBN VBP VBZ")
_MEASURING = word_set("NP ADVP NN NNS")
_TIMED = word_set("SBAR PP S")
_TIMES = word_set(
    "moments seconds minutes hours days weeks months years decades shortly soon just long even ever"
)
_SINCE = word_set("after before since later")
_SUBJECTS = word_set("i we he she they")
_MAYBE_SUBJECTS = word_set("it you there this these those")
_SO = word_set("so yet hence thus")
_CLAUSES = word_set("S SBAR SINV SQ")


def clinging_gaps(source: TreeTable, gaps: Gaps) -> NDArray[np.bool_]:
    """Return which gaps drop the phrase behind one that cannot stay alone."""
    clinging = np.zeros(len(source.labels), dtype=np.bool_)
    for children in source.children:
        for place in range(len(children) - 1):
            clinging[children[place]] = _clings(source, children, place)
    broken: NDArray[np.bool_] = (gaps.left >= 0) & (gaps.first >= 0) & (gaps.resumes == 0)
    broken &= clinging[gaps.left]
    return broken


def _clings(source: TreeTable, children: list[int], place: int) -> bool:
    """Whether a child cannot stay without the next one."""
    label, behind = (source.labels[x] for x in children[place : place + 2])
    if label in _BEFORE_VERBS:
        return behind in _VERBAL
    if label == "VBG":
        return behind == "NP"
    if label in ("NP", "PRP") and behind in ("VP", *_FINITE):
        word = _only_word(source, children[place])
        verb = source.labels[source.leaves[source.left[children[place + 1]]]]
        return word in _SUBJECTS or (word in _MAYBE_SUBJECTS and verb in _FINITE)
    if label in _ADVERBIAL and place and source.labels[children[place - 1]] in _JOINING:
        return behind in _JOINED
    if label in (*_ADVERBIAL, "IN") and place > 1 and behind in _CLAUSES:
        first, mark = (source.labels[x] for x in children[place - 2 : place])
        joins = first in _CLAUSES and mark in (",", ":")
        return joins and _only_word(source, children[place]) in _SO
    if label in _MEASURING and behind in _TIMED:
        seam = source.left[children[place + 1]]
        before, after = (word.lower() for word in source.words[seam - 1 : seam + 1])
        return before in _TIMES and after in _SINCE
    return False


def _only_word(source: TreeTable, node: int) -> str:
    """Return the word of a phrase that has one, in lower case, and nothing for a longer one."""
    first, end = source.left[node], source.right[node]
    return source.words[first].lower() if end - first == 1 else ""
