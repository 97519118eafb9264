"""How much: bounds of amounts, parts of a whole, quantifiers, multiples."""

from __future__ import annotations

from treewright.pruning.guards.holding import Holder
from treewright.pruning.guards.meaning.holds import follow, modify, precede, remain
from treewright.pruning.guards.meaning.numerals import AMOUNTS, counted, is_number, is_quantity
from treewright.pruning.guards.meaning.reach import (
    NOMINAL,
    SENTENCES,
    child_of,
    host,
    whole,
    with_next,
)
from treewright.pruning.guards.meaning.rows import (
    AFTER,
    BEFORE,
    BREAKS,
    FLIPS,
    WEAKENS,
    Row,
    phrases,
)
from treewright.pruning.guards.outline import Outline
from treewright.trees import word_set

_PARTS = AMOUNTS | word_set(
    "all any both each either few neither none many most much some several part parts portion share"
    " majority minority bulk rest remainder number percent percentage % handful couple lot plenty"
    " proportion fraction everyone anyone someone nobody"
)

_FAR = 16
"""How far behind `both` its `and` is looked for."""


def _is_partitive(outline: Outline, first: int, last: int) -> bool:
    """Whether `of` follows a word for a part: `half of`, `40 % of`."""
    before = first - 1
    return outline.word(before) in _PARTS or is_number(outline, before)


def _hold_part(holder: Holder, first: int, last: int) -> None:
    """Hold the part and what it is a part of."""
    holder.bind(first - 1, first)
    top = holder.meeting(holder.leaves[first - 1], holder.leaves[first])
    for place in (first - 1, first):
        child = child_of(holder, top, place)
        if child >= 0:
            holder.follow_heads(child)


def _ends_amount(outline: Outline, first: int, last: int) -> bool:
    """Whether `or more`, `each` and the like end a phrase, and begin none: `and older men …`."""
    if outline.word(first) == "each":
        return outline.tag(last + 1)[:2] not in ("NN", "JJ")
    return outline.labels[outline.parent[outline.leaves[first]]] not in SENTENCES


def _before_quantity(outline: Outline, first: int, last: int) -> bool:
    return is_quantity(outline, last + 1)


def _quantifies(outline: Outline, first: int, last: int) -> bool:
    """Whether a determiner says how many, with a noun behind it."""
    node = host(outline, first, last)
    if outline.labels[node] not in (*NOMINAL, "QP") or outline.word(last + 1) == "of":
        return False
    return last < outline.last(node) and outline.tag(first) not in ("CC", "IN", "NNP")


def _joint(outline: Outline, first: int) -> int:
    """Return the place of the `and` or `or` that `both` or `either` belongs to, or -1."""
    joins = "and" if outline.words[first] == "both" else "or"
    for place in range(first + 2, min(first + _FAR, len(outline.words) - 1)):
        if outline.words[place] == joins:
            joined = outline.parent[outline.leaves[place]]
            if abs(outline.first[joined] - first) <= 1:
                return place
        if outline.words[place] in ".;:?!":
            return -1
    return -1


def _hold_sides(holder: Holder, first: int, last: int) -> None:
    """Hold `both` or `either`, the conjunction, and both sides, to where they meet."""
    joint = _joint(holder, first)
    holder.bind(first, joint)
    leaf = holder.leaves[joint]
    for sibling in (*holder.before(leaf)[:1], *holder.behind(leaf)[:1]):
        holder.held.add(sibling)
        holder.follow_heads(sibling)


def _far_joint(outline: Outline, first: int) -> int:
    """Return the place of the `or` that `either` belongs to where the tree has put it far away."""
    joins = outline.tag(first) == "CC" or outline.tag(first + 1)[:2] in ("IN", "TO", "VB")
    for place in range(first + 2, len(outline.words) - 1 if joins else 0):
        if outline.words[place] == "or":
            return place
        if outline.words[place] in ".;:?!":
            return -1
    return -1


def _hold_far_joint(holder: Holder, first: int, last: int) -> None:
    """Hold `either` and its `or` to where they meet: neither goes but with that phrase."""
    holder.bind(first, _far_joint(holder, first))


def _counts(outline: Outline, first: int, last: int) -> bool:
    return outline.labels[host(outline, first, last)] in (*NOMINAL, "QP", "ADJP")


ROWS = (
    Row(
        name="bounds",
        kind="bounds",
        loss=FLIPS,
        source="scalar bounds; must_keep: at least, up to, less than, no more than",
        words=phrases(
            "at least, at most, at the most, at the least, at the very least, at the very most,"
            " up to, no more than, no less than, no fewer than, no later than, no earlier than,"
            " no longer than, no higher than, no lower than, no bigger than, no older than,"
            " no younger than, not more than, not less than, not fewer than, not later than,"
            " not exceeding, in excess of, more than, less than, fewer than, greater than,"
            " higher than, lower than, longer than, shorter than, older than, younger than,"
            " later than, earlier than, better than, worse than, as many as, as much as, as few as,"
            " as little as, as late as, as early as, a maximum of, a minimum of,"
            " the maximum, the minimum, upwards of, north of, short of, well over, well under,"
            " just over, just under, close to, next to no, only a few, a few, hardly any,"
            " as many, as much, as few, as little"
        ),
        hold=precede,
        extent=with_next,
        beside=AFTER,
    ),
    Row(
        name="approximate amounts",
        kind="bounds",
        loss=FLIPS,
        source="approximators before numbers; must_keep: about, roughly, some, under",
        words=phrases(
            "about, around, roughly, approximately, approx., circa, c., ca., some, nearly, almost,"
            " over, under, above, below, within, exceeding, under, barely, hardly, scarcely, only,"
            " just, exactly, precisely, maximum, minimum, max, min, max., min., every, another,"
            " an estimated, an average of, on average, ~, ≈, <, >, ≤, ≥, ±"
        ),
        when=_before_quantity,
        hold=precede,
        extent=with_next,
        beside=AFTER,
    ),
    Row(
        name="bounds behind an amount",
        kind="bounds",
        loss=FLIPS,
        source="`or more`, `and over`",
        words=phrases(
            "or more, or less, or fewer, or over, or above, or under, or below, or older,"
            " or younger, or longer, or later, or earlier, or so, and over, and above, and under,"
            " and older, and younger, and up, upwards, or thereabouts, or higher, or lower,"
            " or better, or worse, at a time, each, apiece"
        ),
        when=_ends_amount,
        hold=follow,
        beside=BEFORE,
        limits=True,
    ),
    Row(
        name="parts of a whole",
        kind="bounds",
        loss=FLIPS,
        source="partitives; must_keep: half of, most of, third of, Three of",
        words=("of",),
        when=_is_partitive,
        hold=_hold_part,
        extent=lambda outline, first, last: range(first - 1, whole(outline, first, last).stop),
        beside=BEFORE,
    ),
    Row(
        name="quantifiers",
        kind="bounds",
        loss=FLIPS,
        source="quantifying determiners; must_keep: Some, several, every, Either, Each, all",
        words=phrases(
            "some, several, many, most, all, each, every, both, either, neither, any, no, few,"
            " fewer, more, less, half, much, various, numerous, enough, certain, countless"
        ),
        when=_quantifies,
        hold=modify,
        beside=AFTER,
    ),
    Row(
        name="indefinite pronouns",
        kind="bounds",
        loss=FLIPS,
        source="must_keep: everything",
        words=phrases(
            "everything, everyone, everybody, everywhere, anything, anyone, anybody, anywhere,"
            " something, someone, somebody, somewhere"
        ),
        hold=remain,
    ),
    Row(
        name="multiples",
        kind="bounds",
        loss=FLIPS,
        source="must_keep: twice",
        words=phrases("twice, thrice, double, triple, quadruple, half, one-third, two-thirds"),
        when=lambda outline, first, last: (
            outline.tag(last + 1) in ("DT", "PRP$", "IN", "RB", "NNP")
        ),
        hold=precede,
        beside=AFTER,
    ),
    Row(
        name="`both … and`, `either … or`",
        kind="bounds",
        loss=FLIPS,
        source="correlative coordination; must_keep: Both, either, or",
        words=("both", "either"),
        when=lambda outline, first, last: _joint(outline, first) >= 0,
        hold=_hold_sides,
        beside=AFTER,
        weighed=True,
    ),
    Row(
        name="`either` and its `or`",
        kind="bounds",
        loss=BREAKS,
        source="`You can either wait here.`",
        words=("either",),
        when=lambda outline, first, last: _far_joint(outline, first) >= 0,
        hold=_hold_far_joint,
    ),
    Row(
        name="numbers",
        kind="numbers",
        loss=WEAKENS,
        source="must_keep: one, Three, quarter",
        words=tuple(sorted(AMOUNTS)),
        tags=("CD",),
        when=_counts,
        hold=modify,
        extent=counted,
        climbs=False,
    ),
)
