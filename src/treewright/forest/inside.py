"""Sums over all derivations, and expected uses of each edge.

With `w(e)` the log-weight of an edge, the inside of a node is

    I(v) = log Σ_{e: head v} exp(w(e) + Σ_{t ∈ tails(e)} I(t))

Everything here takes time and memory linear in the forest's arrays.
"""

from __future__ import annotations

import math

from numpy.typing import ArrayLike

from treewright.forest import _kernels
from treewright.forest.arrays import Floats, checked_weights
from treewright.forest.hypergraph import Forest


def derivation_count(forest: Forest) -> int:
    """Return the exact number of derivations of the root."""
    ways: list[int] = []
    for node in range(forest.num_nodes):
        choices = [math.prod([ways[t] for t in forest.tails(e)]) for e in forest.edges(node)]
        ways.append(sum(choices))
    return ways[forest.root]


def log_partition(forest: Forest, weights: ArrayLike) -> float:
    """Return log Z, the log of the summed weight of all derivations: `I(root)`."""
    return float(_insides(forest, weights)[0][forest.root])


def edge_posteriors(forest: Forest, weights: ArrayLike) -> Floats:
    """Return the expected number of uses of each edge.

    One derivation can use an edge more than once, so this may exceed 1. All are zero if there is no
    derivation.
    """
    return expectation(forest, weights)[1]


def expectation(forest: Forest, weights: ArrayLike) -> tuple[float, Floats]:
    """Return `log_partition` and `edge_posteriors` in one go."""
    insides, edge_insides = _insides(forest, weights)
    uses = _kernels.posteriors(forest.node_ptr, forest.tail_ptr, forest.tail, insides, edge_insides)
    return float(insides[forest.root]), uses


def add_expected_counts(forest: Forest, label_weights: Floats, counts: Floats) -> float:
    """Add the expected uses of each label to `counts`, in place, and return log Z.

    This is the E-step of one forest in one kernel call, made to be called very often: nothing is
    checked or converted. Both arrays are contiguous float64, one entry per label; a negative label
    weighs 0 and is not counted. Without a derivation, this returns -inf and adds nothing.
    """
    log_z: float = _kernels.add_expected_counts(
        forest.node_ptr, forest.tail_ptr, forest.tail, forest.label, label_weights, counts
    )
    return log_z


def _insides(forest: Forest, weights: ArrayLike) -> tuple[Floats, Floats]:
    """Return the inside values of nodes and edges."""
    weights = checked_weights(weights, forest.num_edges)
    result: tuple[Floats, Floats] = _kernels.log_inside(
        forest.node_ptr, forest.tail_ptr, forest.tail, weights
    )
    return result
