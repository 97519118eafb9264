"""The best derivation for every value of one counter, without building the refined forest."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from treewright.forest.arrays import Floats, Ints, Pointers, checked_weights
from treewright.forest.derivation import Derivation, assemble
from treewright.forest.hypergraph import Forest
from treewright.forest.refinement.counters import checked_counts


@dataclass(frozen=True, slots=True, eq=False)
class CountCurve:
    """The best score for each count from 0 to the limit, and the derivations behind them."""

    scores: Floats
    """The score of the best derivation of each count; -inf where there is none."""
    _forest: Forest = field(repr=False)
    _weights: Floats = field(repr=False)
    _counts: Pointers = field(repr=False)
    _tables: tuple[Pointers, Pointers, Floats, Ints] = field(repr=False)

    def derivation(self, count: int) -> Derivation:
        """Return the best derivation of exactly this count; its score is `scores[count]`, exactly.

        Among equals a node takes its edge of the lowest number, and an edge lets its later tails
        count as little as possible. Raises `ValueError` when there is no derivation.
        """
        if not 0 <= count < self.scores.size or self.scores[count] == -math.inf:
            raise ValueError(f"no derivation counts {count} within limit {self.scores.size - 1}")
        from treewright.forest.refinement import _kernels

        forest, best_edge = self._forest, self._tables[-1]
        entries, child_entries = _kernels.trace_back(
            forest.tail_ptr, forest.tail, self._weights, self._counts, *self._tables, count
        )
        # Parents come first, in descending order of entry; `assemble` wants children first.
        entries = entries[::-1]
        edges = best_edge[entries]
        ends = np.cumsum(np.diff(forest.tail_ptr)[edges][::-1])[:-1]
        places = np.split(np.searchsorted(entries, child_entries), ends)
        return assemble(edges.tolist(), [part.tolist() for part in reversed(places)])


def best_by_count(forest: Forest, weights: ArrayLike, counts: ArrayLike, limit: int) -> CountCurve:
    """Find the best derivation for each sum of `counts` from 0 to `limit`, exactly.

    `counts` holds one non-negative integer per edge. A node's table covers only the counts that
    its derivations reach: with C of them at most, O(C² · T) time, O(C · N) memory. An edge of W
    tails that count 0 or 1 each is O(W · min(W, limit)).
    """
    from treewright.forest.refinement import _kernels

    if limit < 0:
        raise ValueError(f"limit must not be negative, not {limit}")
    weights = checked_weights(weights, forest.num_edges).copy()
    counts = checked_counts(counts, forest.num_edges, 1)[:, 0].copy()
    tables = _kernels.count_tables(
        forest.node_ptr, forest.tail_ptr, forest.tail, weights, counts, limit
    )
    table_ptr, low, best, _ = tables
    scores = np.full(limit + 1, -math.inf)
    scores[low[-1] : low[-1] + table_ptr[-1] - table_ptr[-2]] = best[table_ptr[-2] :]
    return CountCurve(scores, forest, weights, counts, tables)
