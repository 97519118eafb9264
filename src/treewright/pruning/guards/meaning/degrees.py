"""Degrees and what they are measured by: `too old to drive`, `so cold that it froze`."""

from __future__ import annotations

from treewright.pruning.guards.holding import Holder
from treewright.pruning.guards.meaning.holds import follow, precede, remain, stay
from treewright.pruning.guards.meaning.reach import clause, previous_word
from treewright.pruning.guards.meaning.rows import AFTER, BEFORE, FLIPS, Row, phrases
from treewright.pruning.guards.outline import Outline
from treewright.trees import word_set

_COMPARATIVES = word_set("JJR RBR")
_PREDICATES = word_set("S SBAR VP")

_MEASURES = {
    "too": ("to", "for"),
    "enough": ("to", "for", "that"),
    "sufficiently": ("to", "for", "that"),
    "so": ("that", "as"),
    "such": ("that", "as"),
}
"""What opens the measure of a degree."""
_GRADED = ("JJ", "RB", "VB", "DT", "NN")


def _measure(outline: Outline, place: int) -> int:
    """Return the phrase that a degree is measured by, or -1."""
    opens = _MEASURES[outline.words[place]]
    node = outline.leaves[place]
    top = clause(outline, node)
    while node > top:
        for sibling in outline.behind(node):
            if outline.children[sibling] and outline.word(outline.first[sibling]) in opens:
                return sibling
        node = outline.parent[node]
    return -1


def _is_degree(outline: Outline, first: int, last: int) -> bool:
    """Whether `too` means a degree, and not `also`."""
    return outline.tag(last + 1)[:2] in ("JJ", "RB", "VB", "DT") and outline.tag(last + 1) != "DT"


def _is_measured(outline: Outline, first: int, last: int) -> bool:
    """Whether `so` or `such` comes with what follows from it."""
    return outline.tag(last + 1)[:2] in _GRADED and _measure(outline, last) >= 0


def _hold_degree(holder: Holder, first: int, last: int) -> None:
    precede(holder, first, last)
    _hold_measure(holder, first)


def _hold_enough(holder: Holder, first: int, last: int) -> None:
    before = previous_word(holder, first)
    if before >= 0 and holder.tag(before)[:2] in ("JJ", "RB"):
        follow(holder, first, last)
    else:
        stay(holder, first, last)
    _hold_measure(holder, first)


def _hold_measure(holder: Holder, place: int) -> None:
    measure = _measure(holder, place)
    if measure >= 0:
        top = holder.meeting(measure, holder.leaves[place])
        holder.hold_up_to(measure, top)
        holder.hold_up_to(holder.leaves[place], top)
        holder.follow_heads(measure)


def _second(outline: Outline, first: int) -> int:
    """Return the place of the second `the` of `the sooner …, the better`, or -1."""
    for place in range(first + 2, len(outline.words) - 1):
        if outline.words[place] == "the" and _is_comparative(outline, place + 1):
            return place
    return -1


def _correlates(outline: Outline, first: int, last: int) -> bool:
    second = _second(outline, first) if _is_comparative(outline, first + 1) else -1
    tags = (outline.tag(first + 1), outline.tag(second + 1))
    return second >= 0 and any(tag in _COMPARATIVES for tag in tags)


def _is_comparative(outline: Outline, place: int) -> bool:
    """Whether a word is one, or looks like one: a parser may take `the colder` for a noun."""
    after_comma = outline.word(place - 2) == "," and outline.word(place).endswith("er")
    return outline.tag(place) in _COMPARATIVES or after_comma


def _hold_both(holder: Holder, first: int, last: int) -> None:
    """Hold both halves of `the sooner …, the better`, with their verbs, to where they meet."""
    second = _second(holder, first)
    top = holder.meeting(holder.leaves[first], holder.leaves[second])
    for place in (first, first + 1, second, second + 1):
        holder.hold_up_to(holder.leaves[place], top)
    holder.follow_heads(top)
    for child in holder.content(top):
        holder.held.add(child)
        holder.follow_heads(child)
    for place in (first, second):
        _hold_predicate(holder, holder.parent[holder.leaves[place]], top)


def _hold_predicate(holder: Holder, phrase: int, top: int) -> None:
    """Hold the nearest clause after a phrase below `top`, or subject and predicate: `the less (it
    costs)`.
    """
    while phrase > top:
        after = holder.behind(phrase)
        ends = [n for n, x in enumerate(after, start=1) if holder.labels[x] in _PREDICATES]
        for node in after[: ends[0]] if ends else ():
            holder.hold_up_to(node, top)
            holder.follow_heads(node)
        if ends:
            return
        phrase = holder.parent[phrase]


ROWS = (
    Row(
        name="`too` and its measure",
        kind="degrees",
        loss=FLIPS,
        source="excess: too … to, too … for; must_keep: too",
        words=("too", "sufficiently"),
        when=_is_degree,
        hold=_hold_degree,
        beside=AFTER,
        limits=True,
    ),
    Row(
        name="`enough` and its measure",
        kind="degrees",
        loss=FLIPS,
        source="sufficiency: enough to",
        words=("enough",),
        hold=_hold_enough,
        beside=BEFORE,
        weighed=True,
    ),
    Row(
        name="`so … that`, `such … that`",
        kind="degrees",
        loss=FLIPS,
        source="result clauses",
        words=("so", "such"),
        when=_is_measured,
        hold=_hold_degree,
        beside=AFTER,
        limits=True,
    ),
    Row(
        name="`the sooner …, the better`",
        kind="degrees",
        loss=FLIPS,
        source="correlative comparatives; must_keep: sooner, less",
        words=("the",),
        when=_correlates,
        hold=_hold_both,
        beside=AFTER,
        limits=True,
    ),
    Row(
        name="adverbs of manner that carry the claim",
        kind="degrees",
        loss=FLIPS,
        source="`consent not to be unreasonably withheld`",
        words=phrases(
            "unreasonably, unduly, unlawfully, wrongly, wrongfully, improperly, unfairly"
        ),
        hold=remain,
        beside=AFTER,
    ),
)
