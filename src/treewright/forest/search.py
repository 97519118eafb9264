"""Search: the best derivation."""

from __future__ import annotations

from itertools import pairwise

from numpy.typing import ArrayLike

from treewright.forest import _kernels
from treewright.forest.arrays import checked_weights
from treewright.forest.derivation import Derivation, assemble
from treewright.forest.hypergraph import Forest


def viterbi(forest: Forest, weights: ArrayLike) -> tuple[float, Derivation] | None:
    """Return the highest-scoring derivation of the root and its score; None if all are -inf.

    Of equal ones, every node takes its edge with the lowest number. O(N + E + T). The score equals
    that of `Derivation.score` bit for bit.
    """
    weights = checked_weights(weights, forest.num_edges)
    best, best_edge = _kernels.viterbi(forest.node_ptr, forest.tail_ptr, forest.tail, weights)
    if best_edge[forest.root] < 0:
        return None
    edges, bounds, places = _kernels.trace_best(forest.tail_ptr, forest.tail, best_edge)
    row, ends = places.tolist(), bounds.tolist()
    children = [row[first:last] for first, last in pairwise(ends)]
    return float(best[forest.root]), assemble(edges.tolist(), children)
