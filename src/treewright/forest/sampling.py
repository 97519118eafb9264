"""Sampling: derivations drawn in proportion to their weight."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from treewright.forest import _kernels
from treewright.forest.arrays import checked_weights
from treewright.forest.derivation import Derivation
from treewright.forest.hypergraph import Forest


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
