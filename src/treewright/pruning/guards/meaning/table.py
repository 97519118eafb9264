"""The table of meaning-bearing material: all rows, and one pass over a sentence that finds them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from treewright.pruning.guards.holding import Claim, Holder
from treewright.pruning.guards.meaning import (
    attributes,
    attributions,
    bounds,
    comparisons,
    conditions,
    contrast,
    degrees,
    exceptives,
    hedges,
    orders,
    restrictors,
    reversals,
    scope,
    titles,
    wholes,
)
from treewright.pruning.guards.meaning.holds import climb, exclude, introduce, limit, unite
from treewright.pruning.guards.meaning.reach import clause, host
from treewright.pruning.guards.meaning.rows import (
    AFTER,
    BEFORE,
    BREAKS,
    FAITHFUL,
    FLIPS,
    HELD,
    STRICT,
    Row,
)
from treewright.pruning.guards.negation import negation_words
from treewright.pruning.guards.outline import Outline
from treewright.text import is_word
from treewright.trees import TreeTable

ROWS: tuple[Row, ...] = (
    *restrictors.ROWS,
    *exceptives.ROWS,
    *conditions.ROWS,
    *degrees.ROWS,
    *hedges.ROWS,
    *attributes.ROWS,
    *bounds.ROWS,
    *comparisons.ROWS,
    *attributions.ROWS,
    *scope.ROWS,
    *contrast.ROWS,
    *reversals.ROWS,
    *wholes.ROWS,
    *titles.ROWS,
    *orders.ROWS,
)
"""Every row, by class."""


_LIMITING = ("restrictors", "exceptives", "conditions", "degrees", "hedges")
_RECENT = 16
"""Sentences that are remembered: each is read in one mode and, at once, in the other."""


class Found(NamedTuple):
    """An instance of a row: the first and the last place of its words."""

    row: Row
    first: int
    last: int


class Index:
    """Rows by the first word of their phrases, and by part of speech."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._by_word: dict[str, list[tuple[tuple[str, ...], Row]]] = {}
        self._by_tag: dict[str, list[Row]] = {}
        for row in rows:
            for words in row.words:
                phrase = tuple(words.split())
                self._by_word.setdefault(phrase[0], []).append((phrase[1:], row))
            for tag in row.tags:
                self._by_tag.setdefault(tag, []).append(row)

    def find(self, outline: Outline) -> Iterator[Found]:
        """Yield the instances in a sentence, from left to right."""
        by_word, by_tag, words = self._by_word, self._by_tag, outline.words
        for place, (word, leaf) in enumerate(zip(words, outline.leaves, strict=True)):
            found: Row | None = None
            if word in by_word:
                for rest, row in by_word[word]:
                    last = place + len(rest)
                    if rest and tuple(words[place + 1 : last + 1]) != rest:
                        continue
                    if row.when is None or row.when(outline, place, last):
                        found = row
                        yield Found(row, place, last)
            label = outline.labels[leaf]
            if label in by_tag:
                for row in by_tag[label]:
                    if row is found:
                        continue
                    if row.when is None or row.when(outline, place, place):
                        yield Found(row, place, place)


def _rows_of(mode: str) -> Iterator[Row]:
    """Yield the rows that apply in a mode.

    Even where a qualification may be dropped, no word that introduces it is dropped alone.
    """
    for row in ROWS:
        if row.loss in HELD[mode]:
            yield row
        elif row.hold in (limit, exclude):
            yield replace(row, hold=introduce)


INDEX = Index(ROWS)
_APPLIED = {mode: {row.name: row for row in _rows_of(mode)} for mode in FAITHFUL}
"""The rows that apply in each mode, by their names."""


def instances(outline: Outline, faithful: str) -> list[Found]:
    """Return the instances in a sentence of the rows that apply in a mode."""
    applied = _APPLIED[faithful]
    return [
        Found(applied[row.name], first, last)
        for row, first, last in _instances(outline.table)
        if row.name in applied
    ]


@lru_cache(maxsize=_RECENT)
def _instances(source: TreeTable) -> tuple[Found, ...]:
    return tuple(INDEX.find(Outline(source)))


@lru_cache(maxsize=_RECENT)
def _negations(source: TreeTable) -> frozenset[int]:
    return negation_words(Outline(source).words)


def meaningful(source: TreeTable, faithful: str) -> Claim:
    """Return what carries the claim beside negations, as far as prunings are to be faithful."""
    holder, weighing, limiting = Holder(source), Holder(source), Holder(source)
    found = instances(holder, faithful)
    for row, first, last in found:
        firm = row.limits or row.loss == BREAKS
        row.hold(weighing if row.weighed else limiting if firm else holder, first, last)
        unite(holder, first, last)
        if faithful == STRICT and row.climbs:
            climb(holder, first, last)
    inside = sorted(holder.scopes | limiting.scopes)
    _hold_within(holder, [(node, holder.first[node]) for node in inside], found)
    scopes = [(node, holder.first[node]) for node in weighing.scopes]
    scopes += [(clause(holder, holder.leaves[place]), place) for place in _negations(source)]
    _hold_within(weighing, scopes, found)
    limits = limiting.claim.held
    held = Claim(limits, frozenset(), limits) | holder.claim
    return held | weighing.claim.with_phrases_weighed(source)


def limiting_places(source: TreeTable, faithful: str) -> frozenset[int]:
    """Return where words begin that limit what stands before them, if they open a part of a
    sentence: `at most twice`, `only in summer`, `possibly more`.
    """
    return frozenset(
        [
            first
            for row, first, _ in instances(Outline(source), faithful)
            if row.loss == FLIPS and (row.kind in _LIMITING or row.name == "bounds")
        ]
    )


def _hold_within(holder: Holder, scopes: list[tuple[int, int]], found: list[Found]) -> None:
    """Hold what limits a condition, an exception or a denial up to its clause.

    Each scope is a node and the place behind which it begins.
    """
    for row, first, last in found if scopes else ():
        if row.loss != FLIPS or not row.climbs:
            continue
        around = [node for node, start in scopes if start < first and last <= holder.last(node)]
        if around:
            top = host(holder, first, last)
            holder.hold_up_to(top, max(min(around), clause(holder, top)))


def bound_words(source: TreeTable, faithful: str) -> frozenset[int]:
    """Return the places whose word stays or goes with the next one, for models of strings."""
    outline = Outline(source)
    bound: set[int] = set()
    for row, first, last in instances(outline, faithful):
        bound.update(range(first, last))
        if row.beside == AFTER and is_word(outline.word(last + 1)):
            bound.add(last)
        elif row.beside == BEFORE and is_word(outline.word(first - 1)):
            bound.add(first - 1)
    return frozenset(bound)
