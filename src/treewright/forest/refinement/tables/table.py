"""The best derivation for every pair of values of two counters."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from treewright.forest.arrays import Floats, Ints, Pointers, checked_weights
from treewright.forest.derivation import Derivation, assemble
from treewright.forest.hypergraph import Forest
from treewright.forest.refinement.counters import checked_counts

_FAR = 2**31


@dataclass(frozen=True, slots=True, eq=False)
class CountTable:
    """The best score for each pair of counts within the limits, and the derivations behind them."""

    scores: Floats
    """`scores[i, j]` is that of the best derivation of counts i and j; -inf where there is none."""
    _forest: Forest = field(repr=False)
    _weights: Floats = field(repr=False)
    _counts: Pointers = field(repr=False)
    _tables: tuple[Pointers, Pointers, Floats, Ints] = field(repr=False)

    def derivation(self, first: int, second: int) -> Derivation:
        """Return the best derivation of exactly these counts; its score is the entry's, exactly.

        Among equals a node takes its edge of the lowest number, and an edge lets its later tails
        count as little as possible, first by the first counter. Raises `ValueError` when there is
        no derivation.
        """
        entries, child_entries = self._trace(first, second)
        # Parents come first, in descending order of entry; `assemble` wants children first.
        entries = entries[::-1]
        edges = self._tables[-1][entries]
        ends = np.cumsum(np.diff(self._forest.tail_ptr)[edges][::-1])[:-1]
        places = np.split(np.searchsorted(entries, child_entries), ends)
        return assemble(edges.tolist(), [part.tolist() for part in reversed(places)])

    def edge_uses(self, first: int, second: int) -> Floats:
        """Return how often `derivation(first, second)` uses each edge, without building it.

        That is all a sum of features needs, and nearly all done while other threads may run.
        """
        from treewright.forest.refinement.tables import _kernels

        trace = self._trace(first, second)
        uses: Floats = _kernels.edge_uses(self._forest.tail_ptr, self._tables[-1], *trace)
        return uses

    def _trace(self, first: int, second: int) -> tuple[Pointers, Pointers]:
        rows, columns = self.scores.shape
        within = 0 <= first < rows and 0 <= second < columns
        if not within or self.scores[first, second] == -math.inf:
            raise ValueError(
                f"no derivation counts {first} and {second} within limits "
                f"{rows - 1} and {columns - 1}"
            )
        from treewright.forest.refinement.tables import _kernels

        arrays = self._forest.tail_ptr, self._forest.tail, self._weights, self._counts
        place = int(first), int(second)
        trace: tuple[Pointers, Pointers] = _kernels.trace_back(*arrays, *self._tables, place)
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
    return tabulate(forest, weights, pairs, limits)


def tabulate(
    forest: Forest, weights: ArrayLike, counts: Pointers, limits: tuple[int, int] | None
) -> CountTable:
    """Do the work of `best_by_two_counts`; counts and limits are trusted, and counts kept."""
    from treewright.forest.refinement.tables import _kernels

    weights = checked_weights(weights, forest.num_edges).copy()
    arrays = forest.node_ptr, forest.tail_ptr, forest.tail, weights, counts
    if limits is None:
        box = _kernels.reach(*arrays, (_FAR, _FAR))[-1].tolist()
        limits = (box[0] + box[2] - 1, box[1] + box[3] - 1) if box[2] * box[3] else (0, 0)
    tables = _kernels.best_tables(*arrays, (int(limits[0]), int(limits[1])))
    table_ptr, boxes, best, _ = tables
    first, second, rows, columns = boxes[-1].tolist()
    scores = np.full((limits[0] + 1, limits[1] + 1), -math.inf)
    root = best[table_ptr[-2] :].reshape(rows, columns)
    scores[first : first + rows, second : second + columns] = root
    return CountTable(scores, forest, weights, counts, tables)
