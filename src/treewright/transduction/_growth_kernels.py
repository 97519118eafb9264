"""Kernels over forests under construction: nodes, edges and tails grow in flat buffers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treewright.arrays import Ints, Longs
from treewright.compiling import njit
from treewright.grammar._kernels import room_for


class Growth(NamedTuple):
    """Buffers of a forest under construction; `size` counts its nodes, edges and tails."""

    head: Ints
    label: Ints
    tail_ptr: Longs
    tail: Ints
    node_source: Ints
    node_target: Ints
    size: Longs


@njit(nogil=True)
def new_growth(guess):
    """Return empty buffers for a tree of `guess` nodes."""
    return Growth(
        np.empty(4 * guess, dtype=np.int32),
        np.empty(4 * guess, dtype=np.int32),
        np.zeros(4 * guess + 1, dtype=np.int64),
        np.empty(8 * guess, dtype=np.int32),
        np.empty(2 * guess, dtype=np.int32),
        np.empty(2 * guess, dtype=np.int32),
        np.zeros(3, dtype=np.int64),
    )


@njit(nogil=True)
def begin(guess, insertions):
    """Return buffers that hold the nodes and edges of insertions, which come first."""
    edges, tails = len(insertions.head), len(insertions.tail)
    growth = new_growth(guess + edges + tails)
    growth.size[:] = insertions.num_nodes, edges, tails
    for node in range(insertions.num_nodes):
        growth.node_source[node] = -1
        growth.node_target[node] = -1
    for edge in range(edges):
        growth.head[edge] = insertions.head[edge]
        growth.label[edge] = insertions.label[edge]
        growth.tail_ptr[edge + 1] = growth.tail_ptr[edge] + insertions.arity[edge]
    for position in range(tails):
        growth.tail[position] = insertions.tail[position]
    return growth


@njit(nogil=True, inline="always")
def reserve(growth, arity):
    """Return buffers with room for one more node and one more edge of `arity` tails."""
    return reserve_edges(growth, 1, arity)


@njit(nogil=True, inline="always")
def reserve_edges(growth, more_edges, more_tails):
    """Return buffers with room for that many more edges, tails, and nodes that edges may have."""
    nodes = growth.size[0] + more_edges
    edges = growth.size[1] + more_edges
    tails = growth.size[2] + more_tails
    if nodes <= len(growth.node_source) and edges <= len(growth.head) and tails <= len(growth.tail):
        return growth
    head = room_for(growth.head, edges)
    return Growth(
        head,
        room_for(growth.label, len(head)),
        room_for(growth.tail_ptr, len(head) + 1),
        room_for(growth.tail, tails),
        room_for(growth.node_source, nodes),
        room_for(growth.node_target, nodes),
        growth.size,
    )


@njit(nogil=True, inline="always")
def add_edge(growth, arity, label, node_of, column, source, target):
    """Add an edge whose tails are already written after the last ones; make its head if
    it is new.
    """
    if node_of[column] < 0:
        node = growth.size[0]
        growth.node_source[node] = source
        growth.node_target[node] = target
        node_of[column] = node
        growth.size[0] += 1
    edge = growth.size[1]
    growth.head[edge] = node_of[column]
    growth.label[edge] = label
    growth.size[1] += 1
    growth.size[2] += arity
    growth.tail_ptr[edge + 1] = growth.size[2]


@njit(nogil=True)
def trim(growth):
    """Trim the buffers to their contents."""
    nodes, edges, tails = growth.size[0], growth.size[1], growth.size[2]
    return Growth(
        growth.head[:edges],
        growth.label[:edges],
        growth.tail_ptr[: edges + 1],
        growth.tail[:tails],
        growth.node_source[:nodes],
        growth.node_target[:nodes],
        growth.size,
    )


@njit(nogil=True)
def assemble(head, tail_ptr, tail, label, num_nodes, root):
    """Keep what the root reaches, sort edges by head and renumber nodes, root last.

    Nodes above `root` in number cannot be below it, so reachability is one sweep downwards.
    """
    order, node_ptr = sort_by_head(head, num_nodes)
    reached = np.zeros(num_nodes, dtype=np.bool_)
    reached[root] = True
    kept_edges = 0
    kept_tails = 0
    for v in range(root, -1, -1):
        if not reached[v]:
            continue
        for k in range(node_ptr[v], node_ptr[v + 1]):
            e = order[k]
            kept_edges += 1
            kept_tails += tail_ptr[e + 1] - tail_ptr[e]
            for j in range(tail_ptr[e], tail_ptr[e + 1]):
                reached[tail[j]] = True
    number = np.full(num_nodes, -1, dtype=np.int32)
    kept = np.empty(num_nodes, dtype=np.int32)
    nodes = 0
    for v in range(root + 1):
        if reached[v]:
            number[v] = nodes
            kept[nodes] = v
            nodes += 1
    new_node_ptr = np.zeros(nodes + 1, dtype=np.int64)
    new_head = np.empty(kept_edges, dtype=np.int32)
    new_label = np.empty(kept_edges, dtype=np.int32)
    new_ptr = np.zeros(kept_edges + 1, dtype=np.int64)
    new_tail = np.empty(kept_tails, dtype=np.int32)
    edges = 0
    filled = 0
    for v in kept[:nodes]:
        for k in range(node_ptr[v], node_ptr[v + 1]):
            e = order[k]
            new_head[edges] = number[v]
            new_label[edges] = label[e]
            for j in range(tail_ptr[e], tail_ptr[e + 1]):
                new_tail[filled] = number[tail[j]]
                filled += 1
            edges += 1
            new_ptr[edges] = filled
        new_node_ptr[number[v] + 1] = edges
    return new_head, new_ptr, new_tail, new_node_ptr, new_label, kept[:nodes].copy()


@njit(nogil=True)
def sort_by_head(head, num_nodes):
    """Return a stable order of edges by head, and where each head's edges begin in it."""
    node_ptr = np.zeros(num_nodes + 1, dtype=np.int64)
    for e in range(len(head)):
        node_ptr[head[e] + 1] += 1
    for v in range(num_nodes):
        node_ptr[v + 1] += node_ptr[v]
    place = node_ptr[:-1].copy()
    order = np.empty(len(head), dtype=np.int64)
    for e in range(len(head)):
        order[place[head[e]]] = e
        place[head[e]] += 1
    return order, node_ptr
