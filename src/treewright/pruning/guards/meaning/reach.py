"""Where something in a tree begins and ends: its phrase, what hosts it, its clause."""

from __future__ import annotations

from collections.abc import Callable

from treewright.pruning.guards.outline import Outline
from treewright.text import is_word
from treewright.trees import word_set

Finder = Callable[[Outline, int, int], range]
"""From the first and last place of a phrase to the places of what it belongs to."""

SENTENCES = word_set("S SINV SQ SBARQ")
NOMINAL = word_set("NP NX NML NAC WHNP")
_CLAUSES = SENTENCES | word_set("SBAR FRAG X PRN RRC ROOT TOP S1 UCP")


def covers_more(outline: Outline, node: int, first: int, last: int) -> bool:
    """Whether a node has words besides those from `first` to `last`."""
    if goes_on(outline, node, last):
        return True
    return _has_word(outline, outline.first[node], first)


def goes_on(outline: Outline, node: int, last: int) -> bool:
    """Whether a node has words behind the place `last`."""
    return _has_word(outline, last + 1, outline.table.right[node])


def _has_word(outline: Outline, start: int, end: int) -> bool:
    words = outline.words
    for place in range(start, end):  # noqa: SIM110 (twice as fast as any)
        if is_word(words[place]):
            return True
    return False


def host(outline: Outline, first: int, last: int) -> int:
    """Return the lowest node that has other words besides those from `first` to `last`."""
    node = outline.meeting(outline.leaves[first], outline.leaves[last])
    while node and not covers_more(outline, node, first, last):
        node = outline.parent[node]
    return node


def opened(outline: Outline, first: int, last: int) -> int:
    """Return the phrase or clause that the words from `first` to `last` open.

    It is the lowest node that has them and goes on behind them. Where the tree puts the words in
    different constituents, that is the node where these meet, or one above.
    """
    node = outline.meeting(outline.leaves[first], outline.leaves[last])
    while node and not goes_on(outline, node, last):
        node = outline.parent[node]
    return node


def clause(outline: Outline, node: int, *, through: bool = False) -> int:
    """Return the nearest clause at or above a node: a sentence, one of several predicates.

    With `through`, a clause that restricts a noun (`creditors holding half of it`, without a comma)
    belongs to the clause of that noun.
    """
    while node:
        label = outline.labels[node]
        if label in _CLAUSES or label == "VP":
            inner = label in _CLAUSES or _is_conjunct(outline, node) or _modifies(outline, node)
            if inner and not (through and _restricts(outline, node)):
                return node
        node = outline.parent[node]
    return node


def _is_conjunct(outline: Outline, node: int) -> bool:
    """Whether a verb phrase is one of several."""
    if outline.labels[node] != "VP":
        return False
    siblings = outline.children[outline.parent[node]]
    return any(outline.labels[x] in ("CC", "CONJP") for x in siblings)


def _modifies(outline: Outline, node: int) -> bool:
    """Whether a verb phrase is a participle behind a noun."""
    return outline.labels[outline.parent[node]] in NOMINAL


def _restricts(outline: Outline, node: int) -> bool:
    """Whether something modifies the noun before it, and no mark parts them."""
    above = outline.parent[node]
    while above > 0 and (outline.labels[above] == "SBAR" or _opens_predicate(outline, node)):
        node, above = above, outline.parent[above]
    before = outline.word(outline.first[node] - 1)
    return outline.labels[above] in NOMINAL and outline.place[node] > 0 and is_word(before)


def _opens_predicate(outline: Outline, node: int) -> bool:
    return outline.labels[outline.parent[node]] == "VP" and not outline.place[node]


def child_of(outline: Outline, node: int, place: int) -> int:
    """Return the child of a node above the word at `place`, or -1."""
    child = outline.leaves[place]
    while child >= 0 and outline.parent[child] != node:
        child = outline.parent[child]
    return child


def next_word(outline: Outline, last: int) -> int:
    """Return the place of the word behind `last`, past quotes and brackets but no comma; or -1."""
    return _first_word(outline, range(last + 1, min(last + 4, len(outline.words))))


def previous_word(outline: Outline, first: int) -> int:
    """Return the place of the word before `first`, past quotes and brackets but no comma; or -1."""
    return _first_word(outline, range(first - 1, max(first - 4, -1), -1))


def _first_word(outline: Outline, places: range) -> int:
    for place in places:
        word = outline.words[place]
        if is_word(word):
            return place
        if word in ",;:.!?-–—":
            return -1
    return -1


def whole(outline: Outline, first: int, last: int) -> range:
    """Return the places of what the phrase opens, from its first word on."""
    return range(first, outline.last(opened(outline, first, last)) + 1)


def with_next(outline: Outline, first: int, last: int) -> range:
    """Return the places of the phrase and the word that follows."""
    behind = next_word(outline, last)
    return range(first, (last if behind < 0 else behind) + 1)


def with_previous(outline: Outline, first: int, last: int) -> range:
    """Return the places of the phrase and the word before it."""
    before = previous_word(outline, first)
    return range(first if before < 0 else before, last + 1)
