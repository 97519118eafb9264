"""`DeletionForest`: all compressions of one source tree, and how to read them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treewright.corpora import is_word
from treewright.forest import (
    CountCurve,
    Counters,
    Derivation,
    Forest,
    best_by_count,
    kbest,
    refine,
    viterbi,
)
from treewright.trees import Tree, prune_to

Floats = NDArray[np.float64]

PATIENCE = 100
"""Derivations looked at for each requested rewriting: most give a new one."""

MOST_STATES = 5_000_000
"""Edges × lengths up to which the n best of limited length are searched for exactly."""


@dataclass(frozen=True, eq=False)
class Deleted:
    """A tree pruned to the tokens at `positions` (from 0), with its score; no rules derive it."""

    tree: Tree
    score: float
    positions: tuple[int, ...]
    source: Tree

    derivation: ClassVar[None] = None
    rules: ClassVar[tuple[()]] = ()
    unseen: ClassVar[int] = 0

    @property
    def dropped(self) -> tuple[int, ...]:
        """The positions of the dropped tokens: a deletion model gives no other reason."""
        kept = set(self.positions)
        return tuple([p for p in range(len(self.source.words())) if p not in kept])


@dataclass(frozen=True, eq=False)
class DeletionForest:
    """Node `p` means that position `p` is kept; an edge to it comes from the position kept before.

    Positions run from 0, the start, over the tokens from 1 to n, to n + 1, the end and root.
    """

    source: Tree
    forest: Forest
    weights: Floats

    @classmethod
    def of(cls, source: Tree, scores: Floats) -> DeletionForest:
        """Make the forest from the arcs' scores, those with the same right end together."""
        size = (1 + math.isqrt(1 + 8 * scores.size)) // 2
        return cls(source, all_paths(size), np.concatenate(([0.0], scores)))

    def best(self) -> Deleted | None:
        """Return the compression with the greatest score."""
        found = viterbi(self.forest, self.weights)
        return None if found is None else self.target(found[1], score=found[0])

    def nbest(self, number: int, *, limit: int | None = None) -> list[Deleted]:
        """Return the best compressions, all different, of at most `limit` words.

        Dropping one or the other of two equal words gives one compression; if nearly all do, the
        search ends early, with fewer than `number`. With a limit, a sentence of hundreds of words
        gives the best of each length instead.
        """
        found: dict[Tree, Deleted] = {}
        for score, derivation in islice(self._ranked(limit), PATIENCE * number):
            target = self.target(derivation, score=score)
            found.setdefault(target.tree, target)
            if len(found) == number:
                break
        return list(found.values())

    def _ranked(self, limit: int | None) -> Iterator[tuple[float, Derivation]]:
        if limit is None:
            return kbest(self.forest, self.weights)
        if limit * self.forest.num_edges > MOST_STATES:
            return self._best_of_lengths(limit)
        within = refine(self.forest, Counters(self.word_counts(), [limit]), self.weights)
        ranked = kbest(within.forest, within.weights)
        return ((score, within.project(derivation)) for score, derivation in ranked)

    def _best_of_lengths(self, limit: int) -> Iterator[tuple[float, Derivation]]:
        curve = self.curve(limit)
        for length in np.argsort(-curve.scores, kind="stable").tolist():
            if curve.scores[length] > -math.inf:
                yield float(curve.scores[length]), curve.derivation(length)

    def curve(
        self,
        limit: int | None = None,
        *,
        weights: Floats | None = None,
        costs: ArrayLike | None = None,
    ) -> CountCurve:
        """Return the best compression for every number of words up to `limit`.

        By default that is the number of words in the source. Other `weights` of the edges make
        other compressions the best. With `costs`, integers of at least 0, one per token of the
        source, their sum replaces the number of words.
        """
        words = self.source.words()
        counted = np.asarray([is_word(word) for word in words] if costs is None else costs)
        if limit is None:
            limit = int(counted.sum())
        weights = self.weights if weights is None else weights
        return best_by_count(self.forest, weights, self._counts(counted), limit)

    def word_counts(self) -> NDArray[np.int32]:
        """Return the number of words each edge adds: one, or none for punctuation and the end."""
        return self._counts(np.array([is_word(word) for word in self.source.words()]))

    def _counts(self, costs: NDArray[Any]) -> NDArray[np.int32]:
        of_position = np.zeros(self.forest.num_nodes, dtype=np.int32)
        of_position[1:-1] = costs
        return of_position[self.forest.head]

    def positions(self, uses: Floats) -> tuple[int, ...]:
        """Return the positions of the tokens of a derivation, given how often it uses each edge."""
        kept = self.forest.head[np.flatnonzero(uses > 0)].tolist()
        return tuple([position - 1 for position in sorted(kept)[1:-1]])

    def target(self, derivation: Derivation, *, score: float | None = None) -> Deleted:
        """Read the compression off a derivation."""
        kept = sorted(self.forest.head[list(derivation.edges())].tolist())[1:-1]
        positions = tuple([position - 1 for position in kept])
        tree = prune_to(self.source, positions)
        assert tree is not None, "the arc that keeps nothing weighs -inf"
        if score is None:
            score = derivation.score(self.weights)
        return Deleted(tree, score, positions, self.source)


@lru_cache(maxsize=64)
def all_paths(size: int) -> Forest:
    """Return the forest of all ways from position 0 to `size - 1`, the same for all sentences."""
    head = np.concatenate(([0], np.repeat(np.arange(size), np.arange(size))))
    tail = np.concatenate([np.arange(j) for j in range(size)])
    tail_ptr = np.arange(-1, head.size)
    tail_ptr[0] = 0
    return Forest.from_arrays(head=head, tail_ptr=tail_ptr, tail=tail, label=head, num_nodes=size)
