"""Tables: the best derivation for every value of a counter, or of two, without a refined forest.

They give the same answers as the best derivations of a forest refined by `Counters`, in a fraction
of the time: one table per node holds the scores of all its states.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from treewright.forest.arrays import Floats, Pointers, checked_weights
from treewright.forest.derivation import Derivation, assemble
from treewright.forest.hypergraph import Forest
from treewright.forest.refinement._table_kernels import (
    Counted,
    Tables,
    best_tables,
    edge_uses,
    reach,
    trace_back,
)
from treewright.forest.refinement.counters import checked_counts

_FAR = 2**31


@dataclass(frozen=True, slots=True, eq=False)
class CountTable:
    """The best score for each pair of counts within the limits, and the derivations behind them."""

    scores: Floats
    """`scores[i, j]` is that of the best derivation with counts i and j; -inf if there is none."""
    _counted: Counted = field(repr=False)
    _tables: Tables = field(repr=False)

    def derivation(self, first: int, second: int) -> Derivation:
        """Return the best derivation with exactly these counts; its score is exactly the entry's.

        Of equal ones, a node takes its edge with the lowest number, and an edge lets its later
        tails count as little as possible, first by the first counter. Raises `ValueError` if there
        is no derivation.
        """
        entries, child_entries = self._trace(first, second)
        # Parents come first, in descending order of entry; `assemble` wants children first.
        entries = entries[::-1]
        edges = self._tables.best_edge[entries]
        ends = np.cumsum(np.diff(self._counted.tail_ptr)[edges][::-1])[:-1]
        places = np.split(np.searchsorted(entries, child_entries), ends)
        return assemble(edges.tolist(), [part.tolist() for part in reversed(places)])

    def edge_uses(self, first: int, second: int) -> Floats:
        """Return how often `derivation(first, second)` uses each edge, without building it.

        That is all a sum of features needs, and nearly all of it runs while other threads may run.
        """
        trace = self._trace(first, second)
        uses: Floats = edge_uses(self._counted.tail_ptr, self._tables.best_edge, *trace)
        return uses

    def _trace(self, first: int, second: int) -> tuple[Pointers, Pointers]:
        rows, columns = self.scores.shape
        within = 0 <= first < rows and 0 <= second < columns
        if not within or self.scores[first, second] == -math.inf:
            raise ValueError(
                f"no derivation counts {first} and {second} within limits "
                f"{rows - 1} and {columns - 1}"
            )
        total = int(first), int(second)
        trace: tuple[Pointers, Pointers] = trace_back(self._counted[:], self._tables[:], total)
        return trace


def best_by_two_counts(
    forest: Forest,
    weights: ArrayLike,
    counts: ArrayLike,
    limits: tuple[int, int] | None = None,
) -> CountTable:
    """Find the best derivation for each pair of sums of `counts` up to `limits`, exactly.

    `counts` holds two non-negative integers per edge; without limits the table is as large as the
    derivations of the root reach. A node's own table covers only the rectangle that its derivations
    reach: with C pairs in it at most, O(C² · T) time, O(C · N) memory. Searches of several threads
    do not wait for each other.
    """
    if limits is not None and min(limits) < 0:
        raise ValueError(f"limits must not be negative, not {limits}")
    pairs = np.ascontiguousarray(checked_counts(counts, dimensions=2, num_edges=forest.num_edges))
    return _tabulate(forest, weights, pairs, limits)


@dataclass(frozen=True, slots=True, eq=False)
class CountCurve:
    """The best score for each count from 0 to the limit, and the derivations behind them."""

    scores: Floats
    """The score of the best derivation with each count; -inf if there is none."""
    _table: CountTable = field(repr=False)

    def derivation(self, count: int) -> Derivation:
        """Return the best derivation with exactly this count; its score is exactly `scores[count]`.

        Of equal ones, a node takes its edge with the lowest number, and an edge lets its later
        tails count as little as possible. Raises `ValueError` if there is no derivation.
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
    # The second counter runs along the rows, in contiguous memory.
    pairs[:, 1:] = checked_counts(counts, dimensions=1, num_edges=forest.num_edges)
    table = _tabulate(forest, weights, pairs, (0, limit))
    return CountCurve(table.scores[0], table)


def _tabulate(
    forest: Forest, weights: ArrayLike, counts: Pointers, limits: tuple[int, int] | None
) -> CountTable:
    """Do the work of `best_by_two_counts`; counts and limits are trusted, and counts kept."""
    weights = checked_weights(weights, forest.num_edges).copy()
    counted = Counted(forest.node_ptr, forest.tail_ptr, forest.tail, weights, counts)
    if limits is None:
        box = reach(counted, (_FAR, _FAR))[-1].tolist()
        limits = (box[0] + box[2] - 1, box[1] + box[3] - 1) if box[2] * box[3] else (0, 0)
    tables = Tables(*best_tables(counted[:], (int(limits[0]), int(limits[1]))))
    first, second, rows, columns = tables.boxes[-1].tolist()
    scores = np.full((limits[0] + 1, limits[1] + 1), -math.inf)
    root = tables.best[tables.table_ptr[-2] :].reshape(rows, columns)
    scores[first : first + rows, second : second + columns] = root
    return CountTable(scores, counted, tables)
