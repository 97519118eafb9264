"""Kernel that takes wide edges apart; its twin is in `tests/translation/syntax`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treewright.arrays import Bools, Ints, Longs
from treewright.compiling import njit


class Given(NamedTuple):
    """A forest, and what its edges write as `Yields` has it."""

    node_ptr: Longs
    tail_ptr: Longs
    tail: Ints
    ptr: Longs
    item: Ints


class Narrowed(NamedTuple):
    """The new forest: `origin` is the old node of each node, `source` the old edge of each edge."""

    head: Ints
    tail_ptr: Longs
    tail: Ints
    ptr: Longs
    item: Ints
    origin: Ints
    source: Ints
    is_part: Bools


@njit(nogil=True)
def count_parts(arity, most):
    """Return how many parts an edge is begun with, each of which takes up `most` tails."""
    return max(0, -((most - arity) // (most - 1)))


@njit(nogil=True)
def narrow_edges(given, most):
    """Let edges have at most `most` tails: a wider one begins with nodes of its own.

    Returns the parts of `Narrowed`.
    """
    edges, nodes, parts = given.tail_ptr.size - 1, given.node_ptr.size - 1, 0
    for edge in range(edges):
        parts += count_parts(given.tail_ptr[edge + 1] - given.tail_ptr[edge], most)
    found = Narrowed(
        np.empty(edges + parts, np.int32),
        np.zeros(edges + parts + 1, np.int64),
        np.empty(given.tail.size + parts, np.int32),
        np.zeros(edges + parts + 1, np.int64),
        np.empty(given.item.size + parts, np.int32),
        np.empty(nodes + parts, np.int32),
        np.empty(edges + parts, np.int32),
        np.zeros(edges + parts, np.bool_),
    )
    number = np.empty(nodes, np.int32)
    link = np.full(edges, -1, np.int32)
    at = given.ptr[:-1].copy()
    # Nodes, edges, tails and items so far.
    size = np.zeros(4, np.int64)
    for node in range(nodes):
        for edge in range(given.node_ptr[node], given.node_ptr[node + 1]):
            for _ in range(count_parts(given.tail_ptr[edge + 1] - given.tail_ptr[edge], most)):
                found.is_part[size[1]] = True
                at[edge] = write(found, size, given, edge, link[edge], most, at[edge], number)
                link[edge] = size[0]
                found.origin[size[0]] = node
                size[0] += 1
        for edge in range(given.node_ptr[node], given.node_ptr[node + 1]):
            if link[edge] < 0:
                copy(found, size, given, edge, number)
            else:
                write(found, size, given, edge, link[edge], most, at[edge], number)
        number[node] = size[0]
        found.origin[size[0]] = node
        size[0] += 1
    return found[:]


@njit(nogil=True)
def write(found, size, given, edge, link, most, at, number):
    """Write an edge that begins with `link` (-1: with nothing), of items from `at` on.

    It ends before the tail that is one too many; returns where. Its head is the next node.
    """
    tails = 0
    if link >= 0:
        found.tail[size[2]] = link
        found.item[size[3]] = -1
        size[2] += 1
        size[3] += 1
        tails = 1
    first, end, item = given.tail_ptr[edge], given.ptr[edge + 1], given.item
    while at < end and (item[at] >= 0 or tails < most):
        found.item[size[3]] = item[at]
        if item[at] < 0:
            found.tail[size[2]] = number[given.tail[first - 1 - item[at]]]
            found.item[size[3]] = -1 - tails
            size[2] += 1
            tails += 1
        size[3] += 1
        at += 1
    close(found, size, edge)
    return at


@njit(nogil=True)
def copy(found, size, given, edge, number):
    """Write an edge as it is. Its head is the next node."""
    for k in range(given.tail_ptr[edge], given.tail_ptr[edge + 1]):
        found.tail[size[2]] = number[given.tail[k]]
        size[2] += 1
    for k in range(given.ptr[edge], given.ptr[edge + 1]):
        found.item[size[3]] = given.item[k]
        size[3] += 1
    close(found, size, edge)


@njit(nogil=True)
def close(found, size, edge):
    """End the edge that is being written."""
    row = size[1]
    found.head[row], found.source[row] = size[0], edge
    found.tail_ptr[row + 1], found.ptr[row + 1] = size[2], size[3]
    size[1] += 1
