"""Kernels for cube pruning: the best combinations of tail states first, until a beam is full.

Huang and Chiang, "Forest rescoring" (ACL 2007). The states of each tail are ranked by score. A
*way* to combine those of a part is a number whose digits are ranks: the lowest is that of the link
(0 without one), the others those of the tails, turn by turn.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import Any

import numpy as np

from treewright.compiling import njit
from treewright.forest._kernels import with_room
from treewright.forest.arrays import Pointers
from treewright.forest.refinement._kernels import (
    FIRST,
    NEVER,
    NODES,
    ROWS,
    SORTED,
    TAILS,
    Chart,
    Records,
    Source,
    group,
    write_tails,
)
from treewright.forest.refinement.trivial import finish, left_to_right, step

CANDIDATE = np.dtype(
    [
        ("way", "i8"),
        ("state", "i8"),  # -1 if the algebra rules it out
        ("weight", "f8"),
        ("score", "f8"),
        ("part", "i4"),
    ]
)


@njit(nogil=True)
def best_first(source: Source, data: Any, chart: Chart, parts: Records, turns: Records) -> bool:
    """Write rows, best first, until one reaches a state beyond the beam, or enough were looked at.

    If the algebra adds weights, the order is only approximately that of the scores. What it rules
    out makes no row, but leads on to others.
    """
    size, before = chart.size, (chart.size[ROWS], chart.size[TAILS])
    candidates = np.empty(len(parts) + 64, CANDIDATE)
    following = np.empty(len(turns), np.int64)
    heap = [(0.0, 0)]
    heap.clear()
    states = {np.int64(-1)}
    states.clear()
    count, pops = 0, 0
    for i in range(len(parts)):
        if parts[i]["ways"] > 0:
            candidates[count]["part"], candidates[count]["way"] = i, 0
            weigh(source, data, chart, parts[i], turns, candidates[count])
            heappush(heap, (-candidates[count]["score"], count))
            count += 1
    while heap and pops < source.pops:
        best = heappop(heap)[1]
        pops += 1
        i, way, state = candidates[best]["part"], candidates[best]["way"], candidates[best]["state"]
        link, _ = choose(source, data, chart, parts[i], turns, way)
        if state >= 0:
            if state not in states and len(states) == source.beam:
                break
            states.add(state)
            if not write_row(source, chart, parts[i], turns, link, candidates[best]):
                size[ROWS], size[TAILS] = before
                return False
        number = next_ways(parts[i], turns, way, following)
        candidates = with_room(candidates, count + number)
        for k in range(number):
            candidates[count]["part"], candidates[count]["way"] = i, following[k]
            weigh(source, data, chart, parts[i], turns, candidates[count])
            heappush(heap, (-candidates[count]["score"], count))
            count += 1
    return bool(size[NODES] < len(chart.nodes))


@njit(nogil=True, borrows=True)
def choose(
    source: Source, data: Any, chart: Chart, part: Any, turns: Records, way: int
) -> tuple[int, float]:
    """Let tails take the states of a way; return its link, and the sum of all scores."""
    run, nodes, tail, first = chart.run, chart.nodes, source.tail, source.tail_ptr[part["edge"]]
    number = part["last_link"] - part["link"]
    link, score = -1, 0.0
    if part["link"] >= 0:
        link = nodes[part["link"] + way % number]["ranked"]
        score = nodes[link]["score"]
    way //= number
    for turn in range(part["begin"], part["end"]):
        position = left_to_right(data, part["edge"], turn)
        child = tail[first + position]
        number = run[child, 1] - run[child, 0]
        chosen = nodes[run[child, 0] + way % number]["ranked"]
        way //= number
        score += nodes[chosen]["score"]
        turns[turn]["position"], turns[turn]["last"] = position, number
        turns[turn]["next"] = chosen + 1
    return link, score


@njit(nogil=True, borrows=True)
def next_ways(part: Any, turns: Records, way: int, following: Pointers) -> int:
    """Write the ways that follow the one chosen last; return how many.

    A digit is increased by one if all above it are zero, so each way follows only one other.
    """
    count, unit, number = 0, 1, part["last_link"] - part["link"]
    for turn in range(part["begin"], part["end"] + 1):
        if way // unit < number - 1:
            following[count] = way + unit
            count += 1
        if turn < part["end"]:
            unit *= number
            number = turns[turn]["last"]
    return count


@njit(nogil=True, borrows=True)
def weigh(
    source: Source, data: Any, chart: Chart, part: Any, turns: Records, candidate: Any
) -> None:
    """Write the state, the weight and the score of a candidate.

    One that is ruled out has the score that it would have if the algebra added nothing.
    """
    edge, begin, end, nodes = part["edge"], part["begin"], part["end"], chart.nodes
    is_last = end == source.tail_ptr[edge + 1] - source.tail_ptr[edge]
    own = source.weights[edge] if is_last else 0.0
    link, score = choose(source, data, chart, part, turns, candidate["way"])
    state = nodes[link]["state"] if link >= 0 else part["state"]
    weight = 0.0 if link >= 0 else part["weight"]
    for turn in range(begin, end):
        tail_state = nodes[turns[turn]["next"] - 1]["state"]
        if state >= 0:
            state, gain = step(data, edge, turns[turn]["position"], state, tail_state)
            weight += gain
    if state >= 0 and is_last:
        state, gain = finish(data, edge, state)
        weight += gain
    if weight == NEVER or state < 0:
        state, weight = -1, 0.0
    candidate["state"], candidate["weight"] = state, own + weight
    candidate["score"] = score + own + weight


@njit(nogil=True, borrows=True)
def write_row(
    source: Source, chart: Chart, part: Any, turns: Records, link: int, candidate: Any
) -> bool:
    """Write the row of a candidate whose tails are chosen; return False if there is no space."""
    size, rows, begin, end, edge = chart.size, chart.rows, part["begin"], part["end"], part["edge"]
    place, num_tails = size[ROWS], size[TAILS]
    num_nodes = size[NODES] + place - size[SORTED] + 1
    if (
        place >= len(rows)
        or num_nodes >= len(chart.nodes)
        or num_tails + end - begin >= len(chart.tails)
    ):
        return False
    is_last = end == source.tail_ptr[edge + 1] - source.tail_ptr[edge]
    row = rows[place]
    row["state"], row["weight"] = candidate["state"], candidate["weight"]
    row["score"], row["origin"] = candidate["score"], edge if is_last else -1
    size[ROWS] = place + 1
    size[TAILS] = write_tails(chart.tails, num_tails, turns, begin, end, link, is_last)
    row["tail"], row["arity"] = num_tails, size[TAILS] - num_tails
    return True


@njit(nogil=True)
def group_and_rank(chart: Chart, node: int) -> None:
    """Group rows by state, and rank the resulting nodes by their best derivations."""
    size, nodes, rows, begin = chart.size, chart.nodes, chart.rows, chart.size[SORTED]
    group(chart, node)
    first, last = size[FIRST], size[NODES]
    scores = np.full(last - first, NEVER)
    for i in range(begin, size[ROWS]):
        place = rows[i]["head"] - first
        scores[place] = max(scores[place], rows[i]["score"])
    order = np.argsort(-scores, kind="mergesort")
    for rank in range(last - first):
        nodes[first + rank]["score"] = scores[rank]
        nodes[first + rank]["ranked"] = first + order[rank]
