"""Kernels of prunings: the gaps of a tree, and forests with walks over them."""

from __future__ import annotations

import numpy as np

from treewright.compiling import njit
from treewright.transduction._kernels import (
    add_edge,
    add_own,
    add_rules,
    new_growth,
    reserve,
    trim,
)


@njit(cache=True, nogil=True)
def list_gaps(end, longest):
    """List the gaps of every node, ordered by their right ends; see `Gaps` for the columns."""
    size = len(end)
    pointer = np.zeros(size + 1, dtype=np.int64)
    rows = np.empty((4 * size + 16, 7), dtype=np.int32)
    count = 0
    children = np.empty(size, dtype=np.int32)
    for x in range(size):
        number = 0
        child = x + 1
        while child < end[x]:
            children[number] = child
            number += 1
            child = end[child]
        if number < 2:
            number = -1
        for j in range(number + 1):
            right = children[j] if j < number else -1
            for i in range(max(-1, j - 1 - longest), j):
                for resumes in range(3 if i >= longest - 1 else 1):
                    for pauses in range(2):
                        dropped = j - 1 - i + pauses
                        if pauses and (j == number or dropped != longest):
                            continue
                        # A block goes on with one more child at least: one run, one walk.
                        if resumes and dropped == 0:
                            continue
                        if j == number and (i < 0 or resumes == 2):
                            continue
                        rows = room_for_rows(rows, count + 1)
                        row = rows[count]
                        row[0] = x
                        row[1] = children[i] if i >= 0 else -1
                        row[2] = right
                        row[3] = children[i + 1] if dropped else -1
                        row[4] = children[i + dropped] if dropped else -1
                        row[5] = resumes
                        row[6] = pauses
                        count += 1
        pointer[x + 1] = count
    rows = rows[:count]
    return (
        pointer,
        rows[:, 0].copy(),
        rows[:, 1].copy(),
        rows[:, 2].copy(),
        rows[:, 3].copy(),
        rows[:, 4].copy(),
        rows[:, 5].copy(),
        rows[:, 6] > 0,
    )


@njit(cache=True, nogil=True)
def room_for_rows(rows, count):
    """Return `rows`, or a copy twice as long if it has fewer than `count`."""
    if count <= len(rows):
        return rows
    longer = np.empty((2 * len(rows), rows.shape[1]), dtype=rows.dtype)
    longer[: len(rows)] = rows
    return longer


@njit(cache=True, nogil=True)
def add_gaps(growth, chart, own, gaps, x, node_of, state_of):
    """Add the derivations that keep any children of `x` but not none; return the buffers.

    `state_of[child]` holds the forest nodes that derive the children of `x` up to `child`: kept,
    dropped at the end of a block after something kept, or after nothing.
    """
    label, end = chart.tree.label, chart.tree.end
    for g in range(gaps.pointer[x], gaps.pointer[x + 1]):
        left, right = gaps.left[g], gaps.right[g]
        growth = reserve(growth, end[x] - x + 1)
        arity = 0
        complete = True
        if left >= 0:
            growth.tail[growth.size[2]] = state_of[left, gaps.resumes[g]]
            complete = state_of[left, gaps.resumes[g]] >= 0
            arity = 1
        child = gaps.first[g]
        while child >= 0:
            growth.tail[growth.size[2] + arity] = node_of[child, -1]
            complete = complete and node_of[child, -1] >= 0
            arity += 1
            child = end[child] if child != gaps.last[g] else -1
        if right >= 0 and not gaps.pauses[g]:
            growth.tail[growth.size[2] + arity] = node_of[right, label[right]]
            complete = complete and node_of[right, label[right]] >= 0
            arity += 1
        if not complete:
            continue
        number = own.first_label + 2 * len(label) + g
        if right < 0:
            add_edge(growth, arity, number, node_of[x], label[x], x, label[x], chart.first_node)
        else:
            column = 0
            if gaps.pauses[g]:
                column = 2 if left < 0 or gaps.resumes[g] == 2 else 1
            add_edge(growth, arity, number, state_of[right], column, x, -2, chart.first_node)
    return growth


@njit(cache=True, nogil=True)
def generate_prunings(chart, own, gaps):
    """Build the forest of all target trees of one source tree, any children of which may go.

    As `generate` does, with walks over gaps beside rules: gap `g` of a tree of n nodes is labelled
    `own.first_label + 2 * n + g`.
    """
    size = len(chart.tree.label)
    node_of = np.full((size, chart.categories + 1), -1, dtype=np.int32)
    state_of = np.full((size, 3), -1, dtype=np.int32)
    growth = new_growth(size)
    for x in range(size - 1, -1, -1):
        growth = add_gaps(growth, chart, own, gaps, x, node_of, state_of)
        growth = add_rules(growth, chart, x, node_of)
        growth = add_own(growth, chart, own, x, node_of)
    return trim(growth), node_of[0].copy()


@njit(cache=True, nogil=True)
def num_guesses(data, edge):
    """Return how many guesses at the head word an edge makes (see `heads.Heads`)."""
    return data.choices[edge]


@njit(cache=True, nogil=True)
def guess_head(data, edge, choice):
    """Return the state of an edge before its tails: a guess, or what is certain."""
    return choice if data.choices[edge] > 1 else data.constant[edge]


@njit(cache=True, nogil=True)
def take_tail(data, edge, position, state, tail_state):
    """Return the state after a tail, -1 if the tail is not as it has to be."""
    slot = data.tail_ptr[edge] + position
    if data.wanted[slot] >= 0 and data.wanted[slot] != tail_state:
        return -1
    if data.compare[slot] >= 0 and (state >> data.compare[slot]) & 1 != tail_state:
        return -1
    if data.remember[slot] >= 0:
        state |= tail_state << data.remember[slot]
    if position == data.carrier[edge]:
        state |= tail_state
    return state


@njit(cache=True, nogil=True)
def tell_head(data, edge, state):
    """Return whether the head word is kept, -1 if the edge rules that out."""
    if (data.closed[edge] >> (state & 3)) & 1:
        return -1
    return state & 1 if data.told[edge] else 0
