"""Search: the best derivation, the best thousands in arrays, and derivations drawn by weight."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from treewright.forest import _kernels, _listing_kernels
from treewright.forest.arrays import Floats, Ints, Pointers, checked_weights
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


def sample(
    forest: Forest, weights: ArrayLike, rng: np.random.Generator, *, size: int
) -> list[Derivation]:
    """Draw `size` independent derivations, each with probability `exp(score - log Z)`.

    Exact ancestral sampling: from the root down, an edge is taken with its share of its head's
    inside value, `exp(w + Σ I(tails) - I(head))`. O(forest) once, then O(log edges per node) for
    each edge drawn. Raises `ValueError` when there is no derivation to draw.
    """
    weights = checked_weights(weights, forest.num_edges)
    arrays = forest.node_ptr, forest.tail_ptr, forest.tail
    inside, edge_inside = _kernels.log_inside(*arrays, weights)
    if inside[forest.root] == -math.inf:
        raise ValueError("nothing to sample: the forest has no derivation of positive weight")
    cumulative = _kernels.cumulative_shares(forest.node_ptr, inside, edge_inside)
    arity = np.diff(forest.tail_ptr).tolist()
    return [
        _from_preorder(_kernels.sample_edges(*arrays, cumulative, rng).tolist(), arity)
        for _ in range(size)
    ]


def _from_preorder(edges: list[int], arity: list[int]) -> Derivation:
    """Rebuild the derivation whose edges, in preorder, are these."""
    stack: list[Derivation] = []
    for edge in reversed(edges):
        children = [stack.pop() for _ in range(arity[edge])]
        stack.append(Derivation(edge, children))
    return stack.pop()
