"""Pruning: what a forest looks like without its dead ends."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treewright.forest.arrays import Bools, Pointers
from treewright.forest.hypergraph import Forest, select_tails


class Pruned(NamedTuple):
    """A forest without dead ends, and where its parts were in the original."""

    forest: Forest
    nodes: Pointers
    """The original number of each kept node, ascending."""
    edges: Pointers
    """The original number of each kept edge, ascending."""


def prune(forest: Forest) -> Pruned:
    """Keep the nodes and edges that take part in some complete derivation. O(N + E + T).

    These are the productive ones (some derivation below) that the root reaches through productive
    edges. A root without derivations stays, alone.
    """
    from treewright.forest import _kernels

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
    """Keep the derivations that are made of the allowed edges alone, without dead ends."""
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
