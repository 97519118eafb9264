"""Expressions that stay whole or go: numbers with units, dates, ranges, quoted words, code."""

from __future__ import annotations

from treewright.pruning.guards.holding import Holder
from treewright.pruning.guards.meaning.holds import govern, remain, unite
from treewright.pruning.guards.meaning.numerals import MONTHS, is_number, measure
from treewright.pruning.guards.meaning.reach import child_of, opened, whole
from treewright.pruning.guards.meaning.rows import AFTER, BREAKS, FLIPS, Row, phrases
from treewright.pruning.guards.outline import Outline
from treewright.text import is_word
from treewright.trees import word_set

_TIMES = MONTHS | word_set(
    "monday tuesday wednesday thursday friday saturday sunday noon midnight today tomorrow"
    " yesterday now dawn dusk spring summer autumn winter"
)
_CODE, _QUOTED = 14, 6
"""How many tokens code and quoted words may have, marks included."""


def _has_unit(outline: Outline, first: int, last: int) -> bool:
    return len(measure(outline, first, last)) > 1


def _hold_measure(holder: Holder, first: int, last: int) -> None:
    places = measure(holder, first, last)
    unite(holder, places.start, places.stop - 1)


def _date(outline: Outline, first: int, last: int) -> range:
    """Return the places of a month with its day and year."""
    start, end = first, last + 1
    if outline.word(start - 1) == "of" and is_number(outline, start - 2):
        start -= 2
    elif is_number(outline, start - 1):
        start -= 1
    if is_number(outline, end):
        end += 1
    if outline.word(end) == "," and is_number(outline, end + 1) and len(outline.word(end + 1)) == 4:
        end += 2
    return range(start, end)


def _is_date(outline: Outline, first: int, last: int) -> bool:
    named = outline.words[first] != "may" or outline.tag(first) == "NNP"
    return named and len(_date(outline, first, last)) > 1


def _hold_date(holder: Holder, first: int, last: int) -> None:
    places = _date(holder, first, last)
    unite(holder, places.start, places.stop - 1)


def _conjunction(outline: Outline, first: int) -> int:
    """Return the place of the `and` of `between … and …`, or -1."""
    node = opened(outline, first, first)
    for place in range(first + 2, outline.last(node)):
        if outline.words[place] == "and":
            return place
    return -1


def _spans(outline: Outline, first: int, last: int) -> bool:
    return outline.tag(first) == "IN" and _conjunction(outline, first) >= 0


def _hold_range(holder: Holder, first: int, last: int) -> None:
    """Hold `between`, both ends, and `and`."""
    govern(holder, first, last)
    joint = _conjunction(holder, first)
    for place in (joint, joint + 1):
        holder.bind(first, place)
    node = holder.parent[holder.leaves[joint]]
    for sibling in holder.content(node):
        holder.held.add(sibling)
        holder.follow_heads(sibling)


def _end(outline: Outline, first: int) -> int:
    """Return the place of the `to` of `from Monday to Friday`, or -1."""
    for place in range(first + 2, min(first + 8, len(outline.words) - 1)):
        if outline.words[place] in ("to", "until", "till", "through"):
            end = place + 1
            timed = outline.word(end) in _TIMES or is_number(outline, end)
            return place if timed else -1
    return -1


def _lasts(outline: Outline, first: int, last: int) -> bool:
    timed = outline.word(first + 1) in _TIMES or is_number(outline, first + 1)
    return timed and outline.tag(first) == "IN" and _end(outline, first) >= 0


def _hold_term(holder: Holder, first: int, last: int) -> None:
    """Hold both ends of a time or an amount that goes from one to the other."""
    end = _end(holder, first)
    for place in (first + 1, end, end + 1):
        holder.bind(first, place)
    top = holder.meeting(holder.leaves[first], holder.leaves[end])
    for place in (first, end):
        child = child_of(holder, top, place)
        if child >= 0:
            holder.follow_heads(child)


def _closing(outline: Outline, first: int, closers: tuple[str, ...], most: int) -> int:
    for place in range(first + 2, min(first + most, len(outline.words))):
        if outline.words[place] in closers:
            return place
    return -1


_CLOSERS = {"`": ("`",), "``": ("''",), '"': ('"',), "“": ("”",), "‘": ("’",), "«": ("»",)}


def _opens(outline: Outline, first: int, last: int) -> bool:
    """Whether a mark opens short quoted text, or code."""
    mark = outline.words[first]
    closers = _CLOSERS[mark]
    if mark in closers and outline.words[:first].count(mark) % 2:
        return False
    return _closing(outline, first, closers, _CODE if mark == "`" else _QUOTED) >= 0


def _hold_quoted(holder: Holder, first: int, last: int) -> None:
    mark = holder.words[first]
    end = _closing(holder, first, _CLOSERS[mark], _CODE if mark == "`" else _QUOTED)
    unite(holder, first, end)


_BULLETS = ("-", "*", "–", "•", "·", "+")


def _is_marker(outline: Outline, first: int, last: int) -> bool:
    """Whether a sign or letter marks an item of a list."""
    if outline.tag(first) != "LS":
        return first == 0 and len(outline.words) > 1
    return first < 3 or not is_word(outline.word(first - 1))


def _hold_marker(holder: Holder, first: int, last: int) -> None:
    leaf = holder.leaves[first]
    above = holder.parent[leaf]
    top = holder.parent[above] if holder.labels[above] == "LST" and above else above
    holder.hold_up_to(leaf, top)
    for place in (first - 1, first + 1):
        if 0 <= place < len(holder.words) and not is_word(holder.words[place]):
            holder.bind(first, place)


ROWS = (
    Row(
        name="numbers with their units",
        kind="numbers",
        loss=BREAKS,
        source="measure phrases; `$1.31 billion`, `64%`",
        tags=("CD",),
        when=_has_unit,
        hold=_hold_measure,
        extent=measure,
        beside=AFTER,
    ),
    Row(
        name="dates",
        kind="dates",
        loss=BREAKS,
        source="`30 June 2024`",
        words=tuple(sorted(MONTHS)),
        when=_is_date,
        hold=_hold_date,
        extent=_date,
    ),
    Row(
        name="`between … and`",
        kind="dates",
        loss=FLIPS,
        source="ranges",
        words=("between",),
        when=_spans,
        hold=_hold_range,
        extent=whole,
        climbs=False,
    ),
    Row(
        name="`from … to` of times and amounts",
        kind="dates",
        loss=FLIPS,
        source="ranges; `from Monday to Wednesday`",
        words=("from",),
        when=_lasts,
        hold=_hold_term,
        extent=whole,
        climbs=False,
    ),
    Row(
        name="quoted words and code",
        kind="marks",
        loss=BREAKS,
        source="`quotes and backticks not in pairs`",
        words=tuple(_CLOSERS),
        when=_opens,
        hold=_hold_quoted,
    ),
    Row(
        name="markers of list items",
        kind="lists",
        loss=BREAKS,
        source="numbered items of law and prompts, bullets",
        words=_BULLETS,
        tags=("LS",),
        when=_is_marker,
        hold=_hold_marker,
    ),
    Row(
        name="particles of verbs",
        kind="reversals",
        loss=BREAKS,
        source="phrasal verbs: `turns itself off`",
        tags=("RP",),
        hold=remain,
    ),
    Row(
        name="fixed expressions with a verb",
        kind="lists",
        loss=BREAKS,
        source="`Sure you do not run` from `Please make sure …`",
        words=phrases(
            "make sure, makes sure, made sure, making sure, be sure, make certain, take care,"
            " take care not, make clear, makes clear, made clear, keep in mind, bear in mind,"
            " feel free, ruled out, rule out, rules out, ruling out, give up, gave up, take part,"
            " take place, took place, carry out, turn off, turn on, turns off, turned off"
        ),
        hold=unite,
    ),
)
