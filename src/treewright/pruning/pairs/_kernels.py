"""Kernel that splits a forest of prunings by which head words are kept."""

from __future__ import annotations

import numpy as np

from treewright.compiling import njit


@njit(cache=True, nogil=True)
def split_by_heads(
    node_ptr, tail_ptr, tail, label, node_source, gaps, has_word, head_child, head, root
):
    """Return edges (head, origin, pair, half) and their tails, for the derivations of each node.

    Node `v` becomes two: with the head word of its source node dropped, and with it kept. A node
    of a walk over gaps is split by what will become of the head in the end, which the walk has to
    make true. `pair` is the token that an edge keeps together with its governor, -1 if none; `half`
    is 1 where the head is kept, and 2 more where a gap ends in a child that keeps its own. The last
    edges lead to either half of the root, with origin -1.
    """
    size = len(has_word)
    half = np.full((len(node_ptr) - 1, 2), -1, dtype=np.int32)
    most_edges = 4 * len(label) + 2
    edges = np.empty((most_edges, 4), dtype=np.int32)
    tails = np.empty(4 * len(tail) + 2, dtype=np.int32)
    pointer = np.zeros(most_edges + 1, dtype=np.int64)
    count, filled, nodes = 0, 0, 0
    for v in range(len(node_ptr) - 1):
        for alive in range(2):
            before = count
            for e in range(node_ptr[v], node_ptr[v + 1]):
                for kept_alive in range(2):
                    arity, pair = choose_halves(
                        e,
                        alive,
                        kept_alive,
                        tail_ptr,
                        tail,
                        label,
                        node_source[v],
                        gaps,
                        has_word,
                        head_child,
                        head,
                        half,
                        tails,
                        filled,
                        size,
                    )
                    if arity < 0:
                        continue
                    edges[count, 0] = nodes
                    edges[count, 1] = e
                    edges[count, 2] = pair
                    edges[count, 3] = alive + 2 * kept_alive
                    count += 1
                    filled += arity
                    pointer[count] = filled
            if count > before:
                half[v, alive] = nodes
                nodes += 1
    for alive in range(2):
        if half[root, alive] >= 0:
            edges[count, 0] = nodes
            edges[count, 1] = -1
            edges[count, 2] = -1
            edges[count, 3] = alive
            tails[filled] = half[root, alive]
            count += 1
            filled += 1
            pointer[count] = filled
    return edges[:count], pointer[: count + 1], tails[:filled], nodes + 1


@njit(cache=True, nogil=True)
def choose_halves(
    e, alive, kept_alive, tail_ptr, tail, label, x, gaps, has_word, head_child, head, half, tails,
    filled, size,
):  # fmt: skip
    """Write the tails of one edge for one choice of halves; return how many, and its pair.

    -1 where the choice makes no sense. `kept_alive` says whether the child that a gap ends in
    keeps its own head word; where it ends in none there is only one choice.
    """
    own = label[e]
    start, stop = tail_ptr[e], tail_ptr[e + 1]
    if own < 2 * size:
        only = 0 if own % 2 or not has_word[x] else 1
        if kept_alive or (alive != only and (own % 2 or has_word[x])):
            return -1, -1
        for k in range(start, stop):
            tails[filled + k - start] = half[tail[k], 0 if own % 2 else alive]
            if tails[filled + k - start] < 0:
                return -1, -1
        return stop - start, -1
    g = own - 2 * size
    parent, right = gaps.parent[g], gaps.right[g]
    child = head_child[parent]
    if alive and gaps.first[g] >= 0 and gaps.first[g] <= child <= gaps.last[g]:
        return -1, -1
    ends_kept = right >= 0 and not gaps.pauses[g]
    if not ends_kept and kept_alive:
        return -1, -1
    if ends_kept and right == child and kept_alive != alive:
        return -1, -1
    for k in range(start, stop):
        which = 0
        if k == start and gaps.left[g] >= 0:
            which = alive
        elif k == stop - 1 and ends_kept:
            which = kept_alive
        tails[filled + k - start] = half[tail[k], which]
        if tails[filled + k - start] < 0:
            return -1, -1
    pair = -1
    if ends_kept and right != child and alive and kept_alive:
        pair = head[right]
    return stop - start, pair
