"""The best derivation for every value of one counter: a table of one row."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from treewright.forest.arrays import Floats
from treewright.forest.derivation import Derivation
from treewright.forest.hypergraph import Forest
from treewright.forest.refinement.counters import checked_counts
from treewright.forest.refinement.tables.table import CountTable, tabulate


@dataclass(frozen=True, slots=True, eq=False)
class CountCurve:
    """The best score for each count from 0 to the limit, and the derivations behind them."""

    scores: Floats
    """The score of the best derivation of each count; -inf where there is none."""
    _table: CountTable = field(repr=False)

    def derivation(self, count: int) -> Derivation:
        """Return the best derivation of exactly this count; its score is `scores[count]`, exactly.

        Among equals a node takes its edge of the lowest number, and an edge lets its later tails
        count as little as possible. Raises `ValueError` when there is no derivation.
        """
        if not 0 <= count < self.scores.size or self.scores[count] == -math.inf:
            raise ValueError(f"no derivation counts {count} within limit {self.scores.size - 1}")
        return self._table.derivation(0, count)

    def edge_uses(self, count: int) -> Floats:
        """Return how often `derivation(count)` uses each edge, without building it."""
        return self._table.edge_uses(0, count)


def best_by_count(forest: Forest, weights: ArrayLike, counts: ArrayLike, limit: int) -> CountCurve:
    """Find the best derivation for each sum of `counts` from 0 to `limit`, exactly.

    `counts` holds one non-negative integer per edge. A node's table covers only the counts that
    its derivations reach: with C of them at most, O(C² · T) time, O(C · N) memory. An edge of W
    tails that count 0 or 1 each is O(W · min(W, limit)).
    """
    if limit < 0:
        raise ValueError(f"limit must not be negative, not {limit}")
    pairs = np.zeros((forest.num_edges, 2), np.int64)
    # The second counter runs along the rows, in one piece of memory.
    pairs[:, 1:] = checked_counts(counts, dimensions=1, num_edges=forest.num_edges)
    table = tabulate(forest, weights, pairs, (0, limit))
    return CountCurve(table.scores[0], table)
