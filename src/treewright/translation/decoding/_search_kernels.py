"""The search of the decoder: stacks by number of words covered, filled by cube pruning."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treewright.compiling import njit
from treewright.grammar._kernels import room_for
from treewright.lm._kernels import extend
from treewright.translation.decoding._kernels import (
    CELL,
    EDGE,
    GRID,
    GROUP,
    NODE,
    OUTSIDE,
    SLOT,
    WINDOW,
    find,
    find_group,
    future_of,
    marks_after,
    orientation,
    pop,
    push,
    skeletal,
    table_size,
    taller,
)


class Graph(NamedTuple):
    """Nodes, edges and what the language models say: the search graph."""

    nodes: np.ndarray
    states: np.ndarray
    edges: np.ndarray
    edge_lm: np.ndarray


class Agenda(NamedTuple):
    """The cells seen for one stack, and those among them that compete for being next."""

    cells: np.ndarray
    states: np.ndarray
    lm: np.ndarray
    priorities: np.ndarray
    heap: np.ndarray


@njit(nogil=True)
def search(problem, lm, effort):
    """Return the nodes and edges of the search graph, and the language-model scores of the edges.

    Node 0 has nothing covered. Edges whose option is -1 end the sentence, in the node after the
    last.
    """
    num_words = problem.span_of.shape[0]
    models = problem.lm_weights.size
    graph = Graph(
        np.zeros(1, dtype=NODE),
        problem.lm_start.copy().reshape(1, models),
        np.zeros(0, dtype=EDGE),
        np.empty((0, models)),
    )
    graph.nodes[0].start = -1
    graph.nodes[0].bone_start = -1
    groups = np.zeros(1, dtype=GROUP)
    groups[0].last = 1
    ranked = np.zeros(1, np.int32)
    stack_group = np.zeros(num_words + 2, np.int64)
    stack_group[1] = 1
    num_nodes, num_edges, first_node = 1, 0, 0
    for covered in range(1, num_words + 1):
        grids, num_grids, limit = open_grids(problem, effort, groups, stack_group, covered)
        if effort.pops > 0:
            limit = min(limit, effort.pops)
        graph = Graph(
            room_for(graph.nodes, num_nodes + limit),
            taller(graph.states, num_nodes, num_nodes + limit),
            room_for(graph.edges, num_edges + limit),
            taller(graph.edge_lm, num_edges, num_edges + limit),
        )
        room = num_grids + 2 * limit
        agenda = Agenda(
            np.zeros(room, dtype=CELL),
            np.empty((room, models), np.int64),
            np.empty((room, models)),
            np.empty(room),
            np.empty(room, np.int32),
        )
        size = open_cells(problem, graph, groups, ranked, grids, num_grids, agenda)
        first_node = num_nodes
        num_nodes, num_edges = fill_stack(
            problem,
            lm,
            effort,
            graph,
            groups,
            ranked,
            grids,
            agenda,
            size,
            limit,
            num_nodes,
            num_edges,
        )
        groups, ranked = rank_stack(effort, graph, groups, ranked, first_node, num_nodes)
        stack_group[covered + 1] = groups.size
    count = num_nodes - first_node
    edges = room_for(graph.edges, num_edges + count)
    edge_lm = taller(graph.edge_lm, num_edges, num_edges + count)
    for node in range(first_node, num_nodes):
        edges[num_edges].head = num_nodes
        edges[num_edges].tail = node
        edges[num_edges].option = -1
        for model in range(models):
            nodes = lm.nodes[lm.first[model] :]
            score, _ = extend(nodes, graph.states[node, model], problem.lm_end[model])
            edge_lm[num_edges, model] = score
        num_edges += 1
    return graph.nodes[:num_nodes], edges[:num_edges], edge_lm[:num_edges]


@njit(nogil=True)
def open_grids(problem, effort, groups, stack_group, covered):
    """Return the grids that lead to a stack, how many there are, and how many cells they have."""
    num_words = problem.span_of.shape[0]
    grids = np.zeros(256, dtype=GRID)
    num_grids, num_cells = 0, 0
    for size in range(1, min(problem.span_of.shape[1] - 1, covered) + 1):
        for group in range(stack_group[covered - size], stack_group[covered - size + 1]):
            gap, mask, end = groups[group].gap, groups[group].mask, groups[group].end
            for start in range(gap, min(num_words, gap + WINDOW) - size + 1):
                if not can_cover(problem, effort, gap, mask, end, start, size):
                    continue
                if num_grids == grids.size:
                    grids = room_for(grids, 2 * num_grids)
                open_grid(problem, effort, groups, group, grids[num_grids], start, size)
                num_grids += 1
                span = problem.span_of[start, size]
                options = problem.span_option[span + 1] - problem.span_option[span]
                num_cells += options * (groups[group].last - groups[group].first)
    return grids, num_grids, num_cells


@njit(nogil=True)
def open_cells(problem, graph, groups, ranked, grids, num_grids, agenda):
    """Let the best cell of each grid compete; return how many do."""
    for grid in range(num_grids):
        span = problem.span_of[grids[grid].start, grids[grid].end - grids[grid].start]
        propose(
            problem,
            graph,
            ranked,
            grids,
            agenda,
            grid,
            grid,
            groups[grids[grid].group].first,
            problem.span_option[span],
            grid,
        )
    return num_grids


@njit(nogil=True)
def propose(problem, graph, ranked, grids, agenda, place, grid, rank, option, size):
    """Put a cell into its place, and on the heap of `size` cells."""
    cell = agenda.cells[place]
    cell.grid = grid
    cell.rank = rank
    cell.option = option
    priority = roughly(problem, graph.nodes, ranked, grids, cell)
    push(agenda.priorities, agenda.heap, size, priority, place)


@njit(nogil=True)
def fill_stack(
    problem, lm, effort, graph, groups, ranked, grids, agenda, size, limit, num_nodes, num_edges
):
    """Take cells best first; return how many nodes and edges there are then.

    A cell is scored in its context when it comes to the top, and waits for its turn if that makes
    it worse than the next.
    """
    slots = np.full(table_size(limit), -1, np.int32)
    num_cells, pops = size, 0
    best = -np.inf
    while size > 0 and pops < limit:
        size -= 1
        place = pop(agenda.priorities, agenda.heap, size)
        cell = agenda.cells[place]
        grid = cell.grid
        if cell.is_exact == 0:
            score_cell(problem, lm, graph, ranked, grids, agenda, place)
            total = cell.score + grids[grid].future
            if size > 0 and total < agenda.priorities[0]:
                push(agenda.priorities, agenda.heap, size, total, place)
                size += 1
                continue
        pops += 1
        # The cell to the right always follows; the one below only from the first column, so that
        # each cell has one predecessor.
        span = problem.span_of[grids[grid].start, grids[grid].end - grids[grid].start]
        rank, option = cell.rank, cell.option
        if option + 1 < problem.span_option[span + 1]:
            propose(problem, graph, ranked, grids, agenda, num_cells, grid, rank, option + 1, size)
            num_cells += 1
            size += 1
        if option == problem.span_option[span] and rank + 1 < groups[grids[grid].group].last:
            propose(problem, graph, ranked, grids, agenda, num_cells, grid, rank + 1, option, size)
            num_cells += 1
            size += 1
        total = cell.score + grids[grid].future
        if total < best - effort.threshold:
            continue
        best = max(best, total)
        tail = ranked[rank]
        head = enter(problem, graph, slots, num_nodes, tail, grids[grid], agenda, place)
        num_nodes = max(num_nodes, head + 1)
        graph.edges[num_edges].head = head
        graph.edges[num_edges].tail = tail
        graph.edges[num_edges].option = option
        graph.edge_lm[num_edges] = agenda.lm[place]
        num_edges += 1
    return num_nodes, num_edges


@njit(nogil=True)
def enter(problem, graph, slots, node, tail, grid, agenda, place):
    """Return the node that a cell leads to: one with the same state, or else a new one, `node`."""
    cell = agenda.cells[place]
    new = graph.nodes[node]
    new.gap = grid.gap
    new.mask = grid.mask
    new.start = grid.start
    new.end = grid.end
    new.behind = problem.option_class[cell.option]
    enter_bones(problem, new, graph.nodes[tail], cell)
    new.score = cell.score
    new.total = cell.score + grid.future
    graph.states[node] = agenda.states[place]
    slot = find(graph.nodes, graph.states, slots, node)
    if slots[slot] < 0:
        slots[slot] = node
    same = graph.nodes[slots[slot]]
    if new.score > same.score:
        same.score = new.score
        same.total = new.total
    return slots[slot]


@njit(nogil=True)
def enter_bones(problem, new, tail, cell):
    """Fill in the part of a node's state that belongs to the skeleton."""
    bones, option = problem.bones, cell.option
    if bones.moves and bones.kind[option] != OUTSIDE:
        new.bone_start = bones.start[option]
        new.bone_end = bones.end[option]
        new.bone_behind = problem.option_class[option]
    else:
        new.bone_start = tail.bone_start
        new.bone_end = tail.bone_end
        new.bone_behind = tail.bone_behind
    new.marks = cell.marks


@njit(nogil=True)
def rank_stack(effort, graph, groups, ranked, first_node, num_nodes):
    """Return groups and ranked nodes with those of a stack added: its best nodes, best first."""
    totals = np.empty(num_nodes - first_node)
    for node in range(first_node, num_nodes):
        totals[node - first_node] = -graph.nodes[node].total
    order = np.argsort(totals, kind="mergesort")
    if effort.stack > 0:
        order = order[: effort.stack]
    slots = np.full(table_size(order.size), -1, np.int32)
    member = np.empty(order.size, np.int64)
    first_group = groups.size
    groups = room_for(groups, first_group + order.size)
    num_groups = first_group
    for place in range(order.size):
        node = graph.nodes[first_node + order[place]]
        slot = find_group(groups, slots, node)
        if slots[slot] < 0:
            slots[slot] = num_groups
            groups[num_groups].gap = node.gap
            groups[num_groups].mask = node.mask
            groups[num_groups].end = node.end
            groups[num_groups].last = 0
            num_groups += 1
        member[place] = slots[slot]
        groups[slots[slot]].last += 1
    position = ranked.size
    for group in range(first_group, num_groups):
        groups[group].first = position
        position += groups[group].last
        groups[group].last = groups[group].first
    grown = np.empty(position, np.int32)
    grown[: ranked.size] = ranked
    for place in range(order.size):
        grown[groups[member[place]].last] = first_node + order[place]
        groups[member[place]].last += 1
    return groups[:num_groups], grown


@njit(nogil=True)
def can_cover(problem, effort, gap, mask, end, start, size):
    """Tell whether a span may be translated next."""
    if start + size - gap > WINDOW or problem.span_of[start, size] < 0:
        return False
    if (mask >> (start - gap)) & ((1 << size) - 1) != 0:
        return False
    if start != gap and start + size > problem.boundary[gap]:
        return False
    limit = effort.distortion_limit
    # Beyond the first gap, the way back to it must not be too long either.
    return limit < 0 or (
        abs(start - end) <= limit and (start == gap or start + size - gap <= limit)
    )


@njit(nogil=True)
def open_grid(problem, effort, groups, group, grid, start, size):
    """Fill in a grid: the span, and what is covered with it."""
    gap = groups[group].gap
    mask = groups[group].mask | (((1 << size) - 1) << (start - gap))
    while mask & 1:
        mask >>= 1
        gap += 1
    grid.gap = gap
    grid.mask = mask
    grid.future = future_of(problem.future, problem.span_of.shape[0], gap, mask)
    grid.distortion = effort.distortion_weight * -abs(start - groups[group].end)
    grid.group = group
    grid.start = start
    grid.end = start + size


@njit(nogil=True)
def roughly(problem, nodes, ranked, grids, cell):
    """Return the score of a cell, future included, as if its words had no context."""
    grid = grids[cell.grid]
    tail = nodes[ranked[cell.rank]]
    way = orientation(grid.start, grid.end, tail.start, tail.end)
    return (
        tail.score
        + problem.estimate[cell.option]
        + problem.previous[cell.option, way]
        + problem.following[tail.behind, way]
        + grid.distortion
        + grid.future
        + skeletal(problem.bones, tail, cell.option)
    )


@njit(nogil=True)
def score_cell(problem, lm, graph, ranked, grids, agenda, place):
    """Fill in the exact score of a cell, and its language-model scores and states."""
    cell = agenda.cells[place]
    grid = grids[cell.grid]
    node = ranked[cell.rank]
    tail = graph.nodes[node]
    way = orientation(grid.start, grid.end, tail.start, tail.end)
    option = cell.option
    score = (
        tail.score
        + problem.local[option]
        + problem.previous[option, way]
        + problem.following[tail.behind, way]
        + grid.distortion
        + skeletal(problem.bones, tail, option)
    )
    first, last = problem.word_start[option], problem.word_start[option + 1]
    cell.marks = marks_after(problem.bones, tail.marks, option, last > first)
    for model in range(problem.lm_weights.size):
        nodes = lm.nodes[lm.first[model] :]
        state = graph.states[node, model]
        total = 0.0
        if model == problem.bones.lm and problem.bones.kind[option] == OUTSIDE:
            # A stretch outside the skeleton is one symbol, however many options it takes.
            if last > first and tail.marks & SLOT == 0:
                total, state = extend(nodes, state, np.int64(problem.bones.slot))
        else:
            for word in range(first, last):
                gain, state = extend(nodes, state, np.int64(problem.lm_words[model, word]))
                total += gain
        agenda.states[place, model] = state
        agenda.lm[place, model] = total
        score += problem.lm_weights[model] * total
    cell.score = score
    cell.is_exact = 1
