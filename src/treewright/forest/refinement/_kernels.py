"""Kernels for refinement; the oracle is in `tests/forest/naive.py`.

They trust their input. A kernel that calls a function of the trivial algebra is a template:
`specialise` replaces these with the functions of another algebra. An edge of the refined forest is
a *row* while it is made. The tails of a wide edge are taken in part by part, through *links*: nodes
for the state that an edge has reached so far.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.compiling import njit
from treewright.forest.arrays import Floats, Ints, Pointers
from treewright.forest.refinement.trivial import finish, left_to_right, one_choice, start, step

Records = NDArray[Any]

NEVER = -math.inf
LINK = np.int64(-1)
NODES, FIRST, ROWS, SORTED, TAILS, WIDE = 0, 1, 2, 3, 4, 5

SMALL = 32
"""The number of combinations of tail states up to which links do not pay off."""

NODE = np.dtype(
    [
        ("state", "i8"),
        ("score", "f8"),  # that of its best derivation, if there is a beam
        ("node", "i4"),  # the node of the source that it is a part of, -1 for a link
        ("ranked", "i4"),  # in the place of the part of the same node that has this rank by score
    ]
)
ROW = np.dtype(
    [
        ("state", "i8"),
        ("weight", "f8"),
        ("score", "f8"),  # that of its best derivation, if there is a beam
        ("tail", "i8"),  # where its tails begin
        ("arity", "i4"),
        ("head", "i4"),
        ("origin", "i4"),  # the edge of the source, -1 for a part of one
    ]
)
TAIL = np.dtype(
    [
        ("node", "i4"),
        ("position", "i4"),  # among the tails of the source's edge, -1 for a link
    ]
)
PART = np.dtype(
    [
        # Turns `begin` to `end` of an edge, from the states of some links or, without any
        # (`link` is -1 and `last_link` 0), from the state and the weight the edge starts with.
        ("edge", "i4"),
        ("begin", "i4"),
        ("end", "i4"),
        ("link", "i4"),
        ("last_link", "i4"),
        ("ways", "i8"),  # how many combinations of states there are
        ("state", "i8"),
        ("weight", "f8"),
    ]
)
TURN = np.dtype(
    [
        # The state before a turn, the tail that has it, and the nodes it has yet to take.
        ("state", "i8"),
        ("weight", "f8"),
        ("position", "i4"),
        ("next", "i4"),
        ("last", "i4"),
    ]
)


class Source(NamedTuple):
    """The forest to refine, its weights, and how many states of a node to keep (0: all).

    With a beam, up to `pops` combinations of a node are looked at.
    With up to `small` combinations of tail states, an edge is never taken in by parts.
    """

    node_ptr: Pointers
    tail_ptr: Pointers
    tail: Ints
    weights: Floats
    beam: int
    pops: int
    small: int


class Chart(NamedTuple):
    """The refined forest as it is made; `size` says how much of the arrays is in use.

    `run` has the first and last part of each node of the source. Rows are sorted by head, apart
    from those that have none yet.
    """

    size: Pointers
    run: Ints
    nodes: Records
    rows: Records
    tails: Records


class Refined(NamedTuple):
    """The arrays of the refined forest, without what its root does not reach."""

    head: Ints
    tail_ptr: Pointers
    tail: Ints
    node_ptr: Pointers
    label: Ints
    origin: Ints
    node: Ints
    state: Pointers
    weights: Floats
    position: Ints
    edge_state: Pointers


@njit(nogil=True)
def split(source: Source, data: Any, chart: Chart, node: int) -> int:
    """Split nodes by the states of their derivations, from `node` on; the root stays whole.

    Returns the node for which the chart has no space, or the number of nodes. (Arrays that grew
    here would cost every loop most of its speed, in reference counting.)
    """
    source, chart = Source(*source), Chart(*chart)
    parts = np.empty(most_choices(source, data), PART)
    turns = np.empty(widest(source) + 1, TURN)
    while node < len(chart.run):
        count = open_parts(source, data, chart, parts, node)
        if chart.size[WIDE] and not take_in(source, data, chart, parts[:count], turns):
            break
        if not every(source, data, chart, parts[:count], turns):
            break
        group(chart, node)
        node += 1
    return node


@njit(nogil=True, borrows=True)
def most_choices(source: Source, data: Any) -> int:
    """Return how often the edges of a node start, together, at most."""
    node_ptr, most = source.node_ptr, 0
    for node in range(node_ptr.size - 1):
        total = 0
        for edge in range(node_ptr[node], node_ptr[node + 1]):
            total += one_choice(data, edge)
        most = max(most, total)
    return most


@njit(nogil=True, borrows=True)
def widest(source: Source) -> int:
    """Return the greatest number of tails of an edge."""
    tail_ptr, most = source.tail_ptr, 0
    for edge in range(tail_ptr.size - 1):
        most = max(most, tail_ptr[edge + 1] - tail_ptr[edge])
    return most


@njit(nogil=True, borrows=True, forceinline=True)
def open_parts(source: Source, data: Any, chart: Chart, parts: Records, node: int) -> int:
    """Write a part for each choice of each edge of a node; return how many can start."""
    node_ptr, weights = source.node_ptr, source.weights
    count, wide = 0, 0
    for edge in range(node_ptr[node], node_ptr[node + 1]):
        if weights[edge] == NEVER:
            continue
        for choice in range(one_choice(data, edge)):
            state, weight = start(data, edge, choice)
            if state >= 0 and weight > NEVER:
                part = parts[count]
                part["edge"], part["state"], part["weight"] = edge, state, weight
                part["link"], part["last_link"], part["begin"] = -1, 0, 0
                wide += find_end(source, data, chart.run, part)
                count += 1
    chart.size[WIDE] = wide
    return count


@njit(nogil=True, borrows=True, forceinline=True)
def find_end(source: Source, data: Any, run: Ints, part: Any) -> bool:
    """Set the turn up to which a part takes in tails at once; return whether others are left.

    That is all of them, unless more than two have several states. Then links are cheaper, because
    combinations that reach the same state meet there.
    """
    tail, edge = source.tail, part["edge"]
    first, last = source.tail_ptr[edge], source.tail_ptr[edge + 1]
    ways = part["last_link"] - part["link"]
    several = 1 if ways > 1 else 0
    end = part["begin"]
    while end < last - first:
        child = tail[first + left_to_right(data, edge, end)]
        states = run[child, 1] - run[child, 0]
        several += 1 if states > 1 else 0
        if several > 2 and ways * states > source.small:
            break
        ways *= states
        end += 1
    part["end"], part["ways"] = end, ways
    return bool(end < last - first)


@njit(nogil=True)
def take_in(source: Source, data: Any, chart: Chart, parts: Records, turns: Records) -> bool:
    """Make links until the last part of every edge is left; return False if there is no space."""
    tail_ptr = source.tail_ptr
    for i in range(len(parts)):
        edge = parts[i]["edge"]
        while parts[i]["end"] < tail_ptr[edge + 1] - tail_ptr[edge]:
            if not every(source, data, chart, parts[i : i + 1], turns):
                return False
            group(chart, LINK)
            parts[i]["begin"] = parts[i]["end"]
            parts[i]["link"], parts[i]["last_link"] = chart.size[FIRST], chart.size[NODES]
            find_end(source, data, chart.run, parts[i])
    return True


@njit(nogil=True, borrows=True, forceinline=True)
def every(source: Source, data: Any, chart: Chart, parts: Records, turns: Records) -> bool:
    """Write a row for each combination of tail states that the algebra allows."""
    size, run, nodes, rows, tails = chart
    tail_ptr, tail, weights = source.tail_ptr, source.tail, source.weights
    num_rows, num_tails = size[ROWS], size[TAILS]
    last_row = min(len(rows), num_rows + len(nodes) - size[NODES] - 1)
    for i in range(len(parts)):
        edge, begin, end = parts[i]["edge"], parts[i]["begin"], parts[i]["end"]
        first = tail_ptr[edge]
        is_last = end == tail_ptr[edge + 1] - first
        for link in range(parts[i]["link"], parts[i]["last_link"]):
            turn = begin
            turns[turn]["state"] = parts[i]["state"] if link < 0 else nodes[link]["state"]
            turns[turn]["weight"] = parts[i]["weight"] if link < 0 else 0.0
            if turn < end:
                position = left_to_right(data, edge, turn)
                await_tail(turns[turn], position, run, tail[first + position])
            while turn >= begin:
                if turn == end:
                    state, weight = turns[turn]["state"], 0.0
                    if is_last:
                        state, weight = finish(data, edge, state)
                        weight += weights[edge]
                    if state >= 0 and weight > NEVER:
                        if num_rows >= last_row or num_tails + end - begin >= len(tails):
                            return False
                        rows[num_rows]["state"] = state
                        rows[num_rows]["weight"] = turns[turn]["weight"] + weight
                        rows[num_rows]["origin"] = edge if is_last else -1
                        rows[num_rows]["tail"] = num_tails
                        num_tails = write_tails(tails, num_tails, turns, begin, end, link, is_last)
                        rows[num_rows]["arity"] = num_tails - rows[num_rows]["tail"]
                        num_rows += 1
                    turn -= 1
                elif turns[turn]["next"] == turns[turn]["last"]:
                    turn -= 1
                else:
                    tail_state = nodes[turns[turn]["next"]]["state"]
                    turns[turn]["next"] += 1
                    position, state = turns[turn]["position"], turns[turn]["state"]
                    state, weight = step(data, edge, position, state, tail_state)
                    if state >= 0 and weight > NEVER:
                        turn += 1
                        turns[turn]["state"] = state
                        turns[turn]["weight"] = turns[turn - 1]["weight"] + weight
                        if turn < end:
                            position = left_to_right(data, edge, turn)
                            await_tail(turns[turn], position, run, tail[first + position])
    size[ROWS], size[TAILS] = num_rows, num_tails
    return bool(last_row >= num_rows)


@njit(nogil=True, borrows=True, forceinline=True)
def await_tail(turn: Any, position: int, run: Ints, child: int) -> None:
    """Let a tail take all its states, one after another."""
    turn["position"] = position
    turn["next"], turn["last"] = run[child, 0], run[child, 1]


@njit(nogil=True, borrows=True, forceinline=True)
def write_tails(
    tails: Records, place: int, turns: Records, begin: int, end: int, link: int, is_last: bool
) -> int:
    """Write the tails of a row, after its link if there is one; return where they end.

    The tails of an edge that is taken in at once keep the order of the source.
    """
    if link >= 0:
        tails[place]["node"], tails[place]["position"] = link, -1
        place += 1
    reordered = link < 0 and is_last
    for turn in range(begin, end):
        position = turns[turn]["position"]
        tail = tails[place + (position if reordered else turn - begin)]
        tail["node"], tail["position"] = turns[turn]["next"] - 1, position
    return place + end - begin


@njit(nogil=True)
def group(chart: Chart, node: int) -> None:
    """Sort the last rows by state, and make a node of each state; for the root, only one."""
    size, run, nodes, rows, _ = chart
    begin, end = size[SORTED], size[ROWS]
    first = last = size[NODES]
    sort_by_state(rows[begin:end])
    is_root = node == len(run) - 1
    for i in range(begin, end):
        state = rows[i]["state"]
        if not is_root and (i == begin or state != rows[i - 1]["state"]):
            nodes[last]["node"], nodes[last]["state"] = node, state
            last += 1
        rows[i]["head"] = first if is_root else last - 1
    if is_root:
        nodes[last]["node"], nodes[last]["state"] = node, -1
        last += 1
    if node >= 0:
        run[node, 0], run[node, 1] = first, last
    size[FIRST], size[NODES], size[SORTED] = first, last, end


@njit(nogil=True)
def sort_by_state(rows: Records) -> None:
    """Sort rows by their states, stably."""
    is_sorted = True
    for i in range(1, len(rows)):
        is_sorted &= rows[i - 1]["state"] <= rows[i]["state"]
    if is_sorted:
        return
    states = np.empty(len(rows), np.int64)
    for i in range(len(rows)):
        states[i] = rows[i]["state"]
    order = sorting_order(states)
    unsorted = rows.copy()
    for i in range(len(rows)):
        rows[i] = unsorted[order[i]]


@njit(nogil=True)
def sorting_order(values: Pointers) -> Pointers:
    """Return the stable order that sorts values; by insertion if there are few, which is faster."""
    if values.size > 24:
        return np.argsort(values, kind="mergesort")
    order = np.empty(values.size, np.int64)
    for i in range(values.size):
        place = i
        while place > 0 and values[order[place - 1]] > values[i]:
            order[place] = order[place - 1]
            place -= 1
        order[place] = i
    return order


@njit(nogil=True)
def assemble(chart: Chart, label: Ints) -> tuple[Any, ...]:
    """Return the parts of `Refined`: a chart without what its root, the last node, cannot reach."""
    chart = Chart(*chart)
    num_nodes, num_rows = chart.size[NODES], chart.size[ROWS]
    is_kept = np.zeros(num_nodes, np.bool_)
    is_kept[num_nodes - 1] = True
    edges, tails = 0, 0
    for i in range(num_rows - 1, -1, -1):
        row = chart.rows[i]
        if is_kept[row["head"]]:
            edges += 1
            tails += row["arity"]
            for k in range(row["tail"], row["tail"] + row["arity"]):
                is_kept[chart.tails[k]["node"]] = True
    number = np.cumsum(is_kept)
    size = number[num_nodes - 1]
    refined = Refined(
        head=np.empty(edges, np.int32),
        tail_ptr=np.zeros(edges + 1, np.int64),
        tail=np.empty(tails, np.int32),
        node_ptr=np.zeros(size + 1, np.int64),
        label=np.empty(edges, np.int32),
        origin=np.empty(edges, np.int32),
        node=np.empty(size, np.int32),
        state=np.empty(size, np.int64),
        weights=np.empty(edges, np.float64),
        position=np.empty(tails, np.int32),
        edge_state=np.empty(edges, np.int64),
    )
    for old in range(num_nodes):
        if is_kept[old]:
            refined.node[number[old] - 1] = chart.nodes[old]["node"]
            refined.state[number[old] - 1] = chart.nodes[old]["state"]
    edge, end = 0, 0
    for i in range(num_rows):
        row = chart.rows[i]
        if not is_kept[row["head"]]:
            continue
        head, origin = number[row["head"]] - 1, row["origin"]
        refined.head[edge], refined.origin[edge] = head, origin
        refined.label[edge] = label[origin] if origin >= 0 else -1
        refined.weights[edge], refined.edge_state[edge] = row["weight"], row["state"]
        for k in range(row["tail"], row["tail"] + row["arity"]):
            refined.tail[end] = number[chart.tails[k]["node"]] - 1
            refined.position[end] = chart.tails[k]["position"]
            end += 1
        edge += 1
        refined.tail_ptr[edge] = end
        refined.node_ptr[head + 1] = edge
    return refined[:]
