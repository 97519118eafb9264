"""Inside and outside: sums over all derivations, and expected uses of each edge.

With `w(e)` the log-weight of an edge and `I`, `O` the inside and outside of nodes,

    I(v) = log Σ_{e: head v} exp(w(e) + Σ_{t ∈ tails(e)} I(t))
    O(t) = log Σ_{e, i: tail i of e is t} exp(O(head e) + w(e) + Σ_{j ≠ i} I(tail j of e))

and `O(root) = 0`. Everything here takes time and memory linear in the forest's arrays.
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from treewright.forest import _kernels
from treewright.forest.arrays import Floats, checked_weights
from treewright.forest.hypergraph import Forest
from treewright.forest.semirings import COUNTING, Semiring

T = TypeVar("T")


def inside(forest: Forest, weights: ArrayLike, semiring: Semiring[T]) -> list[T]:
    """Return the inside value of each node in any semiring. The readable reference."""
    lifted = [
        semiring.lift(weight) for weight in checked_weights(weights, forest.num_edges).tolist()
    ]
    values: list[T] = []
    for node in range(forest.num_nodes):
        total = semiring.zero
        for edge in forest.edges(node):
            product = lifted[edge]
            for tail in forest.tails(edge):
                product = semiring.times(product, values[tail])
            total = semiring.plus(total, product)
        values.append(total)
    return values


def derivation_count(forest: Forest) -> int:
    """Return the exact number of derivations of the root."""
    return inside(forest, np.zeros(forest.num_edges), COUNTING)[forest.root]


def log_inside(forest: Forest, weights: ArrayLike) -> Floats:
    """Return `I`, one value per node; -inf if a node has no derivation."""
    return _insides(forest, weights)[0]


def log_partition(forest: Forest, weights: ArrayLike) -> float:
    """Return log Z, the log of the summed weight of all derivations: `I(root)`."""
    return float(log_inside(forest, weights)[forest.root])


def log_outside(forest: Forest, weights: ArrayLike, inside: ArrayLike) -> Floats:
    """Return `O`, one value per node; -inf if no derivation of the root uses the node.

    `inside` is the result of `log_inside` for the same weights, one value per node.
    """
    weights = checked_weights(weights, forest.num_edges)
    result: Floats = _kernels.log_outside(
        forest.node_ptr, forest.tail_ptr, forest.tail, weights, np.asarray(inside, np.float64)
    )
    return result


def edge_posteriors(forest: Forest, weights: ArrayLike) -> Floats:
    """Return the expected number of uses of each edge, `exp(O(head) + w + Σ I(tails) - log Z)`.

    One derivation can use an edge more than once, so this may exceed 1. All are zero if there is no
    derivation.
    """
    return expectation(forest, weights)[1]


def expectation(forest: Forest, weights: ArrayLike) -> tuple[float, Floats]:
    """Return `log_partition` and `edge_posteriors` in one go."""
    insides, edge_insides = _insides(forest, weights)
    uses = _kernels.posteriors(forest.node_ptr, forest.tail_ptr, forest.tail, insides, edge_insides)
    return float(insides[forest.root]), uses


def expected_counts(forest: Forest, weights: ArrayLike, num_labels: int) -> tuple[float, Floats]:
    """Return log Z and the expected number of uses of each label."""
    if forest.num_edges and forest.label.max() >= num_labels:
        raise ValueError(f"label {forest.label.max()} is not below num_labels={num_labels}")
    log_z, uses = expectation(forest, weights)
    labelled = forest.label >= 0
    counts = np.zeros(num_labels)
    np.add.at(counts, forest.label[labelled], uses[labelled])
    return log_z, counts


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
