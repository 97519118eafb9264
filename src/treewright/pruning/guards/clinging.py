"""What cannot stay if its neighbour goes.

If what follows goes: `to` and `may` before their verb, `facing` before its object, `we` before its
predicate, `whose name` before its clause, `and then` and `so` before what they join, `moments`
before `after …`, `14 km` before `from …`, `as` before `odd and old`. If what precedes goes:
`that we sent` and `, a record` after a noun.

Where trees are right, what a verb needs is held already (`grammar.py`). Here no more is asked than
that two siblings follow each other, so that it works in flat and wrong trees as well.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treewright.pruning.gaps import Gaps
from treewright.trees import PUNCTUATION_TAGS, TreeTable, word_set

_BEFORE_VERBS = word_set("TO MD")
_VERBAL = word_set("VP VB VBN VBG")
_FINITE = word_set("VBD VBP VBZ MD")
_ADVERBIAL = word_set("ADVP RB")
_JOINING = word_set("CC CONJP")
_JOINED = word_set("S SBAR SINV SQ VP NP PP ADJP VB VBD VBG VBN VBP VBZ")
_MEASURING = word_set("NP ADVP NN NNS RB")
_PREPOSITIONAL = word_set("PP WHPP")
_PREPOSITIONS = word_set("IN TO")
_OBJECTS = word_set("NP NX NML NN NNS NNP NNPS PRP CD S SBAR VP ADJP QP WHNP ADVP PP IN")
_TIMED = word_set("SBAR PP S")
_TIMES = word_set(
    "moments seconds minutes hours days weeks months years decades shortly soon just long even ever"
)
_SINCE = word_set("after before since later")
_LENGTHS = word_set(
    "km kilometre kilometres kilometer kilometers mile miles m metre metres meter meters yard yards"
    " foot feet inch inches cm mm"
)
_ALONG = word_set(
    "from west east north south northwest northeast southwest southeast north-west north-east"
    " south-west south-east away behind ahead above below beneath beyond off apart upstream"
    " downstream inland offshore short"
)
_SUBJECTS = word_set("i we he she they")
_MAYBE_SUBJECTS = word_set("it you there this these those")
_SO = word_set("so yet hence thus")
_CLAUSES = word_set("S SBAR SINV SQ")
_RELATIVE = word_set("WDT WP WP$ WHNP WHPP")
_PREDICATES = _FINITE | {"VP"}
_CLINGING = _BEFORE_VERBS | _RELATIVE | _ADVERBIAL | _MEASURING | word_set("VBG NP PRP IN")
"""The labels of what may not be able to stay alone."""
_NOMINAL = word_set("NP PP QP NX NML NAC WHNP NN NNS NNP NNPS PRP CD")
_HOSTS = _NOMINAL - {"PP"}
"""Where what follows a noun belongs, and grammar.py looks after it."""


def clinging_gaps(source: TreeTable, gaps: Gaps) -> NDArray[np.bool_]:
    """Return which gaps drop the phrase beside one that cannot stay alone."""
    labels = source.labels
    # The last entry is that of no child, at the edge of a phrase.
    nominal = np.array([*[label in _NOMINAL for label in labels], False], dtype=np.bool_)
    clinging, following = np.zeros_like(nominal), np.zeros_like(nominal)
    # The last child that a preposition governs, where grammar does not hold it.
    governed = np.full(len(nominal), len(nominal))
    cling: list[int] = []
    follow: list[int] = []
    for parent, children in enumerate(source.children):
        if len(children) < 2:
            continue
        if labels[parent] in _PREPOSITIONAL and labels[children[0]] in _PREPOSITIONS:
            content = [x for x in children[1:] if labels[x] not in PUNCTUATION_TAGS]
            if content and labels[content[-1]] not in _OBJECTS:
                governed[children[0]] = content[-1]
        cling += [
            x
            for at, x in enumerate(children[:-1])
            if labels[x] in _CLINGING and _clings(source, children, at)
        ]
        if labels[parent] not in _HOSTS:
            for place, x in enumerate(children[1:], start=1):
                if labels[x] in ("SBAR", "NP"):
                    follow += _following(source, children, place)
    clinging[cling] = True
    following[follow] = True
    drops = gaps.first >= 0
    begins = gaps.resumes == 0
    alone = clinging[gaps.left] & begins
    alone |= (gaps.last >= governed[gaps.left]) & begins
    parted = following[gaps.right] & ~(nominal[gaps.left] & begins) & ~gaps.pauses
    broken: NDArray[np.bool_] = drops & (alone | parted)
    return broken


def _clings(source: TreeTable, children: list[int], place: int) -> bool:
    """Whether a child whose label is `_CLINGING` cannot stay without the next one."""
    labels = source.labels
    label, behind = labels[children[place]], labels[children[place + 1]]
    if label in _BEFORE_VERBS:
        return behind in _VERBAL
    if label == "VBG":
        return behind == "NP"
    if label in _RELATIVE and behind in ("S", "VP"):
        return True
    if label in ("NP", "PRP") and behind in _PREDICATES:
        word = _only_word(source, children[place])
        verb = labels[source.leaves[source.left[children[place + 1]]]]
        return word in _SUBJECTS or (word in _MAYBE_SUBJECTS and verb in _FINITE)
    if label in _ADVERBIAL and place and labels[children[place - 1]] in _JOINING:
        return behind in _JOINED
    if (label in _ADVERBIAL or label == "IN") and place > 1 and behind in _CLAUSES:
        first, mark = labels[children[place - 2]], labels[children[place - 1]]
        joins = first in _CLAUSES and mark in (",", ":")
        if joins and _only_word(source, children[place]) in _SO:
            return True
    if label in _MEASURING:
        aside = behind == "PRN" and place + 2 < len(children)
        return _measures(source, children[place], children[place + 1 + aside])
    return False


def _measures(source: TreeTable, node: int, behind: int) -> bool:
    """Whether a phrase says how long before, or how far from, what another one says."""
    unit, start = source.lower[source.right[node] - 1], source.lower[source.left[behind]]
    if source.labels[behind] in _TIMED and unit in _TIMES and start in _SINCE:
        return True
    return unit in _LENGTHS and start in _ALONG


def _following(source: TreeTable, children: list[int], place: int) -> list[int]:
    """Return a clause or noun phrase that says more of the nominal phrase before it, with the comma
    between them.

    That is a relative clause, or a noun phrase in a predicate after a comma, not one of a list; no
    child if this one is neither.
    """
    labels, child = source.labels, children[place]
    comma = place > 1 and labels[children[place - 1]] == ","
    if labels[children[place - 1 - comma]] not in _NOMINAL:
        return []
    if labels[child] == "SBAR":
        leaf = source.leaves[source.left[child]]
        # `told him which bus left` is a question.
        asks = (
            labels[source.parent[leaf]] != "SBAR" and len(source.children[source.parent[leaf]]) > 1
        )
        follows = not asks and (labels[leaf] == "WDT" or (comma and labels[leaf] == "WP"))
    else:
        beside = [labels[x] for x in children]
        listed = beside.count(",") > 1 or not _JOINING.isdisjoint(beside)
        predicate = labels[source.parent[child]] == "VP"
        follows = comma and predicate and labels[child] == "NP" and not listed
    return children[place - comma : place + 1] if follows else []


def _only_word(source: TreeTable, node: int) -> str:
    """Return the word of a phrase that has one, in lower case, and nothing for a longer one."""
    first, end = source.left[node], source.right[node]
    return source.lower[first] if end - first == 1 else ""
