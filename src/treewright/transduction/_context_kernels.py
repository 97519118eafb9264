"""Kernels of the language model's algebra: the words at both ends of a partial target.

What a part has at its left end cannot be scored before its context is known. Those words are an
n-gram of the model: once the model does not have them together, it does not have them after other
words either, and only back-off weights are missing (Li and Khudanpur 2008; Heafield 2011). So a
state is two nodes of the model and a bit:

* the n-gram at the left end, of at most order - 1 words;
* the context that the right end leaves;
* whether there are words beyond the left n-gram. If not, it is all there is.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.arrays import Bools, Ints, Longs
from treewright.compiling import njit
from treewright.lm._kernels import extend, find_child


class ContextData(NamedTuple):
    """A language model, and the words of every edge around its tails.

    `parent` is the n-gram without its last word; n-grams of the highest order start at `top`.
    `begin` and `end` are the context and the word that the root gets, at the edges of `is_root`.
    The items of edge `e` are those from `ptr[e]` on: words, and -1 for a tail. Turn `t` of an edge
    takes the tail at `position[tail_ptr[e] + t]`, which is item `place[tail_ptr[e] + position]`.
    """

    nodes: NDArray[Any]
    parent: Ints
    top: int
    begin: int
    end: int
    weight: float
    is_root: Bools
    ptr: Longs
    item: Ints
    tail_ptr: Longs
    position: Ints
    place: Longs


@njit(nogil=True)
def pack(left, right, is_open):
    """Return a state."""
    return (left << 32) | (right << 1) | is_open


@njit(nogil=True)
def lengthen_left(data, left, word):
    """Add a word to a left n-gram that is all there is; return it, and whether it is full."""
    child = find_child(data.nodes, left, word)
    if child < 0 or child >= data.top:
        return left, np.int64(1)
    return child, np.int64(0)


@njit(nogil=True)
def add_words(data, state, at, end):
    """Add words until a tail or the end; return the state and the log-probability."""
    left, right, full = state >> 32, (state >> 1) & 0x7FFFFFFF, state & 1
    total = 0.0
    while at < end and data.item[at] >= 0:
        word = np.int64(data.item[at])
        gain, right = extend(data.nodes, right, word)
        total += gain
        if not full:
            left, full = lengthen_left(data, left, word)
        at += 1
    return pack(left, right, full), total


@njit(nogil=True)
def ancestor(data, node, steps):
    """Return an n-gram without its last `steps` words."""
    for _ in range(steps):
        node = np.int64(data.parent[node])
    return node


@njit(nogil=True)
def attach(data, left, full, context, state):
    """Put a part after a context; return the left n-gram, whether it is full, the context behind.

    Last comes what the log-probability changes by, now that the context is known.
    """
    behind, ending, beyond = state >> 32, (state >> 1) & 0x7FFFFFFF, state & 1
    length, node = 0, behind
    while node > 0:
        node = np.int64(data.parent[node])
        length += 1
    total = 0.0
    for k in range(length - 1, -1, -1):
        prefix = ancestor(data, behind, k)
        word = np.int64(data.nodes[prefix]["word"])
        gain, context = extend(data.nodes, context, word)
        total += gain - data.nodes[prefix]["log_prob"]
        if not full:
            left, full = lengthen_left(data, left, word)
    if beyond:
        # The next word backs off to what the left n-gram alone leaves; it paid from there on.
        shorter = np.int64(data.nodes[behind]["state"])
        while context != shorter and context > 0:
            total += data.nodes[context]["back_off"]
            context = np.int64(data.nodes[context]["suffix"])
        return left, np.int64(1), ending, total
    return left, full, context, total


@njit(nogil=True)
def start_context(data, edge, choice):
    """Begin with the words before the first tail."""
    state, total = add_words(data, np.int64(0), data.ptr[edge], data.ptr[edge + 1])
    return state, data.weight * total


@njit(nogil=True)
def step_context(data, edge, position, state, tail_state):
    """Append what a tail derives, and the words up to the next tail."""
    place = data.place[data.tail_ptr[edge] + position]
    if place < 0:
        return state, 0.0
    joined, total = np.int64(tail_state), 0.0
    if state != 0:
        left, right, full = state >> 32, (state >> 1) & 0x7FFFFFFF, state & 1
        left, full, right, total = attach(data, left, full, right, tail_state)
        joined = pack(left, right, full)
    joined, gain = add_words(data, joined, place + 1, data.ptr[edge + 1])
    return joined, data.weight * (total + gain)


@njit(nogil=True)
def finish_context(data, edge, state):
    """At the root, put the whole between the beginning and the end of a sentence."""
    if not data.is_root[edge]:
        return state, 0.0
    begin = np.int64(data.begin)
    _, _, context, total = attach(data, np.int64(0), np.int64(1), begin, state)
    gain, _ = extend(data.nodes, context, np.int64(data.end))
    return np.int64(0), data.weight * (total + gain)


@njit(nogil=True)
def target_order(data, edge, turn):
    """Take in tails in the order of the target."""
    return data.position[data.tail_ptr[edge] + turn]


@njit(nogil=True)
def place_tails(tail_ptr, ptr, item, position, place):
    """Write where each tail is among the items of its edge (-1: nowhere), and their order.

    Items below 0 are `-1 - position`. Tails that are nowhere come last.
    """
    place[:] = -1
    for edge in range(tail_ptr.size - 1):
        first, turn = tail_ptr[edge], tail_ptr[edge]
        for at in range(ptr[edge], ptr[edge + 1]):
            if item[at] < 0:
                place[first - 1 - item[at]] = at
                position[turn] = -1 - item[at]
                turn += 1
        for tail in range(first, tail_ptr[edge + 1]):
            if place[tail] < 0:
                position[turn] = tail - first
                turn += 1


@njit(nogil=True)
def edge_gains(data, origin, tail_ptr, tail, state, gains):
    """Write the log-probability that each edge of a refined forest adds, given its nodes' states.

    Edges have the tails of the edges that they come from, in the same order.
    """
    for edge in range(origin.size):
        source = origin[edge]
        reached, total = add_words(data, np.int64(0), data.ptr[source], data.ptr[source + 1])
        for turn in range(tail_ptr[edge + 1] - tail_ptr[edge]):
            position = target_order(data, source, turn)
            below = state[tail[tail_ptr[edge] + position]]
            reached, gain = step_context(data, source, position, reached, below)
            total += gain
        reached, gain = finish_context(data, source, reached)
        gains[edge] = total + gain
