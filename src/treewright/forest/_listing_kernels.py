"""Kernels for lazy k-best lists: the order of `ranking`, on arrays.

A *candidate* is a derivation of a node: an edge and, for each tail, the candidate it takes. Node
`v`'s best is candidate `v`, and every ranked candidate is linked to the next of its node. Those
that wait for their rank form one skew heap per node.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.compiling import njit
from treewright.forest._kernels import NEVER, with_room
from treewright.forest.arrays import Floats, Ints, Pointers

Keys = NDArray[np.uint64]
Records = NDArray[Any]

NONE, UNKNOWN = -1, -2

EDGE = np.dtype(
    [
        ("head", "i4"),
        ("tails", "i8"),
        ("arity", "i4"),
        ("weight", "f8"),
        ("key", "u8"),
        ("shift", "u8"),
    ]
)
"""An edge, where its tails begin, and the key and shift of its symbols."""

CANDIDATE = np.dtype(
    [
        ("score", "f8"),
        ("key", "u8"),
        ("shift", "u8"),
        ("edge", "i4"),
        ("rank", "i4"),
        ("children", "i8"),  # where its children begin
        ("left", "i8"),  # below it in the heap
        ("right", "i8"),
        ("next", "i8"),  # of the same node
    ]
)

_FIRST_FACTOR = np.uint64(0xBF58476D1CE4E5B9)
_SECOND_FACTOR = np.uint64(0x94D049BB133111EB)
_STEP = np.uint64(0x9E3779B97F4A7C15)
_BASE = np.uint64(0xD6E8FEB86659FD93)


class Graph(NamedTuple):
    """A forest: records of its edges, the first edge of each node, and tails."""

    edges: Records
    node_ptr: Pointers
    tail: Ints


class Pool(NamedTuple):
    """All candidates, their children, and how many of both there are."""

    rows: Records
    children: Pointers
    size: Pointers


@njit(nogil=True)
def symbol_keys(start: Pointers, symbols: Ints) -> tuple[Keys, Keys]:
    """Return a key of each row of symbols, and what shifts a key past it.

    The key of two rows side by side is `key_1 · shift_2 + key_2`.
    """
    key = np.zeros(start.size - 1, np.uint64)
    shift = np.ones(start.size - 1, np.uint64)
    for row in range(key.size):
        for position in range(start[row], start[row + 1]):
            mixed = np.uint64(symbols[position]) + _STEP
            mixed = (mixed ^ (mixed >> np.uint64(30))) * _FIRST_FACTOR
            mixed = (mixed ^ (mixed >> np.uint64(27))) * _SECOND_FACTOR
            key[row] = key[row] * _BASE + (mixed ^ (mixed >> np.uint64(31)))
            shift[row] = shift[row] * _BASE
    return key, shift


@njit(nogil=True)
def list_best(
    graph: Graph, best: Floats, best_edge: Ints, most: int, tries: int, distinct: bool
) -> tuple[Floats, Pointers, Ints]:
    """Return scores, bounds and edges (in postorder) of the best derivations of the root.

    With `distinct`, only the first of each yield counts, and at most `tries` are looked at.
    """
    pool = first_candidates(graph, best, best_edge)
    heap = np.full(best.size, UNKNOWN, np.int64)
    stack = np.empty(64, np.int64)
    chosen = np.empty(most, np.int64)
    found, tried = 0, 0
    last = best.size - 1 if best_edge[best.size - 1] >= 0 else NONE
    while last >= 0 and found < most and tried < tries:
        tried += 1
        if not (distinct and is_known(pool.rows, chosen[:found], last)):
            chosen[found] = last
            found += 1
        if found == most:
            break
        pool, stack = find_next(graph, pool, heap, stack, last)
        last = pool.rows[last]["next"]
    listed: tuple[Floats, Pointers, Ints] = spell_out(graph, pool, chosen[:found])
    return listed


@njit(nogil=True)
def is_known(rows: Records, chosen: NDArray[np.int64], candidate: int) -> bool:
    """Whether one of the chosen candidates has the yield of this one."""
    known = False
    for other in chosen:
        known |= rows[other]["key"] == rows[candidate]["key"]
    return known


@njit(nogil=True)
def first_candidates(graph: Graph, best: Floats, best_edge: Ints) -> Pool:
    """Return a pool of the best candidate of each node."""
    nodes = best.size
    pool = Pool(
        np.empty(nodes + 64, CANDIDATE),
        np.empty(graph.tail.size + 64, np.int64),
        np.zeros(2, np.int64),
    )
    for node in range(nodes):
        edge = best_edge[node]
        if edge < 0:
            pool.rows[node]["score"] = NEVER
            pool.size[0] += 1
            continue
        pool.rows[node]["rank"] = 0
        add_candidate(graph, pool, edge, add_tails(graph, pool, edge), best[node])
    return pool


@njit(nogil=True)
def add_tails(graph: Graph, pool: Pool, edge: int) -> int:
    """Write the best candidates of an edge's tails as children, and return where they begin."""
    children, first = pool.size[1], graph.edges[edge]["tails"]
    for i in range(graph.edges[edge]["arity"]):
        pool.children[children + i] = graph.tail[first + i]
    pool.size[1] += graph.edges[edge]["arity"]
    return int(children)


@njit(nogil=True)
def add_candidate(graph: Graph, pool: Pool, edge: int, children: int, score: float) -> None:
    """Write the next candidate, whose children are in their places."""
    candidate = pool.size[0]
    pool.size[0] += 1
    pool.rows[candidate]["score"] = score
    pool.rows[candidate]["edge"] = edge
    pool.rows[candidate]["children"] = children
    pool.rows[candidate]["left"] = NONE
    pool.rows[candidate]["right"] = NONE
    pool.rows[candidate]["next"] = UNKNOWN
    key, shift = np.uint64(0), np.uint64(1)
    for i in range(graph.edges[edge]["arity"]):
        child = pool.children[children + i]
        key = key * pool.rows[child]["shift"] + pool.rows[child]["key"]
        shift = shift * pool.rows[child]["shift"]
    pool.rows[candidate]["key"] = key * graph.edges[edge]["shift"] + graph.edges[edge]["key"]
    pool.rows[candidate]["shift"] = shift * graph.edges[edge]["shift"]


@njit(nogil=True)
def find_next(
    graph: Graph, pool: Pool, heap: NDArray[np.int64], stack: NDArray[np.int64], wanted: int
) -> tuple[Pool, NDArray[np.int64]]:
    """Link a ranked candidate to the next one of its node, first finding those that this needs."""
    stack[0] = wanted
    depth = 1
    while depth > 0:
        candidate = stack[depth - 1]
        if pool.rows[candidate]["next"] != UNKNOWN:
            depth -= 1
            continue
        edge, children = pool.rows[candidate]["edge"], pool.rows[candidate]["children"]
        arity = graph.edges[edge]["arity"]
        stack = with_room(stack, depth + arity)
        below = depth
        for i in range(first_step(pool, children, arity), arity):
            child = pool.children[children + i]
            if pool.rows[child]["next"] == UNKNOWN:
                stack[depth] = child
                depth += 1
        if depth == below:
            pool = advance(graph, with_pool_room(graph, pool, edge), heap, candidate)
            depth -= 1
    return pool, stack


@njit(nogil=True)
def first_step(pool: Pool, children: int, arity: int) -> int:
    """Return the first position that may advance: the last one that has, or the first of all.

    So each choice of candidates has one predecessor and is proposed once.
    """
    position = arity
    while position > 0 and pool.rows[pool.children[children + position - 1]]["rank"] == 0:
        position -= 1
    return max(position - 1, 0)


@njit(nogil=True)
def with_pool_room(graph: Graph, pool: Pool, edge: int) -> Pool:
    """Return the pool with room for all that one step at the head of an edge may propose."""
    node = graph.edges[edge]["head"]
    first, last = graph.node_ptr[node], graph.node_ptr[node + 1]
    arity = graph.edges[edge]["arity"]
    more = pool.size[0] + last - first + arity
    tails = graph.edges[last - 1]["tails"] + graph.edges[last - 1]["arity"]
    tails -= graph.edges[first]["tails"]
    children = with_room(pool.children, pool.size[1] + tails + arity * arity)
    if more <= pool.rows.size:
        return Pool(pool.rows, children, pool.size)
    rows = np.empty(max(more, 2 * pool.rows.size), CANDIDATE)
    for i in range(pool.size[0]):
        rows[i] = pool.rows[i]
    return Pool(rows, children, pool.size)


@njit(nogil=True)
def advance(graph: Graph, pool: Pool, heap: NDArray[np.int64], candidate: int) -> Pool:
    """Let the successors of the last candidate of a node compete for the next rank."""
    edge, children = pool.rows[candidate]["edge"], pool.rows[candidate]["children"]
    node = graph.edges[edge]["head"]
    if heap[node] == UNKNOWN:
        heap[node] = NONE
        for other in range(graph.node_ptr[node], graph.node_ptr[node + 1]):
            if other != edge:
                propose(graph, pool, heap, other, add_tails(graph, pool, other))
    arity = graph.edges[edge]["arity"]
    for i in range(first_step(pool, children, arity), arity):
        following = pool.rows[pool.children[children + i]]["next"]
        if following >= 0:
            place = pool.size[1]
            for j in range(arity):
                pool.children[place + j] = pool.children[children + j]
            pool.children[place + i] = following
            pool.size[1] += arity
            propose(graph, pool, heap, edge, place)
    top = heap[node]
    pool.rows[candidate]["next"] = top
    if top >= 0:
        heap[node] = merge(pool, pool.rows[top]["left"], pool.rows[top]["right"])
        pool.rows[top]["rank"] = pool.rows[candidate]["rank"] + 1
    return pool


@njit(nogil=True)
def propose(graph: Graph, pool: Pool, heap: NDArray[np.int64], edge: int, children: int) -> None:
    """Put a candidate into the heap of its node, unless its score is -inf."""
    score = graph.edges[edge]["weight"]
    for i in range(graph.edges[edge]["arity"]):
        score += pool.rows[pool.children[children + i]]["score"]
    if score > NEVER:
        candidate = pool.size[0]
        add_candidate(graph, pool, edge, children, score)
        heap[graph.edges[edge]["head"]] = merge(pool, heap[graph.edges[edge]["head"]], candidate)


@njit(nogil=True)
def merge(pool: Pool, a: int, b: int) -> int:
    """Merge two skew heaps and return the top: walk down to the right and swap as we go."""
    if a < 0:
        return b
    if b < 0:
        return a
    if comes_before(pool, b, a):
        a, b = b, a
    top = a
    while True:
        below = pool.rows[a]["right"]
        pool.rows[a]["right"] = pool.rows[a]["left"]
        if below < 0:
            pool.rows[a]["left"] = b
            return top
        if comes_before(pool, b, below):
            below, b = b, below
        pool.rows[a]["left"] = below
        a = below


@njit(nogil=True)
def comes_before(pool: Pool, a: int, b: int) -> bool:
    """Order candidates of a node by score, then edge, then the ranks of the children."""
    if pool.rows[a]["score"] != pool.rows[b]["score"]:
        return bool(pool.rows[a]["score"] > pool.rows[b]["score"])
    if pool.rows[a]["edge"] != pool.rows[b]["edge"]:
        return bool(pool.rows[a]["edge"] < pool.rows[b]["edge"])
    i, j = pool.rows[a]["children"], pool.rows[b]["children"]
    while pool.children[i] == pool.children[j]:
        i += 1
        j += 1
    return bool(pool.rows[pool.children[i]]["rank"] < pool.rows[pool.children[j]]["rank"])


@njit(nogil=True)
def spell_out(graph: Graph, pool: Pool, chosen: NDArray[np.int64]) -> tuple[Floats, Pointers, Ints]:
    """Return scores, bounds and edges of candidates."""
    scores = np.empty(chosen.size)
    start = np.zeros(chosen.size + 1, np.int64)
    edges = np.empty(16 * chosen.size, np.int32)
    stack = np.empty(64, np.int64)
    end = 0
    for i in range(chosen.size):
        scores[i] = pool.rows[chosen[i]]["score"]
        stack[0] = chosen[i]
        depth = 1
        while depth > 0:
            depth -= 1
            edge, place = pool.rows[stack[depth]]["edge"], pool.rows[stack[depth]]["children"]
            edges = with_room(edges, end + 1)
            edges[end] = edge
            end += 1
            arity = graph.edges[edge]["arity"]
            stack = with_room(stack, depth + arity)
            for j in range(arity):
                stack[depth] = pool.children[place + j]
                depth += 1
        start[i + 1] = end
        # Parents first and the last child first, read backwards, is postorder.
        low, high = start[i], end - 1
        while low < high:
            edges[low], edges[high] = edges[high], edges[low]
            low += 1
            high -= 1
    return scores, start, edges[:end]
