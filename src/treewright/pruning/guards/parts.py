"""Parts of a phrase that may go whole, together with what carries the claim inside them.

A denial or a bound is held to the clause that the tree puts it in. But a whole part between commas
or conjunctions takes all that its words are about with it, wherever the tree has attached them: of
`Ann left, not because she was tired, but because it was late`, `Ann left` is as true.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from treewright.arrays import Bools
from treewright.pruning.gaps import Gaps
from treewright.pruning.guards.lexicon import is_negative, may_negate, straight_words
from treewright.text import is_word
from treewright.trees import PUNCTUATION_TAGS, TreeTable, word_set

_MARKS = PUNCTUATION_TAGS - {"``", "-RRB-", "PU"}
_JOINTS = word_set("CC CONJP")
_ADVERBIAL = word_set("PP ADVP RB RBR RBS WHADVP IN")
_NOMINAL = word_set("NP NX NML NN NNS NNP NNPS QP")
_CLAUSES = word_set("SBAR SINV SQ SBARQ")
_FINITE = word_set("VBD VBP VBZ MD")
_OPENERS = word_set("both either neither between whether")
_OPPOSED = word_set("but nor yet rather")
_LIMITING = _OPPOSED | word_set("though although albeit while even except only")


def whole_parts(source: TreeTable, gaps: Gaps, chosen: Bools, opening: Collection[int]) -> Bools:
    """Return which of the `chosen` gaps drop whole parts of a phrase, and nothing else.

    A part ends where its phrase does or before a mark, and begins behind a mark, or with one or
    with a conjunction; one that opens its phrase ends with a mark. What belongs to a word before it
    is none (`neither … nor`, `not … but`), nor is what limits the words before it: what begins with
    one of the `opening` places, or denies something without a clause of its own
    (`but never after dark`).
    """
    parts = np.zeros(len(chosen), dtype=np.bool_)
    possible = np.flatnonzero(chosen & _is_set_off(source, gaps))
    if len(possible):
        finder = _Finder(source, opening)
        columns = (gaps.parent, gaps.left, gaps.first, gaps.last, gaps.right)
        ends = zip(*[column[possible].tolist() for column in columns], strict=True)
        parts[possible] = [finder.is_part(*each) for each in ends]
    return parts


def _is_set_off(source: TreeTable, gaps: Gaps) -> Bools:
    """Return which gaps drop a run of children, without a pause, that marks or conjunctions set off
    from both of its neighbours.
    """
    labels = source.labels
    # The last entry is that of no child, at the edge of a phrase.
    mark = np.array([*[label in _MARKS for label in labels], False])
    joint = np.array([*[label in _JOINTS for label in labels], False])
    at_start, at_end, closed = gaps.left < 0, gaps.right < 0, mark[gaps.last]
    begins = at_start | mark[gaps.first] | joint[gaps.first] | mark[gaps.left]
    ends = closed | (~at_start & (at_end | mark[gaps.right]))
    set_off: Bools = begins & ends & (gaps.resumes == 0) & ~gaps.pauses & (gaps.first >= 0)
    return set_off


class _Finder:
    """One sentence, its denials, and the words that ask for another."""

    def __init__(self, source: TreeTable, opening: Collection[int]) -> None:
        self.source = source
        self.labels = source.labels
        self.opening = opening
        self.words = straight_words(source.lower)
        self.denials = [
            place
            for place, word in enumerate(self.words)
            if may_negate(word) and is_negative(source.words, place)
        ]
        self.openers = [place for place, word in enumerate(self.words) if word in _OPENERS]

    def is_part(self, parent: int, left: int, first: int, last: int, right: int) -> bool:
        """Whether the children of a node from `first` to `last`, set off between two that stay, are
        one.
        """
        labels, source = self.labels, self.source
        dropped = source.children[parent][source.place[first] : source.place[last] + 1]
        content = [x for x in dropped if labels[x] not in PUNCTUATION_TAGS]
        closes = right < 0 or labels[right] == "."
        if not closes and all(labels[x] in _ADVERBIAL for x in content):
            return False
        if self._is_listed(dropped, left, right) or self._is_answered(dropped):
            return False
        return not self._limits(content)

    def _is_listed(self, dropped: list[int], left: int, right: int) -> bool:
        """Whether the part ends with a comma that stands between two of a list.

        An aside is followed by something else than it is itself: `the reeds, each a thumb thick,
        bent`.
        """
        labels, source = self.labels, self.source
        if labels[dropped[-1]] != ",":
            return False
        parent = source.parent[dropped[0]]
        if right < 0:
            siblings = source.children[source.parent[parent]] if parent else []
            return any(labels[x] == labels[parent] for x in siblings[source.place[parent] + 1 :])
        if left < 0:
            return False
        content = next((x for x in dropped if labels[x] not in PUNCTUATION_TAGS), dropped[0])
        before, own, after = [_coarse(labels[x]) for x in (left, content, right)]
        return after in (before, own) or (own == before and after != "V")

    def _is_answered(self, dropped: list[int]) -> bool:
        """Whether the part answers to words before it, or is answered by those after it:
        `neither … nor`, `not … but`.
        """
        source = self.source
        start, end = source.left[dropped[0]], source.right[dropped[-1]]
        joins = any(self.labels[x] in _JOINTS for x in dropped)
        if joins and any(place < start for place in self.openers):
            return True
        phrase = source.left[source.parent[dropped[0]]]
        if self._opposes(start) and any(phrase <= place < start for place in self.denials):
            return True
        inside = [*self.denials, *self.openers]
        return self._opposes(end) and any(start <= place < end for place in inside)

    def _opposes(self, start: int) -> bool:
        """Whether a stretch begins with `but` or the like, behind a mark or not."""
        words = self.words[start : start + 2]
        if words and not is_word(words[0]):
            words = words[1:]
        return not _OPPOSED.isdisjoint(words[:1])

    def _limits(self, content: list[int]) -> bool:
        """Whether the part limits what stands before it.

        A clause makes a claim of its own, and so does another thing (`and no bath`); what stands
        beside a noun or is denied in its place only adds (`, not the noise,`).
        """
        source, labels = self.source, self.labels
        own = [x for x in content if not self._is_clause(x)]
        joints = [x for x in own if labels[x] in _JOINTS]
        rest = [x for x in own if x not in joints]
        if not rest or self._gives_reasons(content, rest):
            return False
        first = source.left[rest[0]]
        words = {self._word(x) for x in (*joints, rest[0])}
        if first in self.opening or not words.isdisjoint(_LIMITING):
            return True
        denied = [x for x in rest if any(place in source.span(x) for place in self.denials)]
        if not denied:
            return False
        if self.words[first] == "not" and not joints:
            behind = content[1:] if labels[rest[0]] in _ADVERBIAL else content
            return not behind or any(labels[x] not in _NOMINAL for x in behind)
        if first in self.denials:
            return not joints or any(labels[x] not in _NOMINAL for x in rest)
        return any(labels[x] not in _NOMINAL for x in denied)

    def _gives_reasons(self, content: list[int], rest: list[int]) -> bool:
        """Whether the part only says why, and why not: `not because …, but because …`."""
        source, labels = self.source, self.labels
        clauses = [x for x in content if labels[x] == "SBAR"]
        spare = all(source.left[x] in self.denials and labels[x] in _ADVERBIAL for x in rest)
        return spare and bool(clauses) and all(self._word(x) == "because" for x in clauses)

    def _word(self, node: int) -> str:
        return self.words[self.source.left[node]]

    def _is_clause(self, node: int) -> bool:
        """Whether a node has a finite verb, and a subject if nothing subordinates or joins it."""
        labels, source = self.labels, self.source
        label = labels[node]
        if label == "S":
            below = [labels[x] for x in source.children[node]]
            return "VP" in below and "NP" in below[: below.index("VP")]
        if label == "VP":
            verbs = [labels[source.leaves[place]] for place in source.span(node)]
            return self._word(node) != "do" and any(tag in _FINITE for tag in verbs[:3])
        return label in _CLAUSES and any(
            labels[source.leaves[place]] in _FINITE for place in source.span(node)
        )


def _coarse(label: str) -> str:
    """Return what kind of phrase a label is of, by its first letter: verbs, nouns, clauses."""
    return "V" if label == "MD" else label[:1]
