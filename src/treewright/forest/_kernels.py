"""Numba kernels over a forest's arrays; each has a twin in `tests/forest/naive.py`.

They trust their input: the public functions beside them check it. `node_ptr`, `tail_ptr` and
`tail` are those of `Forest`; `weights` are one log-weight per edge, finite or -inf.
"""

from __future__ import annotations

import math

import numpy as np

from treewright.compiling import njit
from treewright.forest.arrays import Bools, Floats, Ints, Pointers

NEVER = -math.inf


@njit(cache=True, nogil=True)
def useful(node_ptr: Pointers, tail_ptr: Pointers, tail: Ints) -> tuple[Bools, Bools]:
    """Mark the nodes and edges that some complete derivation uses; the root always."""
    num_nodes = node_ptr.size - 1
    productive_node = np.zeros(num_nodes, np.bool_)
    keep_edge = np.zeros(tail_ptr.size - 1, np.bool_)
    for node in range(num_nodes):
        for edge in range(node_ptr[node], node_ptr[node + 1]):
            productive = True
            for position in range(tail_ptr[edge], tail_ptr[edge + 1]):
                productive &= productive_node[tail[position]]
            keep_edge[edge] = productive
            productive_node[node] |= productive
    keep_node = np.zeros(num_nodes, np.bool_)
    keep_node[num_nodes - 1] = True
    for node in range(num_nodes - 1, -1, -1):
        for edge in range(node_ptr[node], node_ptr[node + 1]):
            keep_edge[edge] &= keep_node[node]
            if keep_edge[edge]:
                for position in range(tail_ptr[edge], tail_ptr[edge + 1]):
                    keep_node[tail[position]] = True
    return keep_node, keep_edge


@njit(cache=True, nogil=True)
def log_sum(values: Floats) -> float:
    """Return the log of the sum of exponentials; -inf for none."""
    largest = NEVER
    for value in values:
        largest = max(largest, value)
    if largest == NEVER:
        return NEVER
    total = 0.0
    for value in values:
        total += math.exp(value - largest)
    return largest + math.log(total)


@njit(cache=True, nogil=True)
def log_inside(
    node_ptr: Pointers, tail_ptr: Pointers, tail: Ints, weights: Floats
) -> tuple[Floats, Floats]:
    """Return the inside value of each node, and of each edge: weight plus insides of its tails."""
    inside = np.empty(node_ptr.size - 1)
    edge_inside = np.empty(weights.size)
    for node in range(inside.size):
        for edge in range(node_ptr[node], node_ptr[node + 1]):
            value = weights[edge]
            for position in range(tail_ptr[edge], tail_ptr[edge + 1]):
                value += inside[tail[position]]
            edge_inside[edge] = value
        inside[node] = log_sum(edge_inside[node_ptr[node] : node_ptr[node + 1]])
    return inside, edge_inside


@njit(cache=True, nogil=True)
def log_outside(
    node_ptr: Pointers, tail_ptr: Pointers, tail: Ints, weights: Floats, inside: Floats
) -> Floats:
    """Return the outside value of each node.

    The insides of the other tails are sums from the left and from the right of a position. Taking
    one tail out of the whole sum instead would subtract -inf from -inf.
    """
    outside = np.full(inside.size, NEVER)
    outside[inside.size - 1] = 0.0
    widest = 0
    for edge in range(weights.size):
        widest = max(widest, tail_ptr[edge + 1] - tail_ptr[edge])
    right = np.zeros(widest + 1)
    for node in range(inside.size - 1, -1, -1):
        for edge in range(node_ptr[node], node_ptr[node + 1]):
            left = outside[node] + weights[edge]
            if left == NEVER:
                continue
            first, last = tail_ptr[edge], tail_ptr[edge + 1]
            right[last - first] = 0.0
            for i in range(last - first - 1, -1, -1):
                right[i] = right[i + 1] + inside[tail[first + i]]
            for i in range(last - first):
                child = tail[first + i]
                outside[child] = log_add(outside[child], left + right[i + 1])
                left += inside[child]
    return outside


@njit(cache=True, nogil=True)
def log_add(a: float, b: float) -> float:
    """Return log(exp(a) + exp(b)), exact when either is -inf."""
    if a < b:
        a, b = b, a
    return a if b == NEVER else a + math.log1p(math.exp(b - a))


@njit(cache=True, nogil=True)
def posteriors(
    node_ptr: Pointers, tail_ptr: Pointers, tail: Ints, inside: Floats, edge_inside: Floats
) -> Floats:
    """Turn `edge_inside` into the expected number of uses of each edge, in place.

    The root is visited once; an edge is used as often as its head is visited, times its share of
    the head's inside; each use visits the tail at each position. No outside values are needed.
    """
    visits = np.zeros(inside.size)
    visits[inside.size - 1] = 1.0
    for node in range(inside.size - 1, -1, -1):
        dead = visits[node] == 0.0 or inside[node] == NEVER
        for edge in range(node_ptr[node], node_ptr[node + 1]):
            if dead:
                edge_inside[edge] = 0.0
                continue
            uses = visits[node] * math.exp(edge_inside[edge] - inside[node])
            edge_inside[edge] = uses
            if uses > 0.0:
                for position in range(tail_ptr[edge], tail_ptr[edge + 1]):
                    visits[tail[position]] += uses
    return edge_inside


@njit(cache=True, nogil=True)
def add_expected_counts(
    node_ptr: Pointers,
    tail_ptr: Pointers,
    tail: Ints,
    label: Ints,
    label_weights: Floats,
    counts: Floats,
) -> float:
    """Gather, inside, posteriors, scatter: the E-step of one forest. Returns log Z."""
    weights = np.empty(label.size)
    for edge in range(label.size):
        weights[edge] = label_weights[label[edge]] if label[edge] >= 0 else 0.0
    inside, edge_inside = log_inside(node_ptr, tail_ptr, tail, weights)
    uses = posteriors(node_ptr, tail_ptr, tail, inside, edge_inside)
    for edge in range(label.size):
        if label[edge] >= 0:
            counts[label[edge]] += uses[edge]
    log_z: float = inside[inside.size - 1]
    return log_z


@njit(cache=True, nogil=True)
def viterbi(
    node_ptr: Pointers, tail_ptr: Pointers, tail: Ints, weights: Floats
) -> tuple[Floats, Ints]:
    """Return the best score and the best edge of each node (-1 where all is -inf)."""
    best = np.full(node_ptr.size - 1, NEVER)
    best_edge = np.full(node_ptr.size - 1, -1, np.int32)
    for node in range(best.size):
        for edge in range(node_ptr[node], node_ptr[node + 1]):
            score = weights[edge]
            for position in range(tail_ptr[edge], tail_ptr[edge + 1]):
                score += best[tail[position]]
            if score > best[node]:
                best[node] = score
                best_edge[node] = edge
    return best, best_edge


@njit(cache=True, nogil=True)
def margins(
    node_ptr: Pointers, tail_ptr: Pointers, tail: Ints, weights: Floats, best: Floats
) -> Floats:
    """Return by how much the best derivation with each edge falls short of the best of all.

    Differences from the best edge of a node are added up from the root down: those of the edges of
    the best derivation are exactly 0, and no edge is closer than the best ones below it.
    """
    node_margin = np.full(best.size, -NEVER)
    node_margin[best.size - 1] = 0.0
    edge_margin = np.full(weights.size, -NEVER)
    for node in range(best.size - 1, -1, -1):
        if node_margin[node] == -NEVER or best[node] == NEVER:
            continue
        for edge in range(node_ptr[node], node_ptr[node + 1]):
            score = weights[edge]
            for position in range(tail_ptr[edge], tail_ptr[edge + 1]):
                score += best[tail[position]]
            edge_margin[edge] = node_margin[node] + (best[node] - score)
            for position in range(tail_ptr[edge], tail_ptr[edge + 1]):
                child = tail[position]
                node_margin[child] = min(node_margin[child], edge_margin[edge])
    return edge_margin


@njit(cache=True, nogil=True)
def among_best(
    node_ptr: Pointers, tail_ptr: Pointers, tail: Ints, weights: Floats, best: Floats, most: int
) -> Bools:
    """Mark the `most` best edges of each node; of equal ones, those with the lowest numbers."""
    marked = np.zeros(weights.size, np.bool_)
    scores = np.empty(weights.size)
    for node in range(best.size):
        first, last = node_ptr[node], node_ptr[node + 1]
        for edge in range(first, last):
            scores[edge] = weights[edge]
            for position in range(tail_ptr[edge], tail_ptr[edge + 1]):
                scores[edge] += best[tail[position]]
        for edge in np.argsort(-scores[first:last], kind="mergesort")[:most]:
            marked[first + edge] = scores[first + edge] > NEVER
    return marked


@njit(cache=True, nogil=True)
def trace_best(tail_ptr: Pointers, tail: Ints, best_edge: Ints) -> tuple[Ints, Ints, Ints]:
    """Return the edges of the derivation that takes `best_edge` everywhere, children first.

    The children of edge `i` are those at `places[bounds[i] : bounds[i + 1]]`; edges, bounds and
    places are returned.
    """
    place = np.empty(best_edge.size, np.int32)
    used = np.zeros(best_edge.size, np.bool_)
    used[-1] = True
    num_edges, num_places = 0, 0
    for node in range(best_edge.size - 1, -1, -1):
        if used[node]:
            edge = best_edge[node]
            num_edges += 1
            num_places += tail_ptr[edge + 1] - tail_ptr[edge]
            for position in range(tail_ptr[edge], tail_ptr[edge + 1]):
                used[tail[position]] = True
    edges = np.empty(num_edges, np.int32)
    bounds = np.zeros(num_edges + 1, np.int32)
    places = np.empty(num_places, np.int32)
    num_edges, num_places = 0, 0
    for node in range(best_edge.size):
        if used[node]:
            edge = best_edge[node]
            edges[num_edges] = edge
            place[node] = num_edges
            num_edges += 1
            for position in range(tail_ptr[edge], tail_ptr[edge + 1]):
                places[num_places] = place[tail[position]]
                num_places += 1
            bounds[num_edges] = num_places
    return edges, bounds, places


@njit(cache=True, nogil=True)
def cumulative_shares(node_ptr: Pointers, inside: Floats, edge_inside: Floats) -> Floats:
    """Return, edge by edge, the running sum of the edges' shares in their head's inside."""
    cumulative = np.zeros(edge_inside.size)
    for node in range(inside.size):
        total = 0.0
        for edge in range(node_ptr[node], node_ptr[node + 1]):
            if edge_inside[edge] > NEVER:
                total += math.exp(edge_inside[edge] - inside[node])
            cumulative[edge] = total
    return cumulative


@njit(cache=True, nogil=True)
def sample_edges(
    node_ptr: Pointers,
    tail_ptr: Pointers,
    tail: Ints,
    cumulative: Floats,
    rng: np.random.Generator,
) -> Ints:
    """Draw one derivation from the root down; return its edges in preorder."""
    edges = np.empty(64, np.int32)
    stack = np.empty(64, np.int32)
    num_edges, depth = 0, 1
    stack[0] = node_ptr.size - 2
    while depth > 0:
        depth -= 1
        first, last = node_ptr[stack[depth]], node_ptr[stack[depth] + 1]
        threshold = rng.random() * cumulative[last - 1]
        edge = first + np.searchsorted(cumulative[first:last], threshold, side="right")
        edges = with_room(edges, num_edges + 1)
        edges[num_edges] = edge
        num_edges += 1
        stack = with_room(stack, depth + tail_ptr[edge + 1] - tail_ptr[edge])
        for position in range(tail_ptr[edge + 1] - 1, tail_ptr[edge] - 1, -1):
            stack[depth] = tail[position]
            depth += 1
    return edges[:num_edges]


@njit(cache=True, nogil=True)
def with_room(array: Ints, size: int) -> Ints:
    """Return `array`, or a copy at least twice as long if it has fewer than `size` places."""
    if size <= array.size:
        return array
    longer = np.empty(max(size, 2 * array.size), array.dtype)
    # A loop compiles in a tenth of the time that assigning a slice takes.
    for i in range(array.size):
        longer[i] = array[i]
    return longer
