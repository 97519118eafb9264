"""Contrast: what is said against what was said before."""

from __future__ import annotations

from treewright.pruning.guards.holding import Holder
from treewright.pruning.guards.meaning.holds import assert_with, introduce, limit
from treewright.pruning.guards.meaning.reach import SENTENCES, child_of, whole
from treewright.pruning.guards.meaning.rows import AFTER, FLIPS, WEAKENS, Row, phrases
from treewright.pruning.guards.outline import Outline
from treewright.text import is_word
from treewright.trees import word_set

_LINKS = word_set("though although but and if")


def _joins(outline: Outline, first: int, last: int) -> bool:
    """Whether a conjunction has something on both sides."""
    leaf = outline.leaves[first]
    return outline.tag(first) == "CC" and bool(outline.before(leaf) and outline.behind(leaf))


def _hold_contrast(holder: Holder, first: int, last: int) -> None:
    """Hold what follows; the conjunction and what precedes it, too, unless that is a sentence."""
    leaf = holder.leaves[first]
    before, behind = holder.before(leaf)[0], holder.behind(leaf)[:2]
    if holder.labels[before] not in SENTENCES:
        behind += [before, leaf]
    for sibling in behind:
        holder.held.add(sibling)
        holder.follow_heads(sibling)


def _hold_alternatives(holder: Holder, first: int, last: int) -> None:
    """Hold `or` and both its sides."""
    leaf = holder.leaves[first]
    for sibling in (leaf, holder.before(leaf)[0], holder.behind(leaf)[0]):
        holder.held.add(sibling)
        holder.follow_heads(sibling)


def _affirmed(outline: Outline, first: int) -> int:
    """Return what is affirmed before `not …`, which only denies another thing; or -1."""
    before = first - 1
    while before >= 0 and (not is_word(outline.words[before]) or outline.words[before] in _LINKS):
        before -= 1
    if before < 0 or outline.tag(before)[:2] in ("VB", "MD", "TO", "IN"):
        return -1
    if before == first - 1 and outline.tag(before) != "CD":
        return -1
    if outline.tag(first + 1)[:2] == "VB":
        return -1
    top = outline.meeting(outline.leaves[before], outline.leaves[first])
    return child_of(outline, top, before)


def _hold_affirmed(holder: Holder, first: int, last: int) -> None:
    node = _affirmed(holder, first)
    holder.held.add(node)
    holder.follow_heads(node)


def _restricts(outline: Outline, first: int, last: int) -> bool:
    """Whether `but only` restricts what precedes it: it does not if it begins a clause."""
    behind = outline.behind(outline.leaves[first])
    return not behind or outline.labels[behind[0]] not in SENTENCES


def _hold_restriction(holder: Holder, first: int, last: int) -> None:
    """Hold `but only …` and what it restricts."""
    limit(holder, first, last)
    for sibling in holder.before(holder.leaves[first])[:1]:
        holder.held.add(sibling)
        holder.follow_heads(sibling)


ROWS = (
    Row(
        name="what is affirmed before `, not …`",
        kind="contrast",
        loss=FLIPS,
        source="`Boateng of Ghana, not his namesake, won`",
        words=("not",),
        when=lambda outline, first, last: _affirmed(outline, first) >= 0,
        hold=_hold_affirmed,
        weighed=True,
    ),
    Row(
        name="`but only`",
        kind="restrictors",
        loss=FLIPS,
        source="must_keep: only; `open, but only for students`",
        words=phrases("but only, and only, and then only, though only, albeit only"),
        when=_restricts,
        hold=_hold_restriction,
        extent=whole,
        beside=AFTER,
        limits=True,
    ),
    Row(
        name="`instead`, `rather than`",
        kind="contrast",
        loss=FLIPS,
        source="replacives; must_keep: instead, rather than",
        words=phrases("rather than, instead of, in place of, as opposed to, in lieu of, and not"),
        hold=introduce,
        extent=whole,
        beside=AFTER,
        weighed=True,
    ),
    Row(
        name="`instead` alone",
        kind="contrast",
        loss=FLIPS,
        source="must_keep: instead",
        words=("instead",),
        when=lambda outline, first, last: outline.word(last + 1) != "of",
        hold=assert_with,
    ),
    Row(
        name="`but`",
        kind="contrast",
        loss=WEAKENS,
        source="adversative coordination; must_keep: but",
        words=("but", "yet"),
        when=_joins,
        hold=_hold_contrast,
        extent=whole,
        climbs=False,
    ),
    Row(
        name="`or`",
        kind="lists",
        loss=WEAKENS,
        source="alternatives; must_keep: or",
        words=("or",),
        when=_joins,
        hold=_hold_alternatives,
        extent=whole,
        climbs=False,
    ),
    Row(
        name="concessive clauses",
        kind="contrast",
        loss=WEAKENS,
        source="concession; must_keep: although, even though, Despite",
        words=phrases(
            "although, though, even though, despite, in spite of, whereas, notwithstanding,"
            " regardless of, irrespective of, no matter, even when, albeit, whatever"
        ),
        hold=limit,
        extent=whole,
        beside=AFTER,
    ),
    Row(
        name="adverbs of contrast",
        kind="contrast",
        loss=WEAKENS,
        source="conjunctive adverbs",
        words=phrases(
            "however, nevertheless, nonetheless, on the other hand, by contrast, conversely"
        ),
        hold=assert_with,
    ),
)
