"""The best rewritings of a tree that differ from one another.

A rewriting has thousands of derivations: rules may be cut in many ways, and so may deletions. Going
down the list of derivations until enough rewritings turn up is hopeless, so each forest node keeps
its best *different* results instead. That is exact: of two derivations with the same result at a
node, the worse one is not part of any best derivation.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from treewright.forest import Derivation
from treewright.transduction.application import Kept, Result, Strung, read_string
from treewright.trees import Tree

if TYPE_CHECKING:
    from treewright.transduction.targets import TargetForest


class _Entry(NamedTuple):
    score: float
    words: int
    result: Result
    derivation: Derivation


class _Row(NamedTuple):
    """What an edge's first tails give together."""

    score: float
    words: int
    entries: tuple[_Entry, ...]


def best_different(
    forest: TargetForest, number: int, *, limit: int | None = None
) -> list[tuple[float, Derivation]]:
    """Return the best `number` derivations with different results, of at most `limit` words each.

    With a limit, a node keeps `number` results for every count of words. With at most R results per
    node, this takes O(R² · T) time for T tails.
    """
    plain = forest.forest
    words = forest.word_counts().tolist() if limit is not None else [0] * plain.num_edges
    most = 0 if limit is None else limit
    tails, bounds = plain.tail.tolist(), plain.tail_ptr.tolist()
    kept: list[list[_Entry]] = []
    for node in range(plain.num_nodes):
        found: list[_Entry] = []
        for edge in plain.edges(node):
            below = [kept[tail] for tail in tails[bounds[edge] : bounds[edge + 1]]]
            for row in _rows(float(forest.weights[edge]), words[edge], below, number, most):
                result = forest.apply(edge, [entry.result for entry in row.entries])
                derivation = Derivation(edge, [entry.derivation for entry in row.entries])
                found.append(_Entry(row.score, row.words, result, derivation))
        kept.append(list(_best(found, number)))
    ranked = sorted(kept[-1], key=lambda entry: -entry.score)[:number]
    return [(entry.score, entry.derivation) for entry in ranked]


def _rows(
    weight: float, words: int, below: Sequence[Sequence[_Entry]], number: int, most: int
) -> list[_Row]:
    """Combine the results of an edge's tails, tail by tail; all combinations differ."""
    rows = [_Row(weight, words, ())] if words <= most and weight > -math.inf else []
    for entries in below:
        longer = [
            _Row(row.score + entry.score, row.words + entry.words, (*row.entries, entry))
            for row in rows
            for entry in entries
            if row.words + entry.words <= most
        ]
        rows = _top(longer, number) if len(longer) > number else longer
    return rows


def _top(rows: Iterable[_Row], number: int) -> list[_Row]:
    """Keep the best rows for each number of words."""
    room: dict[int, int] = {}
    best = []
    for row in sorted(rows, key=lambda row: -row.score):
        room[row.words] = room.get(row.words, number) - 1
        if room[row.words] >= 0:
            best.append(row)
    return best


def _best(entries: Iterable[_Entry], number: int) -> Iterator[_Entry]:
    """Yield the best entries for each number of words, no result twice."""
    room: dict[int, int] = {}
    seen = set()
    for entry in sorted(entries, key=lambda entry: -entry.score):
        left = room.get(entry.words, number)
        trees = _trees(entry.result)
        if left > 0 and trees not in seen:
            seen.add(trees)
            room[entry.words] = left - 1
            yield entry


def _trees(result: Result) -> Tree | tuple[Tree, ...] | tuple[str, ...] | None:
    """Return what two results must differ in: trees or words, whichever source words they are."""
    if isinstance(result, Kept):
        return tuple([child.tree for child in result.children])
    if isinstance(result, Strung):
        return read_string(result)[0]
    return None if result is None else result.tree
