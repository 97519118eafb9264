"""Pruning: a forest without its dead ends, or without what is far from the best."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from treewright.forest import _kernels
from treewright.forest.arrays import Bools, Floats, Pointers, checked_weights
from treewright.forest.hypergraph import Forest, select_tails


class Pruned(NamedTuple):
    """A forest without dead ends, and where its parts were in the original.

    Weights of the original carry over as `weights[edges]`.
    """

    forest: Forest
    nodes: Pointers
    """The original number of each kept node, ascending."""
    edges: Pointers
    """The original number of each kept edge, ascending."""


def prune(forest: Forest) -> Pruned:
    """Keep the nodes and edges that are part of some complete derivation. O(N + E + T).

    These are the productive ones (with some derivation below) that the root reaches through
    productive edges. A root without derivations stays, alone.
    """
    keep_node, keep_edge = _kernels.useful(forest.node_ptr, forest.tail_ptr, forest.tail)
    nodes, edges = np.flatnonzero(keep_node), np.flatnonzero(keep_edge)
    new_number = np.cumsum(keep_node) - 1
    tail_ptr, positions = select_tails(forest.tail_ptr, edges)
    head = new_number[forest.head[edges]]
    kept = Forest(
        head=head.astype(np.int32),
        tail_ptr=tail_ptr,
        tail=new_number[forest.tail[positions]].astype(np.int32),
        node_ptr=np.searchsorted(head, np.arange(nodes.size + 1)).astype(np.int64),
        label=forest.label[edges],
    )
    return Pruned(kept, nodes, edges)


def restrict(forest: Forest, allowed: Bools) -> Pruned:
    """Keep the derivations that consist only of allowed edges, without dead ends."""
    edges = np.flatnonzero(allowed)
    tail_ptr, positions = select_tails(forest.tail_ptr, edges)
    some = Forest.from_arrays(
        head=forest.head[edges],
        tail_ptr=tail_ptr,
        tail=forest.tail[positions],
        label=forest.label[edges],
        num_nodes=forest.num_nodes,
    )
    pruned = prune(some)
    return pruned._replace(edges=edges[pruned.edges])


def margins(forest: Forest, weights: ArrayLike) -> Floats:
    """Return by how much the best derivation with each edge falls short of the best of all.

    That is the score of the best derivation minus the max-marginal of the edge: 0 for the edges of
    the best derivation, infinite if an edge is part of no derivation, or only of derivations of
    -inf.
    """
    weights = checked_weights(weights, forest.num_edges)
    arrays = forest.node_ptr, forest.tail_ptr, forest.tail, weights
    found: Floats = _kernels.margins(*arrays, _kernels.viterbi(*arrays)[0])
    return found


def prune_by_margin(forest: Forest, weights: ArrayLike, margin: float) -> Pruned:
    """Keep the edges of derivations whose score is at most `margin` below the best.

    This is max-marginal pruning: every such derivation stays, along with others made of the same
    edges.
    """
    if not margin >= 0.0:
        raise ValueError(f"a margin must not be negative, not {margin}")
    found = margins(forest, weights)
    return restrict(forest, (found <= margin) & (found < np.inf))


def prune_by_beam(forest: Forest, weights: ArrayLike, beam: int) -> Pruned:
    """Keep the `beam` best edges of each node, by the best derivation of the node with each.

    The best derivation stays. Of equal edges, those with the lowest numbers do.
    """
    if beam < 1:
        raise ValueError(f"a beam must keep at least one edge, not {beam}")
    weights = checked_weights(weights, forest.num_edges)
    arrays = forest.node_ptr, forest.tail_ptr, forest.tail, weights
    return restrict(forest, _kernels.among_best(*arrays, _kernels.viterbi(*arrays)[0], beam))
