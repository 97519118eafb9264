"""Numba kernels of refinement; what the library calls has a twin in `tests/forest/naive.py`.

They trust their input. `node_ptr`, `tail_ptr` and `tail` are those of `Forest`.
"""

from __future__ import annotations

import numpy as np

from treewright.compiling import njit
from treewright.forest.arrays import Ints, Pointers

HEAD, LEFT, RIGHT, ORIGIN, CODE = 0, 1, 2, 3, 4


@njit(cache=True, nogil=True)
def binarise(
    node_ptr: Pointers, tail_ptr: Pointers, tail: Ints, codes: Pointers
) -> tuple[Pointers, Ints]:
    """Chain the edges of more than two tails through links, and drop those of negative code.

    Returns rows (head, left tail, right tail, origin, code), -1 where there is none, sorted by
    head; and the original node of each new node, -1 for a link. An edge's code stands on the first
    row of its chain, so that what exceeds a limit is cut early, and its number on the last.
    """
    links = 0
    for edge in range(codes.size):
        links += max(0, tail_ptr[edge + 1] - tail_ptr[edge] - 2)
    rows = np.full((codes.size + links, 5), -1, np.int64)
    node_origin = np.full(node_ptr.size - 1 + links, -1, np.int32)
    renamed = np.empty(node_ptr.size - 1, np.int64)
    chain = np.full(codes.size, -1, np.int64)
    num_rows, num_nodes = 0, 0
    for node in range(node_ptr.size - 1):
        # The links of all edges come first, so that they precede the head.
        for edge in range(node_ptr[node], node_ptr[node + 1]):
            begin, end = tail_ptr[edge], tail_ptr[edge + 1]
            if codes[edge] < 0 or begin == end:
                continue
            chain[edge] = renamed[tail[begin]]
            for position in range(begin + 1, end - 1):
                row = rows[num_rows]
                row[HEAD], row[LEFT], row[RIGHT] = num_nodes, chain[edge], renamed[tail[position]]
                row[CODE] = codes[edge] if position == begin + 1 else 0
                chain[edge] = num_nodes
                num_rows += 1
                num_nodes += 1
        for edge in range(node_ptr[node], node_ptr[node + 1]):
            begin, end = tail_ptr[edge], tail_ptr[edge + 1]
            if codes[edge] < 0:
                continue
            row = rows[num_rows]
            row[HEAD], row[LEFT], row[ORIGIN] = num_nodes, chain[edge], edge
            row[RIGHT] = renamed[tail[end - 1]] if end - begin > 1 else -1
            row[CODE] = codes[edge] if end - begin <= 2 else 0
            num_rows += 1
        renamed[node] = num_nodes
        node_origin[num_nodes] = node
        num_nodes += 1
    return rows[:num_rows], node_origin[:num_nodes]


@njit(cache=True, nogil=True)
def split(
    binary: Pointers, num_nodes: int, strides: Pointers, limits: Pointers
) -> tuple[Pointers, Pointers, Pointers]:
    """Split the nodes of `binary` (see `binarise`) by the code of their derivations.

    Returns rows (head, left tail, right tail, row of `binary`, code), sorted by head; the code of
    each state; and the run of states of each node, `first[v]:first[v + 1]`, by ascending code.
    """
    rows = np.empty((256, 5), np.int64)
    state_code = np.empty(256, np.int64)
    first = np.zeros(num_nodes + 1, np.int64)
    num_rows, done = 0, 0
    for node in range(num_nodes):
        begin = num_rows
        while done < len(binary) and binary[done, HEAD] == node:
            rows, num_rows = combine(
                rows, num_rows, binary, done, first, state_code, strides, limits
            )
            done += 1
        state_code, first[node + 1] = group(rows[begin:num_rows], state_code, first[node])
    return rows[:num_rows], state_code[: first[num_nodes]], first


@njit(cache=True, nogil=True)
def combine(
    rows: Pointers,
    num_rows: int,
    binary: Pointers,
    source: int,
    first: Pointers,
    state_code: Pointers,
    strides: Pointers,
    limits: Pointers,
) -> tuple[Pointers, int]:
    """Append one row per pair of states of the tails whose codes add up within the limits.

    A missing tail is like one state numbered -1 of code 0.
    """
    left, right = binary[source, LEFT], binary[source, RIGHT]
    left_states = (first[left], first[left + 1]) if left >= 0 else (-1, 0)
    right_states = (first[right], first[right + 1]) if right >= 0 else (-1, 0)
    pairs = (left_states[1] - left_states[0]) * (right_states[1] - right_states[0])
    rows = with_room(rows, num_rows + pairs)
    for i in range(left_states[0], left_states[1]):
        left_code = binary[source, CODE] + (state_code[i] if i >= 0 else 0)
        if not within(left_code, strides, limits):
            continue
        for j in range(right_states[0], right_states[1]):
            code = left_code + (state_code[j] if j >= 0 else 0)
            if within(code, strides, limits):
                row = rows[num_rows]
                row[LEFT], row[RIGHT], row[ORIGIN], row[CODE] = i, j, source, code
                num_rows += 1
    return rows, num_rows


@njit(cache=True, nogil=True)
def within(code: int, strides: Pointers, limits: Pointers) -> bool:
    """Say whether every digit of a code is within its limit (see `CounterCode`)."""
    for digit in range(limits.size):
        if code // strides[digit] > limits[digit]:
            return False
        code %= strides[digit]
    return True


@njit(cache=True, nogil=True)
def group(rows: Pointers, state_code: Pointers, num_states: int) -> tuple[Pointers, int]:
    """Sort a node's rows by code, stably, and make each code a state: the head of its rows."""
    unsorted = rows.copy()
    order = np.argsort(unsorted[:, CODE], kind="mergesort")
    for i in range(len(rows)):
        for column in range(rows.shape[1]):
            rows[i, column] = unsorted[order[i], column]
        if i == 0 or rows[i, CODE] != rows[i - 1, CODE]:
            state_code = with_room(state_code, num_states + 1)
            state_code[num_states] = rows[i, CODE]
            num_states += 1
        rows[i, HEAD] = num_states - 1
    return state_code, num_states


@njit(cache=True, nogil=True)
def with_room(array: Pointers, size: int) -> Pointers:
    """Return `array`, or a copy at least twice as long if it has fewer than `size` rows."""
    if size <= len(array):
        return array
    longer = np.empty((max(size, 2 * len(array)),) + array.shape[1:], array.dtype)  # noqa: RUF005
    old, new = array.ravel(), longer.ravel()
    for i in range(old.size):
        new[i] = old[i]
    return longer
