"""Words that exclude everything else: without `only`, a claim says less than it denied."""

from __future__ import annotations

from treewright.pruning.guards.meaning.holds import follow, limit, modify, precede, unite
from treewright.pruning.guards.meaning.numerals import is_quantity
from treewright.pruning.guards.meaning.reach import whole
from treewright.pruning.guards.meaning.rows import AFTER, BEFORE, BREAKS, FLIPS, Row
from treewright.pruning.guards.outline import Outline


def _is_exclusive(outline: Outline, first: int, last: int) -> bool:
    """Whether `just` means `only`, and not `a moment ago` or `quite`."""
    return is_quantity(outline, last + 1) or outline.word(last + 1) in ("one", "for", "a", "an")


def _is_alone(outline: Outline, first: int, last: int) -> bool:
    """Whether `alone` excludes others, as behind a noun, and does not say how someone is."""
    before, behind = outline.tag(first - 1), outline.tag(last + 1)
    return before[:2] in ("NN", "PR", "CD") or behind in ("MD", "VBZ", "VBD", "VBP")


def _restricts_circumstance(outline: Outline, first: int, last: int) -> bool:
    return outline.tag(last + 1) in ("IN", "TO", "WRB") and outline.word(last + 1) != "that"


ROWS = (
    Row(
        name="`only` before a circumstance",
        kind="restrictors",
        loss=FLIPS,
        source="must_keep: only; `use italics only for titles`",
        words=("only", "solely", "exclusively"),
        when=_restricts_circumstance,
        hold=limit,
        extent=whole,
        beside=AFTER,
        limits=True,
    ),
    Row(
        name="exclusive adverbs",
        kind="restrictors",
        loss=FLIPS,
        source="focus particles; must_keep: only",
        words=("only", "merely", "solely", "exclusively", "purely", "strictly", "nothing but"),
        hold=precede,
        beside=AFTER,
    ),
    Row(
        name="`just` of amounts",
        kind="restrictors",
        loss=FLIPS,
        source="focus particles",
        words=("just",),
        when=_is_exclusive,
        hold=precede,
        beside=AFTER,
    ),
    Row(
        name="exclusive adjectives",
        kind="restrictors",
        loss=FLIPS,
        source="adjectives of uniqueness; must_keep: first, only",
        words=("sole", "single", "lone", "mere", "exclusive", "unique", "else"),
        hold=modify,
        beside=AFTER,
    ),
    Row(
        name="`alone` behind a noun",
        kind="restrictors",
        loss=FLIPS,
        source="focus particles; `a cable alone is hardly enough`",
        words=("alone", "only ones", "in itself", "by itself", "on its own"),
        when=_is_alone,
        hold=follow,
        beside=BEFORE,
        limits=True,
    ),
    Row(
        name="nothing or nobody else",
        kind="restrictors",
        loss=BREAKS,
        source="must_keep: nothing else",
        words=("nothing else", "no one else", "nobody else", "nowhere else", "anyone else"),
        hold=unite,
    ),
)
