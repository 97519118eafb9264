"""The best derivations as arrays: `ranking` for when thousands are wanted."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from treewright.forest import _kernels, _listing_kernels
from treewright.forest.arrays import Floats, Ints, Pointers, checked_weights
from treewright.forest.hypergraph import Forest


class Listed(NamedTuple):
    """Derivations by descending score; the edges of `i` are `edges[start[i] : start[i + 1]]`.

    They stand in postorder: those of the first tail, of the second and so on, then the edge itself.
    """

    scores: Floats
    start: Pointers
    edges: Ints


def best_derivations(
    forest: Forest,
    weights: ArrayLike,
    most: int,
    *,
    symbols: tuple[Pointers, Ints] | None = None,
    tries: int = 20,
) -> Listed:
    """Return the first `most` derivations of `kbest`, in its order and with its scores.

    If `symbols` are given (those of edge `e` are `symbols[1][symbols[0][e] : symbols[0][e + 1]]`),
    a derivation with the same symbols as a better one is passed over; the search ends after
    `tries * most` derivations. Lazy as `kbest` is, but compiled.
    """
    if most < 1 or tries < 1:
        raise ValueError(f"at least one derivation must be wanted, not {most} in {tries} tries")
    weights = checked_weights(weights, forest.num_edges)
    if symbols is None:
        start, symbols_ = np.zeros(forest.num_edges + 1, np.int64), np.empty(0, np.int32)
    else:
        start, symbols_ = symbols
    edges = np.empty(forest.num_edges, _listing_kernels.EDGE)
    edges["head"], edges["weight"] = forest.head, weights
    edges["tails"], edges["arity"] = forest.tail_ptr[:-1], np.diff(forest.tail_ptr)
    edges["key"], edges["shift"] = _listing_kernels.symbol_keys(start, symbols_)
    graph = _listing_kernels.Graph(edges, forest.node_ptr, forest.tail)
    best, best_edge = _kernels.viterbi(forest.node_ptr, forest.tail_ptr, forest.tail, weights)
    distinct = symbols is not None
    limit = most * tries if distinct else most
    return Listed(*_listing_kernels.list_best(graph, best, best_edge, most, limit, distinct))
