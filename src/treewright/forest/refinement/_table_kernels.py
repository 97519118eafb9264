"""Kernels for tables over two counters; their twins are in `tests/forest/naive.py`.

They trust their input. A *box* is a rectangle of pairs of counts: its least first and second count,
its rows and its columns. Every table is a box and its scores row by row, so convolving two works on
contiguous memory.
"""

from __future__ import annotations

import math
from typing import NamedTuple, TypeAlias

import numpy as np

from treewright.compiling import njit
from treewright.forest._kernels import with_room
from treewright.forest.arrays import Floats, Ints, Pointers

Pair: TypeAlias = tuple[int, int]
Box: TypeAlias = tuple[int, int, int, int]

NEVER = -math.inf


class Counted(NamedTuple):
    """A forest's arrays, and the weight and the two counts of each edge."""

    node_ptr: Pointers
    tail_ptr: Pointers
    tail: Ints
    weights: Floats
    counts: Pointers


class Tables(NamedTuple):
    """The best score and edge of each node for each pair of counts.

    The table of node `v` is `best[table_ptr[v] : table_ptr[v + 1]]`, laid out as `boxes[v]` says.
    """

    table_ptr: Pointers
    boxes: Pointers
    best: Floats
    best_edge: Ints


@njit(cache=True, nogil=True)
def reach(counted: Counted, limits: Pair) -> Pointers:
    """Return the box of each node, one per row: what its derivations reach within the limits.

    The counters are bounded separately; a node without a derivation has no rows or no columns.
    """
    node_ptr, tail_ptr, tail, weights, counts = counted
    boxes = np.empty((node_ptr.size - 1, 4), np.int64)
    for node in range(len(boxes)):
        low0, low1, high0, high1 = limits[0] + 1, limits[1] + 1, -1, -1
        for edge in range(node_ptr[node], node_ptr[node + 1]):
            least0 = most0 = min(counts[edge, 0], limits[0] + 1)
            least1 = most1 = min(counts[edge, 1], limits[1] + 1)
            for position in range(tail_ptr[edge], tail_ptr[edge + 1]):
                box = boxes[tail[position]]
                least0 = min(least0 + box[0], limits[0] + 1)
                least1 = min(least1 + box[1], limits[1] + 1)
                most0 = min(most0 + box[0] + box[2] - 1, limits[0])
                most1 = min(most1 + box[1] + box[3] - 1, limits[1])
            if least0 <= limits[0] and least1 <= limits[1] and weights[edge] > NEVER:
                low0, low1 = min(low0, least0), min(low1, least1)
                high0, high1 = max(high0, most0), max(high1, most1)
        box = boxes[node]
        box[0], box[1] = low0, low1
        box[2], box[3] = max(high0 - low0 + 1, 0), max(high1 - low1 + 1, 0)
    return boxes


@njit(cache=True, nogil=True)
def best_tables(counted: Counted, limits: Pair) -> tuple[Pointers, Pointers, Floats, Ints]:
    """Return the parts of `Tables` for all nodes, within the limits."""
    counted = Counted(*counted)
    node_ptr, tail_ptr, tail, weights, counts = counted
    boxes = reach(counted, limits)
    table_ptr = np.zeros(node_ptr.size, np.int64)
    for node in range(len(boxes)):
        table_ptr[node + 1] = table_ptr[node] + boxes[node, 2] * boxes[node, 3]
    best = np.full(table_ptr[-1], NEVER)
    best_edge = np.full(table_ptr[-1], -1, np.int32)
    prefix = np.empty((2, (limits[0] + 1) * (limits[1] + 1)))
    for node in range(len(boxes)):
        home = box_of(boxes, node)
        table = best[table_ptr[node] : table_ptr[node + 1]]
        table_edge = best_edge[table_ptr[node] : table_ptr[node + 1]]
        for edge in range(node_ptr[node], node_ptr[node + 1]):
            if weights[edge] == NEVER:
                continue
            box = start(prefix[0], weights[edge], counts[edge], limits)
            now = 0
            for position in range(tail_ptr[edge], tail_ptr[edge + 1]):
                child = tail[position]
                other = best[table_ptr[child] : table_ptr[child + 1]]
                box = extend(prefix[now], box, other, box_of(boxes, child), limits, prefix[1 - now])
                now = 1 - now
            improve(table, table_edge, home, prefix[now], box, edge)
    return table_ptr, boxes, best, best_edge


@njit(cache=True, nogil=True, borrows=True, forceinline=True)
def box_of(boxes: Pointers, node: int) -> Box:
    """Return one row as a tuple, which needs no reference counting."""
    return boxes[node, 0], boxes[node, 1], boxes[node, 2], boxes[node, 3]


@njit(cache=True, nogil=True, borrows=True, forceinline=True)
def start(prefix: Floats, weight: float, counts: Pointers, limits: Pair) -> Box:
    """Write the prefix of an edge without any tail; return its box, empty beyond the limits."""
    if counts[0] > limits[0] or counts[1] > limits[1]:
        return 0, 0, 0, 0
    prefix[0] = weight
    return counts[0], counts[1], 1, 1


@njit(cache=True, nogil=True, borrows=True, forceinline=True)
def extend(
    prefix: Floats, box: Box, other: Floats, other_box: Box, limits: Pair, result: Floats
) -> Box:
    """Add a tail to a prefix within the limits; return the box of `result`.

    An empty box stays empty, and a tail with an empty one makes the result's empty.
    """
    least0, least1 = box[0] + other_box[0], box[1] + other_box[1]
    rows = min(box[2] + other_box[2] - 1, limits[0] - least0 + 1)
    columns = min(box[3] + other_box[3] - 1, limits[1] - least1 + 1)
    if min(box[2], box[3]) == 0 or min(other_box[2], other_box[3]) == 0 or min(rows, columns) <= 0:
        return 0, 0, 0, 0
    shape, other_shape = (box[2], box[3]), (other_box[2], other_box[3])
    if shape[0] * shape[1] <= other.size:
        convolve(prefix, shape, other, other_shape, result, (rows, columns))
    else:
        convolve(other, other_shape, prefix, shape, result, (rows, columns))
    return least0, least1, rows, columns


@njit(cache=True, nogil=True, borrows=True)
def convolve(
    a: Floats, a_shape: Pair, b: Floats, b_shape: Pair, result: Floats, shape: Pair
) -> None:
    """Write `result[k] = max over i + j = k of a[i] + b[j]`, pairs of indices within `shape`.

    Arrays are flat, row by row. Fastest when `a` is the smaller one.
    """
    rows, columns = shape
    # A tail of one entry, such as a leaf without choice, only adds to every score.
    if a_shape[0] * a_shape[1] == 1 and columns == b_shape[1]:
        for place in range(rows * columns):
            result[place] = a[0] + b[place]
        return
    result[: rows * columns] = NEVER
    for i in range(min(a_shape[0], rows)):
        for j in range(min(a_shape[1], columns)):
            value = a[i * a_shape[1] + j]
            if value == NEVER:
                continue
            width = min(b_shape[1], columns - j)
            for k in range(min(b_shape[0], rows - i)):
                source = b[k * b_shape[1] : k * b_shape[1] + width]
                begin = (i + k) * columns + j
                target = result[begin : begin + width]
                for column in range(width):
                    score = value + source[column]
                    target[column] = score if score > target[column] else target[column]


@njit(cache=True, nogil=True, borrows=True, forceinline=True)
def improve(
    table: Floats, table_edge: Ints, home: Box, scores: Floats, box: Box, edge: int
) -> None:
    """Enter an edge's scores wherever they are better than what the table of its head has."""
    for i in range(box[2]):
        shift = (box[0] - home[0] + i) * home[3] + box[1] - home[1]
        for j in range(box[3]):
            score = scores[i * box[3] + j]
            if score > table[shift + j]:
                table[shift + j] = score
                table_edge[shift + j] = edge


@njit(cache=True, nogil=True)
def trace_back(counted: Counted, tables: Tables, total: Pair) -> tuple[Pointers, Pointers]:
    """Return the table entries that make up the root's best derivation of this total.

    Entries come parents first; the second array holds the entries of their children, side by side.
    """
    counted, tables = Counted(*counted), Tables(*tables)
    tail_ptr = counted.tail_ptr
    table_ptr, boxes, best, best_edge = tables
    root = len(boxes) - 1
    used = np.zeros(best.size, np.bool_)
    used[table_ptr[root] + place_of(total, box_of(boxes, root))] = True
    children = np.empty(64, np.int64)
    num_children = 0
    for node in range(root, -1, -1):
        for entry in range(table_ptr[node + 1] - 1, table_ptr[node] - 1, -1):
            if not used[entry]:
                continue
            edge = best_edge[entry]
            count = count_of(entry - table_ptr[node], box_of(boxes, node))
            arity = tail_ptr[edge + 1] - tail_ptr[edge]
            children = with_room(children, num_children + arity)
            found = children[num_children : num_children + arity]
            split_counts(counted, tables, edge, count, found)
            for child in found:
                used[child] = True
            num_children += arity
    return np.flatnonzero(used)[::-1], children[:num_children]


@njit(cache=True, nogil=True)
def edge_uses(
    tail_ptr: Pointers, best_edge: Ints, entries: Pointers, child_entries: Pointers
) -> Floats:
    """Return how often each edge occurs in what was traced back; shared parts multiply."""
    uses = np.zeros(tail_ptr.size - 1)
    entry_uses = np.zeros(best_edge.size)
    entry_uses[entries[0]] = 1.0
    begin = 0
    for entry in entries:
        edge = best_edge[entry]
        uses[edge] += entry_uses[entry]
        end = begin + tail_ptr[edge + 1] - tail_ptr[edge]
        for child in child_entries[begin:end]:
            entry_uses[child] += entry_uses[entry]
        begin = end
    return uses


@njit(cache=True, nogil=True, borrows=True, forceinline=True)
def count_of(place: int, box: Box) -> Pair:
    """Return the pair of counts at a position of a table."""
    return box[0] + place // box[3], box[1] + place % box[3]


@njit(cache=True, nogil=True, borrows=True, forceinline=True)
def place_of(count: Pair, box: Box) -> int:
    """Return the position of a pair of counts in a table."""
    return (count[0] - box[0]) * box[3] + count[1] - box[1]


@njit(cache=True, nogil=True)
def split_counts(
    counted: Counted, tables: Tables, edge: int, total: Pair, entries: Pointers
) -> None:
    """Write the table entry that each tail takes in the edge's best derivation of `total`.

    Where several tails have a choice, the prefixes of `best_tables` are computed again, in blocks
    of √arity tails of which only the starts are kept: O(√arity) tables. Of equal ones, the later
    tails take the least, by the first counter before the second.
    """
    tails = counted.tail[counted.tail_ptr[edge] : counted.tail_ptr[edge + 1]]
    own_counts, weight = counted.counts[edge], counted.weights[edge]
    table_ptr, boxes, best, _ = tables
    if split_at_once(tables, tails, total[0] - own_counts[0], total[1] - own_counts[1], entries):
        return
    size = (total[0] - own_counts[0] + 1) * (total[1] - own_counts[1] + 1)
    block = int(math.sqrt(tails.size)) + 1
    num_blocks = (tails.size + block - 1) // block
    starts = np.empty((num_blocks, size))
    start_boxes = np.empty((num_blocks, 4), np.int64)
    prefix = np.empty((block + 1, size))
    prefix_boxes = np.empty((block + 1, 4), np.int64)
    put(prefix_boxes, 0, start(prefix[0], weight, own_counts, total))
    for b in range(num_blocks):
        starts[b], start_boxes[b] = prefix[0], prefix_boxes[0]
        part = tails[b * block : (b + 1) * block]
        fill(prefix, prefix_boxes, part, tables, total)
        prefix[0], prefix_boxes[0] = prefix[part.size], prefix_boxes[part.size]
    rest = total
    for b in range(num_blocks - 1, -1, -1):
        prefix[0], prefix_boxes[0] = starts[b], start_boxes[b]
        part = tails[b * block : (b + 1) * block]
        fill(prefix, prefix_boxes, part, tables, total)
        for i in range(part.size - 1, -1, -1):
            child = part[i]
            table = best[table_ptr[child] : table_ptr[child + 1]]
            home, after = box_of(boxes, child), box_of(prefix_boxes, i + 1)
            score = prefix[i + 1, place_of(rest, after)]
            place = last_part(prefix[i], box_of(prefix_boxes, i), table, home, rest, score)
            entries[b * block + i] = table_ptr[child] + place
            count = count_of(place, home)
            rest = rest[0] - count[0], rest[1] - count[1]


@njit(cache=True, nogil=True, borrows=True)
def split_at_once(tables: Tables, tails: Ints, first: int, second: int, entries: Pointers) -> bool:
    """Write the table entries of tails that count `first` and `second` together if no more than one
    of them has a choice, which then takes what the others leave; return whether that is so.
    """
    table_ptr, boxes, _, _ = tables
    free = -1
    for i in range(tails.size):
        child = tails[i]
        entries[i] = table_ptr[child]
        if table_ptr[child + 1] - table_ptr[child] == 1:
            first -= boxes[child, 0]
            second -= boxes[child, 1]
        elif free >= 0:
            return False
        else:
            free = i
    if free >= 0:
        entries[free] += place_of((first, second), box_of(boxes, tails[free]))
    return True


@njit(cache=True, nogil=True, borrows=True)
def last_part(
    prefix: Floats, box: Box, table: Floats, table_box: Box, total: Pair, score: float
) -> int:
    """Return the first table position that makes up the score with some position of the prefix."""
    for place in range(table.size):
        count = count_of(place, table_box)
        row, column = total[0] - count[0] - box[0], total[1] - count[1] - box[1]
        if (
            0 <= row < box[2]
            and 0 <= column < box[3]
            and prefix[row * box[3] + column] + table[place] == score
        ):
            return place
    return -1


@njit(cache=True, nogil=True, borrows=True, forceinline=True)
def put(boxes: Pointers, i: int, box: Box) -> None:
    """Write one row."""
    boxes[i, 0], boxes[i, 1], boxes[i, 2], boxes[i, 3] = box


@njit(cache=True, nogil=True, borrows=True)
def fill(prefix: Floats, prefix_boxes: Pointers, tails: Ints, tables: Tables, limits: Pair) -> None:
    """Extend `prefix[0]` by one tail after another."""
    table_ptr, boxes, best, _ = tables
    for i in range(tails.size):
        child = tails[i]
        other = best[table_ptr[child] : table_ptr[child + 1]]
        box = extend(
            prefix[i],
            box_of(prefix_boxes, i),
            other,
            box_of(boxes, child),
            limits,
            prefix[i + 1],
        )
        put(prefix_boxes, i + 1, box)
