"""Comparatives and their standard: `better than last year`, `as good as new`."""

from __future__ import annotations

from treewright.pruning.guards.holding import Holder
from treewright.pruning.guards.meaning.holds import govern, limit, precede, remain, stay
from treewright.pruning.guards.meaning.reach import child_of, host, next_word, whole
from treewright.pruning.guards.meaning.rows import AFTER, FLIPS, WEAKENS, Row, phrases
from treewright.pruning.guards.outline import Outline
from treewright.trees import word_set

_FAR = 12
"""How many words before its standard a comparative is looked for."""
_COMPARATIVE = word_set("more less fewer rather other otherwise else different")
_NOUNS = word_set("NN NNS NNP NNPS VBZ")
_GRADED = ("JJ", "RB", "DT", "NN")


def _compared(outline: Outline, place: int) -> int:
    """Return the place of the comparative that `than` belongs to, or -1."""
    for before in range(place - 1, max(place - _FAR, -1), -1):
        if outline.tag(before) in ("JJR", "RBR") or outline.words[before] in _COMPARATIVE:
            return before
    return -1


def _is_standard(outline: Outline, first: int, last: int) -> bool:
    return outline.word(first - 1) not in ("other", "rather")


def _hold_standard(holder: Holder, first: int, last: int) -> None:
    """Hold the standard and the comparative to where they meet."""
    top = govern(holder, first, last)
    compared = _compared(holder, first)
    if compared >= 0:
        stay(holder, compared, compared)
        meeting = holder.meeting(holder.leaves[compared], top)
        holder.hold_up_to(top, meeting)
        holder.hold_up_to(holder.leaves[compared], meeting)
        holder.follow_heads(host(holder, compared, compared))
        if compared == first - 1 and holder.tag(compared - 1) in _NOUNS:
            holder.bind(compared - 1, compared)
    behind = next_word(holder, first)
    if behind >= 0:
        holder.hold_restrictive(child_of(holder, top, behind), all_conjuncts=True)


def _closing(outline: Outline, first: int) -> int:
    """Return the place of the second `as` of `as good as`, or -1."""
    for place in range(first + 2, min(first + _FAR, len(outline.words))):
        if outline.words[place] == "as":
            return place
    return -1


def _equates(outline: Outline, first: int, last: int) -> bool:
    if outline.tag(last + 1)[:2] not in _GRADED:
        return False
    return _closing(outline, first) >= 0 and outline.tag(first) in ("RB", "IN", "DT", "JJ")


def _hold_equation(holder: Holder, first: int, last: int) -> None:
    """Hold both parts of `as … as` to where they meet, with what is compared."""
    second = _closing(holder, first)
    if holder.words[first] == "as":
        precede(holder, first, last)
    else:
        stay(holder, first, last)
    top = govern(holder, second, second)
    meeting = holder.meeting(holder.leaves[first], top)
    holder.hold_up_to(top, meeting)
    holder.hold_up_to(holder.leaves[first], meeting)


def _is_degree(outline: Outline, first: int, last: int) -> bool:
    """Whether a comparative stands before a noun or adjective."""
    node = host(outline, first, last)
    return last < outline.last(node) and outline.labels[node] in ("NP", "ADJP", "ADVP", "QP", "NX")


ROWS = (
    Row(
        name="comparatives and their standard",
        kind="comparisons",
        loss=FLIPS,
        source="comparative clauses (CGEL 13); must_keep: better than, later than, less … than",
        words=("than",),
        when=_is_standard,
        hold=_hold_standard,
        extent=whole,
        beside=AFTER,
    ),
    Row(
        name="`as … as`, `the same … as`",
        kind="comparisons",
        loss=FLIPS,
        source="comparisons of equality; must_keep: not as funny",
        words=("as", "same"),
        when=_equates,
        hold=_hold_equation,
        beside=AFTER,
    ),
    Row(
        name="comparatives before a noun or adjective",
        kind="comparisons",
        loss=FLIPS,
        source="`higher prices`",
        tags=("JJR", "RBR"),
        when=_is_degree,
        hold=remain,
        beside=AFTER,
    ),
    Row(
        name="standards set apart",
        kind="comparisons",
        loss=WEAKENS,
        source="must_keep: unlike",
        words=phrases(
            "unlike, compared with, compared to, relative to, in contrast to, in comparison with,"
            " in comparison to, versus, as against"
        ),
        hold=limit,
        extent=whole,
        beside=AFTER,
    ),
)
