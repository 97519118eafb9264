"""Kernels of chains: what it weighs that two tokens become neighbours, and sums over all chains."""

from __future__ import annotations

import math

import numpy as np

from treewright.compiling import njit
from treewright.pruning.gaps import Gaps
from treewright.trees import TreeArrays

PAUSED = -2
"""In place of a right end: the dropped run goes on in another block."""


@njit(nogil=True)
def list_jumps(gaps, end):
    """List the ways from a kept child of a node to the next one, each over one gap or several.

    A row has the kept children at both ends (-1: the edge of the node), the last gap on the way,
    and the row that has the gaps before it (-1: none). Rows whose right end is `PAUSED` are only
    beginnings of others.
    """
    gaps = Gaps(*gaps)
    room = 16
    for x in range(len(end)):
        number = 2
        child = x + 1
        while child < end[x]:
            number += 1
            child = end[child]
        room += number * number
    rows = np.empty((room, 4), dtype=np.int32)
    # The dropped child at which a beginning pauses, and how what continues it is marked.
    pause = np.empty((room, 2), dtype=np.int32)
    count = 0
    for x in range(len(end)):
        own = count
        for g in range(gaps.pointer[x], gaps.pointer[x + 1]):
            known = count if gaps.resumes[g] else own + 1
            for before in range(own, known):
                if gaps.resumes[g]:
                    at, mark = pause[before]
                    if at != gaps.left[g] or mark != gaps.resumes[g]:
                        continue
                    rows[count, 0] = rows[before, 0]
                    rows[count, 3] = before
                else:
                    rows[count, 0] = gaps.left[g]
                    rows[count, 3] = -1
                rows[count, 1] = PAUSED if gaps.pauses[g] else gaps.right[g]
                rows[count, 2] = g
                pause[count, 0] = gaps.right[g] if gaps.pauses[g] else -1
                pause[count, 1] = 1 if rows[count, 0] >= 0 else 2
                count += 1
    return rows[:count].copy()


@njit(nogil=True)
def leaf_nodes(tree):
    """Return the node of every token."""
    leaves = np.empty(tree.right[0], dtype=np.int32)
    for x in range(len(tree.end)):
        if tree.end[x] == x + 1:
            leaves[tree.left[x]] = x
    return leaves


@njit(nogil=True)
def way_out(tree, jumps, values):
    """Return what it weighs that everything after a node, and before it, goes up to the root."""
    size = len(tree.end)
    after, before = np.zeros(size), np.zeros(size)
    for k in range(len(jumps)):
        if jumps[k, 1] == -1:
            after[jumps[k, 0]] = values[k]
        elif jumps[k, 0] == -1 and jumps[k, 1] != PAUSED:
            before[jumps[k, 1]] = values[k]
    for x in range(1, size):
        after[x] += after[tree.parent[x]]
        before[x] += before[tree.parent[x]]
    return after, before


@njit(nogil=True)
def weigh_pairs(tree, jumps, worth):
    """Return what it weighs that tokens `i` and `j` become neighbours, in row `i + 1`, `j + 1`.

    The first row and the last column are for the ends of the sentence. `worth` are the weights of
    gaps with all that they drop; they must be finite.
    """
    tree = TreeArrays(*tree)
    values = np.empty(len(jumps))
    for k in range(len(jumps)):
        values[k] = worth[jumps[k, 2]] + (values[jumps[k, 3]] if jumps[k, 3] >= 0 else 0.0)
    after, before = way_out(tree, jumps, values)
    leaves = leaf_nodes(tree)
    size = len(leaves)
    scores = np.full((size + 2, size + 2), -np.inf)
    for i in range(size):
        scores[0, i + 1] = before[leaves[i]]
        scores[i + 1, size + 1] = after[leaves[i]]
    for k in range(len(jumps)):
        a, c = jumps[k, 0], jumps[k, 1]
        if a < 0 or c < 0:
            continue
        middle = values[k] - after[a] - before[c]
        for i in range(tree.left[a], tree.right[a]):
            begin = middle + after[leaves[i]]
            for j in range(tree.left[c], tree.right[c]):
                scores[i + 1, j + 1] = begin + before[leaves[j]]
    return scores


@njit(nogil=True, borrows=True)
def log_sum(one, other):
    """Return the log of the sum of the exponentials of the sums of two columns."""
    greatest = -np.inf
    for k in range(len(one)):
        greatest = max(greatest, one[k] + other[k])
    if greatest == -np.inf:
        return greatest
    total = 0.0
    for k in range(len(one)):
        total += math.exp(one[k] + other[k] - greatest)
    return greatest + math.log(total)


@njit(nogil=True)
def sum_chains(scores):
    """Return the log of the sum over all chains, and the probability of each pair of neighbours."""
    size = len(scores)
    inside, outside = np.full(size, -np.inf), np.full(size, -np.inf)
    inside[0] = outside[size - 1] = 0.0
    for j in range(1, size):
        inside[j] = log_sum(inside[:j], scores[:j, j])
    for i in range(size - 2, -1, -1):
        outside[i] = log_sum(scores[i, i + 1 :], outside[i + 1 :])
    chance = np.zeros((size, size))
    for i in range(size - 1):
        for j in range(i + 1, size):
            chance[i, j] = math.exp(inside[i] + scores[i, j] + outside[j] - inside[size - 1])
    return inside[size - 1], chance


@njit(nogil=True)
def spread(tree, gaps, jumps, uses):
    """Return how often each gap and the dropping of each node is used, given uses of neighbours.

    The transpose of `weigh_pairs`, and of adding up what gaps drop.
    """
    tree, gaps = TreeArrays(*tree), Gaps(*gaps)
    leaves = leaf_nodes(tree)
    size, length = len(tree.end), len(leaves)
    after, before = np.zeros(size), np.zeros(size)
    taken = np.zeros(len(jumps))
    for i in range(length):
        before[leaves[i]] += uses[0, i + 1]
        after[leaves[i]] += uses[i + 1, length + 1]
    for k in range(len(jumps)):
        a, c = jumps[k, 0], jumps[k, 1]
        if a < 0 or c < 0:
            continue
        for i in range(tree.left[a], tree.right[a]):
            for j in range(tree.left[c], tree.right[c]):
                use = uses[i + 1, j + 1]
                taken[k] += use
                after[leaves[i]] += use
                before[leaves[j]] += use
        after[a] -= taken[k]
        before[c] -= taken[k]
    for x in range(size - 1, 0, -1):
        after[tree.parent[x]] += after[x]
        before[tree.parent[x]] += before[x]
    of_gaps, of_nodes = np.zeros(len(gaps.parent)), np.zeros(size)
    for k in range(len(jumps) - 1, -1, -1):
        a, c = jumps[k, 0], jumps[k, 1]
        if c == -1:
            taken[k] += after[a]
        elif a == -1 and c != PAUSED:
            taken[k] += before[c]
        if jumps[k, 3] >= 0:
            taken[jumps[k, 3]] += taken[k]
        gap = jumps[k, 2]
        of_gaps[gap] += taken[k]
        child = gaps.first[gap]
        while child >= 0:
            of_nodes[child] += taken[k]
            child = tree.end[child] if child != gaps.last[gap] else -1
    return of_gaps, of_nodes


@njit(nogil=True)
def best_chain(scores):
    """Return the tokens of the best chain, from 0."""
    size = len(scores)
    best, last = np.full(size, -np.inf), np.zeros(size, dtype=np.int64)
    best[0] = 0.0
    for j in range(1, size):
        for i in range(j):
            value = best[i] + scores[i, j]
            if value > best[j]:
                best[j], last[j] = value, i
    kept = np.empty(size, dtype=np.int64)
    count, place = 0, last[size - 1]
    while place > 0:
        kept[count] = place - 1
        count += 1
        place = last[place]
    return kept[:count][::-1].copy()
