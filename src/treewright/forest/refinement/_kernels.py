"""Numba kernels of refinement; what the library calls has a twin in `tests/forest/naive.py`.

They trust their input. `node_ptr`, `tail_ptr` and `tail` are those of `Forest`.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from treewright.forest.arrays import Floats, Ints, Pointers

NEVER = -math.inf
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


@njit(cache=True, nogil=True)
def count_bounds(
    node_ptr: Pointers,
    tail_ptr: Pointers,
    tail: Ints,
    weights: Floats,
    counts: Pointers,
    limit: int,
) -> tuple[Pointers, Pointers]:
    """Return the least and the largest count of each node's derivations, within `limit`.

    A node without one has the empty range from `limit + 1` to `limit`.
    """
    low = np.full(node_ptr.size - 1, limit + 1)
    high = np.full(node_ptr.size - 1, -1)
    for node in range(low.size):
        for edge in range(node_ptr[node], node_ptr[node + 1]):
            least = most = min(counts[edge], limit + 1)
            for position in range(tail_ptr[edge], tail_ptr[edge + 1]):
                least = min(least + low[tail[position]], limit + 1)
                most = min(most + high[tail[position]], limit)
            if least <= limit and weights[edge] > NEVER:
                low[node] = min(low[node], least)
                high[node] = max(high[node], most)
        if high[node] < 0:
            high[node] = limit
    return low, high


@njit(cache=True, nogil=True)
def count_tables(
    node_ptr: Pointers,
    tail_ptr: Pointers,
    tail: Ints,
    weights: Floats,
    counts: Pointers,
    limit: int,
) -> tuple[Pointers, Pointers, Floats, Ints]:
    """Return the best score and edge of each node for each count.

    The entry for node `v` and count `c` is at `table_ptr[v] + c - low[v]` of `best` and
    `best_edge`; the result is `(table_ptr, low, best, best_edge)`.
    """
    low, high = count_bounds(node_ptr, tail_ptr, tail, weights, counts, limit)
    table_ptr = np.zeros(node_ptr.size, np.int64)
    for node in range(low.size):
        table_ptr[node + 1] = table_ptr[node] + high[node] - low[node] + 1
    best = np.full(table_ptr[-1], NEVER)
    best_edge = np.full(table_ptr[-1], -1, np.int32)
    prefix = np.empty((2, limit + 1))
    for node in range(low.size):
        table = best[table_ptr[node] : table_ptr[node + 1]]
        table_edge = best_edge[table_ptr[node] : table_ptr[node + 1]]
        for edge in range(node_ptr[node], node_ptr[node + 1]):
            if counts[edge] > limit or weights[edge] == NEVER:
                continue
            least = most = counts[edge]
            prefix[0, least] = weights[edge]
            now = 0
            for position in range(tail_ptr[edge], tail_ptr[edge + 1]):
                child = tail[position]
                other = best[table_ptr[child] : table_ptr[child + 1]]
                least, most = extend(
                    prefix[now], least, most, other, low[child], limit, prefix[1 - now]
                )
                now = 1 - now
            for count in range(least, most + 1):
                if prefix[now, count] > table[count - low[node]]:
                    table[count - low[node]] = prefix[now, count]
                    table_edge[count - low[node]] = edge
    return table_ptr, low, best, best_edge


@njit(cache=True, nogil=True)
def extend(
    prefix: Floats, least: int, most: int, other: Floats, other_low: int, limit: int, result: Floats
) -> tuple[int, int]:
    """Add a tail to a prefix, whose scores cover counts `least` to `most`; return the new range.

    `result[c] = max over i + j = c of prefix[i] + other[j - other_low]`, for c up to `limit`.
    """
    new_least = least + other_low
    new_most = min(most + other_low + other.size - 1, limit)
    convolve(prefix[least : most + 1], other, result[new_least : new_most + 1])
    return new_least, new_most


@njit(cache=True, nogil=True)
def convolve(a: Floats, b: Floats, result: Floats) -> None:
    """Write `result[k] = max over i + j = k of a[i] + b[j]` as far as `result` goes."""
    if a.size > b.size:
        a, b = b, a
    result[:] = NEVER
    for i in range(min(a.size, result.size)):
        value, target = a[i], result[i:]
        for j in range(min(b.size, target.size)):
            score = value + b[j]
            target[j] = score if score > target[j] else target[j]


@njit(cache=True, nogil=True)
def trace_back(
    tail_ptr: Pointers,
    tail: Ints,
    weights: Floats,
    counts: Pointers,
    table_ptr: Pointers,
    low: Pointers,
    best: Floats,
    best_edge: Ints,
    total: int,
) -> tuple[Pointers, Pointers]:
    """Return the table entries that make up the root's best derivation of this total.

    Entries come parents first; the second array holds the entries of their children, side by side.
    """
    used = np.zeros(best.size, np.bool_)
    used[table_ptr[low.size - 1] + total - low[low.size - 1]] = True
    children = np.empty(64, np.int64)
    num_children = 0
    for node in range(low.size - 1, -1, -1):
        for entry in range(table_ptr[node + 1] - 1, table_ptr[node] - 1, -1):
            if not used[entry]:
                continue
            edge, count = best_edge[entry], entry - table_ptr[node] + low[node]
            tails = tail[tail_ptr[edge] : tail_ptr[edge + 1]]
            children = with_room(children, num_children + tails.size)
            found = children[num_children : num_children + tails.size]
            split_count(tails, weights[edge], counts[edge], table_ptr, low, best, count, found)
            for child in found:
                used[child] = True
            num_children += tails.size
    return np.flatnonzero(used)[::-1], children[:num_children]


@njit(cache=True, nogil=True)
def split_count(
    tails: Ints,
    weight: float,
    own_count: int,
    table_ptr: Pointers,
    low: Pointers,
    best: Floats,
    total: int,
    entries: Pointers,
) -> None:
    """Write the table entry that each tail takes in the edge's best derivation of `total`.

    The prefixes of `count_tables` are computed again, in blocks of √arity tails of which only the
    starts are kept: O(√arity · total) memory. Among equals the later tails take the least.
    """
    block = int(math.sqrt(tails.size)) + 1
    num_blocks = (tails.size + block - 1) // block
    starts = np.empty((num_blocks, total + 1))
    start_ranges = np.empty((num_blocks, 2), np.int64)
    prefix = np.empty((block + 1, total + 1))
    ranges = np.empty((block + 1, 2), np.int64)
    prefix[0, own_count] = weight
    ranges[0] = own_count
    for b in range(num_blocks):
        starts[b], start_ranges[b] = prefix[0], ranges[0]
        size = fill(prefix, ranges, tails[b * block : (b + 1) * block], table_ptr, low, best, total)
        prefix[0], ranges[0] = prefix[size], ranges[size]
    rest = total
    for b in range(num_blocks - 1, -1, -1):
        prefix[0], ranges[0] = starts[b], start_ranges[b]
        size = fill(prefix, ranges, tails[b * block : (b + 1) * block], table_ptr, low, best, total)
        for i in range(size, 0, -1):
            child = tails[b * block + i - 1]
            for entry in range(table_ptr[child], table_ptr[child + 1]):
                before = rest - (entry - table_ptr[child] + low[child])
                if before < ranges[i - 1, 0]:
                    break
                if (
                    before <= ranges[i - 1, 1]
                    and prefix[i - 1, before] + best[entry] == prefix[i, rest]
                ):
                    entries[b * block + i - 1] = entry
                    rest = before
                    break


@njit(cache=True, nogil=True)
def fill(
    prefix: Floats,
    ranges: Pointers,
    tails: Ints,
    table_ptr: Pointers,
    low: Pointers,
    best: Floats,
    limit: int,
) -> int:
    """Extend `prefix[0]` by one tail after another; return the number of tails."""
    for i in range(tails.size):
        other = best[table_ptr[tails[i]] : table_ptr[tails[i] + 1]]
        ranges[i + 1, 0], ranges[i + 1, 1] = extend(
            prefix[i], ranges[i, 0], ranges[i, 1], other, low[tails[i]], limit, prefix[i + 1]
        )
    return tails.size
