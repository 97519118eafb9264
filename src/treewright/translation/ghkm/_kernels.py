"""What kernels find out about a pair: its frontier nodes, and what they can be translated by."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.arrays import Ints, Longs
from treewright.compiling import njit, records
from treewright.translation.phrases._kernels import NOWHERE, reach_of

WITHIN, NEXT, EVERY = 0, 1, 2

NODE = records(
    [
        (name, "i4")
        for name in (
            # Of every tree, numbers of nodes counted within it.
            *("label", "production", "parent", "end", "left", "right", "depth"),
            # Of sources: the target of a frontier node starts between `first` and `low` and ends
            # between `high` and `last`, or is one of some candidates. `above` is the next frontier
            # node above, and `inside` says that a frontier node is spelled out.
            *("is_frontier", "low", "high", "first", "last", "candidate", "candidates"),
            *("above", "inside"),
            # Of targets: the variable that stands there, or -1.
            "variable",
        )
    ]
)
DESK = records(
    [
        (name, "i4")
        for name in (
            # Of a source fragment: symbols, the nodes where it stops, their order in the target,
            # the positions of its words.
            *("symbol", "stop", "order", "place"),
            # Of a target: which one it is; its symbols, the variables among them, and for each
            # target position the number of its word.
            *("digit", "target_symbol", "variable", "word"),
        )
    ]
)


class Trees(NamedTuple):
    """Trees side by side in preorder; that of pair `i` is the nodes `start[i] : start[i + 1]`."""

    start: Longs
    nodes: NDArray[Any]


class Texts(NamedTuple):
    """Numbered words of sentences side by side."""

    start: Longs
    words: Ints


class Limits(NamedTuple):
    """What composed rules are limited to, the ways to attach words, and where words go."""

    parts: int
    size: int
    depth: int
    variables: int
    phrases: int
    places: int
    unaligned: int
    to_trees: bool


class View(NamedTuple):
    """One pair: its nodes, words and links, and a desk to put rules together.

    The links of source word `i` are from `link_start[i]` on. `frontier` lists the frontier nodes.
    `counts` are those of the fragment on the desk.
    """

    nodes: NDArray[Any]
    other: NDArray[Any]
    words: Ints
    link_start: Ints
    link_target: Ints
    frontier: Ints
    candidates: Ints
    desk: NDArray[Any]
    counts: Longs


@njit(nogil=True)
def open_pair(source, target, texts, links, limits, pair):
    """Find the frontier nodes of a pair, and what they can be translated by."""
    nodes = source.nodes[source.start[pair] : source.start[pair + 1]]
    other = target.nodes[target.start[pair] : target.start[pair + 1]]
    words = texts.words[texts.start[pair] : texts.start[pair + 1]]
    at, stop = links.start[pair], links.start[pair + 1]
    link_source, link_target = links.source[at:stop], links.target[at:stop]
    n, m = nodes[0].right, words.size
    reach = reach_of(n, m, link_source, link_target)
    find_frontier(nodes, reach)
    if limits.to_trees:
        candidates = find_candidates(nodes, other, reach, limits.unaligned)
    else:
        extend_spans(nodes, reach, limits.unaligned)
        candidates = np.empty(0, np.int32)
    frontier = climb(nodes)
    most = max(2 * nodes.size + 2, m, other.size)
    desk = np.empty(most, DESK)
    start = word_starts(link_source, n)
    counts = np.zeros(6, np.int64)
    return View(nodes, other, words, start, link_target, frontier, candidates, desk, counts)


@njit(nogil=True)
def word_starts(link_source, n):
    """Return where the links of each source word start; links are sorted by it."""
    start = np.zeros(n + 1, np.int32)
    for k in range(link_source.size):
        start[link_source[k] + 1] += 1
    for i in range(n):
        start[i + 1] += start[i]
    return start


@njit(nogil=True)
def find_frontier(nodes, reach):
    """Find the span of each node, and say whether no word outside the node is linked into it."""
    for x in range(nodes.size):
        node = nodes[x]
        low, high = reach.target_low.size, NOWHERE
        for i in range(node.left, node.right):
            low = min(low, reach.source_low[i])
            high = max(high, reach.source_high[i])
        node.low, node.high = low, high
        node.is_frontier = high != NOWHERE and is_closed(node, reach, low, high + 1)


@njit(nogil=True)
def is_closed(node, reach, start, end):
    """Whether target words are linked to words of a node only."""
    for j in range(start, end):
        if reach.target_high[j] == NOWHERE:
            continue
        if reach.target_low[j] < node.left or reach.target_high[j] >= node.right:
            return False
    return True


@njit(nogil=True)
def extend_spans(nodes, reach, unaligned):
    """Attach unlinked target words: say how far the spans of frontier nodes may extend.

    Spans themselves change where there is one place only. The root has the whole sentence.
    """
    m = reach.target_low.size
    for x in range(nodes.size):
        node = nodes[x]
        node.first, node.last = node.low, node.high
        if not node.is_frontier:
            continue
        a, b = node.low, node.high
        while a > 0 and reach.target_high[a - 1] == NOWHERE:
            a -= 1
        while b < m - 1 and reach.target_high[b + 1] == NOWHERE:
            b += 1
        if x == 0:
            node.low = node.first = 0
            node.high = node.last = m - 1
        elif unaligned == NEXT:
            node.low = node.first = a
            if b == m - 1:
                node.high = node.last = b
        elif unaligned == EVERY:
            node.first, node.last = a, b


@njit(nogil=True)
def find_candidates(nodes, other, reach, unaligned):
    """Find the target nodes that share all their links with each source node, from the top down.

    Frontier nodes without any are none. The roots go together, and with nothing else. Unless every
    candidate is wanted, source nodes that share their links take one each, from the top down, and
    the last of them for all that are left.
    """
    found = np.empty(nodes.size * (other.size + 1), np.int32)
    taken = np.zeros(nodes.size, np.int32)
    count = 0
    for x in range(nodes.size):
        node = nodes[x]
        node.candidate = count
        y = 0 if node.is_frontier else -1
        while y >= 0:
            whole = (x == 0) == (y == 0)
            if whole and is_closed(node, reach, other[y].left, other[y].right):
                found[count] = y
                count += 1
            y = child_around(other, y, node.low, node.high)
        node.candidates = count - node.candidate
        node.is_frontier = node.candidates > 0
        if node.is_frontier and unaligned != EVERY:
            taken[x] = min(taken_above(nodes, taken, x) + 1, node.candidates)
            found[node.candidate] = found[node.candidate + taken[x] - 1]
            node.candidates = 1
            count = node.candidate + 1
    return found[:count].copy()


@njit(nogil=True)
def taken_above(nodes, taken, x):
    """Return how many candidates of a node are taken by nodes above it with the same links."""
    up = nodes[x].parent
    while up > 0 and not nodes[up].is_frontier:
        up = nodes[up].parent
    if up <= 0 or nodes[up].low != nodes[x].low or nodes[up].high != nodes[x].high:
        return 0
    return taken[up]


@njit(nogil=True)
def child_around(nodes, y, low, high):
    """Return the child that has all words from `low` to `high`, or -1."""
    child = y + 1
    while child < nodes[y].end:
        if nodes[child].left <= low and high < nodes[child].right:
            return child
        child = nodes[child].end
    return -1


@njit(nogil=True)
def climb(nodes):
    """Find the next frontier node above each node, and its depth; return the frontier nodes."""
    frontier, count = np.empty(nodes.size, np.int32), 0
    for x in range(nodes.size):
        node = nodes[x]
        node.above, node.depth = -1, 0
        if x > 0:
            up = nodes[node.parent]
            node.above = node.parent if up.is_frontier else up.above
            node.depth = up.depth + 1
        if node.is_frontier:
            frontier[count] = x
            count += 1
    return frontier[:count].copy()
