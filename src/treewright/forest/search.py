"""Search: the best derivation."""

from __future__ import annotations

import numpy as np
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
    nodes = np.flatnonzero(_kernels.used_nodes(forest.tail_ptr, forest.tail, best_edge)).tolist()
    edges = best_edge[nodes].tolist()
    place = {node: index for index, node in enumerate(nodes)}
    tail, tail_ptr = forest.tail.tolist(), forest.tail_ptr.tolist()
    children = [[place[t] for t in tail[tail_ptr[e] : tail_ptr[e + 1]]] for e in edges]
    return float(best[forest.root]), assemble(edges, children)
