"""Kernels for lazy k-best lists: the order of `ranking`, on arrays.

A *candidate* is a derivation of a node: an edge and, for each tail, the candidate it takes. Node
`v`'s best is candidate `v`, and every ranked candidate is linked to the next of its node. Those
that wait for their rank form one skew heap per node.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.compiling import njit
from treewright.forest._kernels import NEVER, with_room
from treewright.forest.arrays import Floats, Ints, Pointers

Keys = NDArray[np.uint64]

EDGE, CHILDREN, LEFT, RIGHT, NEXT, RANK = range(6)
_COLUMNS = 6
NONE, UNKNOWN = -1, -2

_FIRST_FACTOR = np.uint64(0xBF58476D1CE4E5B9)
_SECOND_FACTOR = np.uint64(0x94D049BB133111EB)
_STEP = np.uint64(0x9E3779B97F4A7C15)
_BASE = np.uint64(0xD6E8FEB86659FD93)


class Graph(NamedTuple):
    """A forest's arrays, its weights, and the key and shift of the symbols of each edge."""

    head: Ints
    node_ptr: Pointers
    tail_ptr: Pointers
    tail: Ints
    weights: Floats
    key: Keys
    shift: Keys


class Pool(NamedTuple):
    """All candidates: scores, links (in the columns above), children, and keys of their yields."""

    score: Floats
    links: NDArray[np.int64]
    children: NDArray[np.int64]
    key: Keys
    shift: Keys
    size: NDArray[np.int64]
    """How many candidates and how many children there are."""


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
        if not (distinct and is_known(pool.key, chosen[:found], last)):
            chosen[found] = last
            found += 1
        if found == most:
            break
        pool, stack = find_next(graph, pool, heap, stack, last)
        last = pool.links[last, NEXT]
    listed: tuple[Floats, Pointers, Ints] = spell_out(graph, pool, chosen[:found])
    return listed


@njit(nogil=True)
def is_known(key: Keys, chosen: NDArray[np.int64], candidate: int) -> bool:
    """Whether one of the chosen candidates has the yield of this one."""
    known = False
    for other in chosen:
        known |= key[other] == key[candidate]
    return known


@njit(nogil=True)
def first_candidates(graph: Graph, best: Floats, best_edge: Ints) -> Pool:
    """Return a pool of the best candidate of each node."""
    nodes = best.size
    pool = Pool(
        np.empty(nodes + 64),
        np.empty((nodes + 64, _COLUMNS), np.int64),
        np.empty(graph.tail.size + 64, np.int64),
        np.empty(nodes + 64, np.uint64),
        np.empty(nodes + 64, np.uint64),
        np.zeros(2, np.int64),
    )
    for node in range(nodes):
        edge = best_edge[node]
        if edge < 0:
            pool.score[node] = NEVER
            pool.size[0] += 1
            continue
        children = pool.size[1]
        for position in range(graph.tail_ptr[edge], graph.tail_ptr[edge + 1]):
            pool.children[pool.size[1]] = graph.tail[position]
            pool.size[1] += 1
        pool.links[node, RANK] = 0
        add_candidate(graph, pool, edge, children, best[node])
    return pool


@njit(nogil=True)
def add_candidate(graph: Graph, pool: Pool, edge: int, children: int, score: float) -> None:
    """Write the next candidate, whose children are in their places."""
    candidate = pool.size[0]
    pool.size[0] += 1
    pool.score[candidate] = score
    pool.links[candidate, EDGE] = edge
    pool.links[candidate, CHILDREN] = children
    pool.links[candidate, LEFT] = NONE
    pool.links[candidate, RIGHT] = NONE
    pool.links[candidate, NEXT] = UNKNOWN
    key, shift = np.uint64(0), np.uint64(1)
    for i in range(graph.tail_ptr[edge + 1] - graph.tail_ptr[edge]):
        child = pool.children[children + i]
        key = key * pool.shift[child] + pool.key[child]
        shift = shift * pool.shift[child]
    pool.key[candidate] = key * graph.shift[edge] + graph.key[edge]
    pool.shift[candidate] = shift * graph.shift[edge]


@njit(nogil=True)
def find_next(
    graph: Graph, pool: Pool, heap: NDArray[np.int64], stack: NDArray[np.int64], wanted: int
) -> tuple[Pool, NDArray[np.int64]]:
    """Link a ranked candidate to the next one of its node, first finding those that this needs."""
    stack[0] = wanted
    depth = 1
    while depth > 0:
        candidate = stack[depth - 1]
        if pool.links[candidate, NEXT] != UNKNOWN:
            depth -= 1
            continue
        edge, children = pool.links[candidate, EDGE], pool.links[candidate, CHILDREN]
        arity = graph.tail_ptr[edge + 1] - graph.tail_ptr[edge]
        stack = with_room(stack, depth + arity)
        below = depth
        for i in range(first_step(pool, children, arity), arity):
            child = pool.children[children + i]
            if pool.links[child, NEXT] == UNKNOWN:
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
    while position > 0 and pool.links[pool.children[children + position - 1], RANK] == 0:
        position -= 1
    return max(position - 1, 0)


@njit(nogil=True)
def with_pool_room(graph: Graph, pool: Pool, edge: int) -> Pool:
    """Return the pool with room for all that one step at the head of an edge may propose."""
    node = graph.head[edge]
    first, last = graph.node_ptr[node], graph.node_ptr[node + 1]
    arity = graph.tail_ptr[edge + 1] - graph.tail_ptr[edge]
    more = pool.size[0] + last - first + arity
    more_children = pool.size[1] + graph.tail_ptr[last] - graph.tail_ptr[first] + arity * arity
    children = with_room(pool.children, more_children)
    if more <= pool.score.size:
        return Pool(pool.score, pool.links, children, pool.key, pool.shift, pool.size)
    room = max(more, 2 * pool.score.size)
    score = np.empty(room)
    links = np.empty((room, _COLUMNS), np.int64)
    key, shift = np.empty(room, np.uint64), np.empty(room, np.uint64)
    for i in range(pool.size[0]):
        score[i], key[i], shift[i] = pool.score[i], pool.key[i], pool.shift[i]
        for column in range(_COLUMNS):
            links[i, column] = pool.links[i, column]
    return Pool(score, links, children, key, shift, pool.size)


@njit(nogil=True)
def advance(graph: Graph, pool: Pool, heap: NDArray[np.int64], candidate: int) -> Pool:
    """Let the successors of the last candidate of a node compete for the next rank."""
    edge, children = pool.links[candidate, EDGE], pool.links[candidate, CHILDREN]
    node = graph.head[edge]
    if heap[node] == UNKNOWN:
        heap[node] = NONE
        for other in range(graph.node_ptr[node], graph.node_ptr[node + 1]):
            if other != edge:
                place = pool.size[1]
                for position in range(graph.tail_ptr[other], graph.tail_ptr[other + 1]):
                    pool.children[pool.size[1]] = graph.tail[position]
                    pool.size[1] += 1
                propose(graph, pool, heap, other, place)
    arity = graph.tail_ptr[edge + 1] - graph.tail_ptr[edge]
    for i in range(first_step(pool, children, arity), arity):
        following = pool.links[pool.children[children + i], NEXT]
        if following >= 0:
            place = pool.size[1]
            for j in range(arity):
                pool.children[place + j] = pool.children[children + j]
            pool.children[place + i] = following
            pool.size[1] += arity
            propose(graph, pool, heap, edge, place)
    top = heap[node]
    pool.links[candidate, NEXT] = top
    if top >= 0:
        heap[node] = merge(pool, pool.links[top, LEFT], pool.links[top, RIGHT])
        pool.links[top, RANK] = pool.links[candidate, RANK] + 1
    return pool


@njit(nogil=True)
def propose(graph: Graph, pool: Pool, heap: NDArray[np.int64], edge: int, children: int) -> None:
    """Put a candidate into the heap of its node, unless its score is -inf."""
    score = graph.weights[edge]
    for i in range(graph.tail_ptr[edge + 1] - graph.tail_ptr[edge]):
        score += pool.score[pool.children[children + i]]
    if score > NEVER:
        candidate = pool.size[0]
        add_candidate(graph, pool, edge, children, score)
        heap[graph.head[edge]] = merge(pool, heap[graph.head[edge]], candidate)


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
        below = pool.links[a, RIGHT]
        pool.links[a, RIGHT] = pool.links[a, LEFT]
        if below < 0:
            pool.links[a, LEFT] = b
            return top
        if comes_before(pool, b, below):
            below, b = b, below
        pool.links[a, LEFT] = below
        a = below


@njit(nogil=True)
def comes_before(pool: Pool, a: int, b: int) -> bool:
    """Order candidates of a node by score, then edge, then the ranks of the children."""
    if pool.score[a] != pool.score[b]:
        return bool(pool.score[a] > pool.score[b])
    if pool.links[a, EDGE] != pool.links[b, EDGE]:
        return bool(pool.links[a, EDGE] < pool.links[b, EDGE])
    i, j = pool.links[a, CHILDREN], pool.links[b, CHILDREN]
    while pool.children[i] == pool.children[j]:
        i += 1
        j += 1
    return bool(pool.links[pool.children[i], RANK] < pool.links[pool.children[j], RANK])


@njit(nogil=True)
def spell_out(graph: Graph, pool: Pool, chosen: NDArray[np.int64]) -> tuple[Floats, Pointers, Ints]:
    """Return scores, bounds and edges of candidates."""
    scores = np.empty(chosen.size)
    start = np.zeros(chosen.size + 1, np.int64)
    edges = np.empty(16 * chosen.size, np.int32)
    stack = np.empty(64, np.int64)
    end = 0
    for i in range(chosen.size):
        scores[i] = pool.score[chosen[i]]
        stack[0] = chosen[i]
        depth = 1
        while depth > 0:
            depth -= 1
            edge, place = pool.links[stack[depth], EDGE], pool.links[stack[depth], CHILDREN]
            edges = with_room(edges, end + 1)
            edges[end] = edge
            end += 1
            arity = graph.tail_ptr[edge + 1] - graph.tail_ptr[edge]
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
