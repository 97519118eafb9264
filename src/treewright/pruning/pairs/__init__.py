"""Minimum Bayes risk over kept pairs, exact where all that a forest does is prune.

A compression is judged by its grammatical relations: pairs of a word and its governor. The pruning
to choose keeps the pairs that are likely to survive, and no more words than pay for themselves:

    maximise  Σ_{pairs kept} P(pair kept) - price · words + trust · log-weight

with a price of ½, or of less where a limit on the length makes up for it.

A pair counts only if both its words are kept. Whether a node keeps its head word is all that the
nodes around it need to know for that: so the forest is split in two by it, node by node, and one
pass over the split forest gives the probabilities of all pairs, another the best pruning of every
length. The log-weight keeps the whole together: taken alone, a pair says nothing of its neighbours.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.forest import CountCurve, Derivation, Forest, best_by_count, edge_posteriors

if TYPE_CHECKING:
    from treewright.pruning.forests import CompressionForest

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]

TRUST = 0.15
"""What a unit of log-weight counts against a pair, chosen on folds (0.1 to 0.25 are alike)."""

PRICE = 0.5
"""The probability that a pair needs to be worth its word."""


@dataclass(frozen=True, eq=False)
class AgreedCurve:
    """The pruning of every length that agrees best with all others."""

    scores: Floats
    _curve: CountCurve
    _origin: Ints
    _size: int

    def derivation(self, count: int) -> Derivation:
        """Return the best derivation of exactly this count, one of the forest itself."""
        [top] = self._curve.derivation(count).children
        origin = self._origin
        return top.fold(lambda edge, below: Derivation(int(origin[edge]), below))

    def edge_uses(self, count: int) -> Floats:
        """Return how often `derivation(count)` uses each edge, without building it."""
        split = self._curve.edge_uses(count)
        used = np.flatnonzero((split > 0) & (self._origin >= 0))
        uses = np.zeros(self._size)
        np.add.at(uses, self._origin[used], split[used])
        return uses


@dataclass(frozen=True, eq=False)
class Pairs:
    """A forest of prunings, split by which head words are kept.

    `origin` is the edge of the forest each edge stands for, and `pair` the token it keeps together
    with its governor; -1 where there is none. An edge is `closed` if it breaks one of the forest's
    ties, which only this splitting can see.
    """

    source: CompressionForest
    forest: Forest
    origin: Ints
    pair: Ints
    closed: NDArray[np.bool_]

    @classmethod
    def of(cls, source: CompressionForest) -> Pairs:
        """Split a forest none of whose edges is a rule of the grammar."""
        from treewright.pruning.pairs import _kernels

        nodes, forest = source.source, source.forest
        heads = np.array(nodes.semantic_heads, dtype=np.int32)
        edges, pointer, tails, size = _kernels.split_by_heads(
            forest.node_ptr,
            forest.tail_ptr,
            forest.tail,
            forest.label - np.int32(len(source.grammar)),
            source.node_source,
            source.gaps,
            np.array([node.word is not None for node in nodes.nodes]),
            nodes.head_children,
            heads,
            forest.root,
        )
        head, origin, pair, half = np.ascontiguousarray(edges.T)
        split = Forest.from_arrays(
            head=head, tail_ptr=pointer, tail=tails, label=origin, num_nodes=size
        )
        return cls(source, split, origin, pair, _broken_ties(source, origin, half))

    def probabilities(self) -> Floats:
        """Return how probable it is for each token to be kept together with its governor."""
        uses = edge_posteriors(self.forest, self._weights())
        together = np.zeros(len(self.source.is_word))
        paired = self.pair >= 0
        np.add.at(together, self.pair[paired], uses[paired])
        return together

    def curve(
        self,
        limit: int,
        trust: float = TRUST,
        *,
        price: float | Floats = PRICE,
        counts: Ints | None = None,
    ) -> AgreedCurve:
        """Return the best pruning of every number of words, or sum of other `counts` of edges.

        The price may be of each token its own.
        """
        words = self._carry(self.source.word_counts()).astype(np.int64)
        gains = np.where(self.source.is_word, self.probabilities(), 0.0)
        edges, places = self.source.word_edges
        of_token = np.where(self.source.is_word, price, 0.0)
        paid = np.zeros(self.source.forest.num_edges)
        np.add.at(paid, edges, of_token[places])
        weights = trust * self._weights() - self._carry(paid)
        weights += np.where(self.pair >= 0, gains[self.pair], 0.0)
        counted = words if counts is None else self._carry(counts).astype(np.int64)
        curve = best_by_count(self.forest, weights, counted, limit)
        return AgreedCurve(curve.scores, curve, self.origin, self.source.forest.num_edges)

    def _weights(self) -> Floats:
        return np.where(self.closed, -np.inf, self._carry(self.source.weights))

    def _carry(self, values: NDArray[Any]) -> Floats:
        """Give every edge the value of the edge it stands for, and 0 to the two above the root."""
        return np.where(self.origin >= 0, values[self.origin], 0.0)


def _broken_ties(source: CompressionForest, origin: Ints, half: Ints) -> NDArray[np.bool_]:
    """Return which edges of the split forest close a gap that its ties rule out."""
    broken = np.zeros(len(origin), dtype=np.bool_)
    if source.ties is None:
        return broken
    gap = np.where(origin >= 0, source.edges.gap[origin], -1)
    of_gap = gap >= 0
    broken[of_gap] = source.ties[gap[of_gap], half[of_gap]]
    return broken
