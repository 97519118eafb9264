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
    return not _is_answered(source, parent, dropped)


def _is_answered(source: TreeTable, parent: int, dropped: list[int]) -> bool:
    """Whether the part answers to words before it in its phrase, or is answered by those after it:
    `neither … nor`, `not … but`.
    """
    own = range(source.left[dropped[0]], source.right[dropped[-1]])
    before = range(source.left[parent], own.start)
    opening = [plain(source.words[place]) for place in before]
    if not _OPENERS.isdisjoint(opening):
        return True
    if _opposes(source, own) and any(is_negative(source.words, place) for place in before):
        return True
    return _opposes(source, range(own.stop, len(source.words))) and any(
        is_negative(source.words, place) or plain(source.words[place]) in _OPENERS for place in own
    )


def _opposes(source: TreeTable, places: range) -> bool:
    """Whether a stretch begins with `but` or the like."""
    words = [plain(word) for word in source.words[places.start : places.stop][:2]]
    return bool(words) and (
        words[0] in _OPPOSED or (not is_word(words[0]) and words[-1] in _OPPOSED)
    )
