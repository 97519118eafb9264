"""What takes something out of a claim: `all but one`, `except on Sunday`."""

from __future__ import annotations

from treewright.pruning.guards.holding import Holder
from treewright.pruning.guards.meaning.holds import exclude
from treewright.pruning.guards.meaning.reach import NOMINAL, whole
from treewright.pruning.guards.meaning.rows import AFTER, FLIPS, WEAKENS, Row, phrases
from treewright.pruning.guards.outline import Outline
from treewright.trees import word_set

_FAR = 16
"""How far before an exception `all` is looked for."""
_UNIVERSAL = word_set(
    "all every each any no none nothing nobody no-one everything everyone everybody anything anyone"
    " anybody everywhere anywhere nowhere"
)


def _excepts(outline: Outline, first: int, last: int) -> bool:
    """Whether `but` means `except`: as a preposition, or right behind `all …`."""
    if outline.tag(first) == "IN" or outline.labels[outline.parent[outline.leaves[first]]] == "PP":
        return True
    above = outline.parent[outline.leaves[first]]
    behind = outline.behind(outline.leaves[first])
    if outline.labels[above] not in NOMINAL or not behind:
        return False
    universal = outline.word(outline.first[above]) in _UNIVERSAL
    return universal and outline.labels[behind[0]][:1] in "NPCDJQ"


def _hold_exception(holder: Holder, first: int, last: int) -> None:
    """Hold an exception to its clause, and to what it is an exception from."""
    exclude(holder, first, last)
    for place in range(first - 1, max(first - _FAR, -1), -1):
        if holder.words[place] in _UNIVERSAL:
            holder.bind(place, first)
            return


def _is_preposition(outline: Outline, first: int, last: int) -> bool:
    return outline.tag(first) in ("IN", "TO") and bool(outline.word(last + 1))


ROWS = (
    Row(
        name="exceptive prepositions",
        kind="exceptives",
        loss=FLIPS,
        source="exceptive constructions (CGEL 8); must_keep: except, other than, Apart from",
        words=phrases(
            "except, except for, except in, except where, except when, except if, except that,"
            " excepting, excluding, other than, apart from, aside from, but for, save for,"
            " save that, with the exception of, with the sole exception of,"
            " with the single exception of, with the only exception of,"
            " with the notable exception of, with the possible exception of,"
            " to the exclusion of, not counting, not including, barring, all but, anything but,"
            " none but, minus"
        ),
        hold=_hold_exception,
        extent=whole,
        beside=AFTER,
        limits=True,
    ),
    Row(
        name="words that except as prepositions",
        kind="exceptives",
        loss=FLIPS,
        source="exceptive constructions",
        words=("save", "bar", "besides", "beyond", "outside"),
        when=_is_preposition,
        hold=_hold_exception,
        extent=whole,
        beside=AFTER,
        weighed=True,
    ),
    Row(
        name="exceptive `but`",
        kind="exceptives",
        loss=FLIPS,
        source="must_keep: but you, all … but",
        words=("but",),
        when=_excepts,
        hold=_hold_exception,
        extent=whole,
        beside=AFTER,
        limits=True,
    ),
    Row(
        name="`without`",
        kind="exceptives",
        loss=WEAKENS,
        source="must_keep: without",
        words=("without",),
        hold=exclude,
        extent=whole,
        beside=AFTER,
    ),
)
