"""Parts of a phrase that may go whole, together with what carries the claim inside them.

A denial or a bound is held to the clause that the tree puts it in. But a whole part between commas
or conjunctions takes all that its words are about with it, wherever the tree has attached them: of
`Ann left, not because she was tired, but because it was late`, `Ann left` is as true.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treewright.pruning.gaps import Gaps
from treewright.pruning.guards.lexicon import is_negative, plain
from treewright.text import is_word
from treewright.trees import PUNCTUATION_TAGS, TreeTable, word_set

Bools = NDArray[np.bool_]

_MARKS = PUNCTUATION_TAGS - {"``", "-RRB-", "PU"}
_JOINTS = word_set("CC CONJP")
_ADVERBIAL = word_set("PP ADVP RB RBR RBS WHADVP IN")
_OPENERS = word_set("both either neither between whether")
_OPPOSED = word_set("but nor yet rather")


def whole_parts(source: TreeTable, gaps: Gaps, chosen: Bools) -> Bools:
    """Return which of the `chosen` gaps drop whole parts of a phrase, and nothing else.

    A part ends where its phrase does or before a mark, and begins behind a mark, or with one or
    with a conjunction; one that opens its phrase ends with a mark. An adverbial in the middle or at
    the beginning is none: `it is, by no means, over`. Nor is what belongs to a word before it:
    `neither … nor`, `not … but`.
    """
    parts = np.zeros(len(chosen), dtype=np.bool_)
    plain_gaps = chosen & (gaps.resumes == 0) & ~gaps.pauses & (gaps.first >= 0)
    for gap in np.flatnonzero(plain_gaps).tolist():
        ends = [int(x[gap]) for x in (gaps.parent, gaps.left, gaps.first, gaps.last, gaps.right)]
        parts[gap] = _is_part(source, *ends)
    return parts


def _is_part(source: TreeTable, parent: int, left: int, first: int, last: int, right: int) -> bool:
    labels = source.labels
    joined = labels[first] in _JOINTS
    parted = labels[first] in _MARKS or joined or (left >= 0 and labels[left] in _MARKS)
    if not (parted or left < 0):
        return False
    marked = labels[last] in _MARKS
    if not (marked if left < 0 else marked or right < 0 or labels[right] in _MARKS):
        return False
    dropped = source.children[parent][source.place[first] : source.place[last] + 1]
    content = [labels[x] for x in dropped if labels[x] not in PUNCTUATION_TAGS]
    closes = right < 0 or labels[right] == "."
    if not closes and all(label in _ADVERBIAL for label in content):
        return False
    return not _is_listed(source, dropped, left, right) and not _is_answered(source, dropped)


def _is_listed(source: TreeTable, dropped: list[int], left: int, right: int) -> bool:
    """Whether the part ends with a comma that stands between two of a list.

    An aside is followed by something else than it is itself: `the reeds, each a thumb thick, bent`.
    """
    labels, parent = source.labels, source.parent[dropped[0]]
    if labels[dropped[-1]] != ",":
        return False
    if right < 0:
        behind = source.children[source.parent[parent]][source.place[parent] + 1 :]
        return parent > 0 and any(labels[x] == labels[parent] for x in behind)
    if left < 0:
        return False
    content = next((x for x in dropped if labels[x] not in PUNCTUATION_TAGS), dropped[0])
    before, own, after = [_coarse(labels[x]) for x in (left, content, right)]
    return after in (before, own) or (own == before and after != "V")


def _coarse(label: str) -> str:
    """Return what kind of phrase a label is of, by its first letter: verbs, nouns, clauses."""
    return "V" if label == "MD" else label[:1]


def _is_answered(source: TreeTable, dropped: list[int]) -> bool:
    """Whether the part answers to words before it, or is answered by those after it:
    `neither … nor`, `not … but`.
    """
    own = range(source.left[dropped[0]], source.right[dropped[-1]])
    before, behind = range(own.start), range(own.stop, len(source.words))
    if any(source.labels[x] in _JOINTS for x in dropped) and _has_opener(source, before):
        return True
    if _opposes(source, own) and _denies(
        source, range(source.left[source.parent[dropped[0]]], own.start)
    ):
        return True
    return _opposes(source, behind) and (_denies(source, own) or _has_opener(source, own))


def _has_opener(source: TreeTable, places: range) -> bool:
    return any(plain(source.words[place]) in _OPENERS for place in places)


def _denies(source: TreeTable, places: range) -> bool:
    return any(is_negative(source.words, place) for place in places)


def _opposes(source: TreeTable, places: range) -> bool:
    """Whether a stretch begins with `but` or the like."""
    words = [plain(word) for word in source.words[places.start : places.stop][:2]]
    return bool(words) and (
        words[0] in _OPPOSED or (not is_word(words[0]) and words[-1] in _OPPOSED)
    )
