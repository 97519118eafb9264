"""Kernels of blocked moves: a pair's derivation is proposed whole, and accepted or not.

The proposal is drawn from the pair's chart, downwards. A Metropolis–Hastings step makes up for what
the chart approximates, P0's alignment term, and for rules that a derivation uses twice.
"""

from __future__ import annotations

import numpy as np

from treewright.compiling import njit
from treewright.grammar.node_alignment import DELETED, UNALIGNED
from treewright.learning.gibbs._kernels import (
    LINKED,
    OPEN,
    fill_pair,
    give_back,
    rule_at,
    take,
    with_room,
)
from treewright.learning.gibbs.catalogue._kernels import enter_pair, new_catalogue
from treewright.learning.gibbs.chart._kernels import (
    LINK,
    aligned_weight,
    cell,
    entry_weight,
    fill_chart,
    log_share,
    match,
    new_chart,
)
from treewright.learning.gibbs.local._kernels import log_count, pick, shuffle


@njit(cache=True, nogil=True)
def draw_rule(catalogue, chart, nodes, table, roots, begin, x, y, insertable, draw):
    """Draw a rule at `x` on `y`: an entry of the catalogue, or -1 for one by the base."""
    rest = draw
    total = chart.inside[cell(chart, nodes, begin, x, y)]
    entry = catalogue.head[nodes[x].production]
    while entry >= 0:
        weight = entry_weight(catalogue, chart, nodes, table, roots, entry, begin, x, y, insertable)
        rest -= np.exp(weight - total)
        if rest < 0.0:
            return entry
        entry = catalogue.next[entry]
    return np.int32(-1)


@njit(cache=True, nogil=True)
def push(to, stack, height, x, y):
    """Align `x` with `y` and leave its rule to be drawn."""
    to[x] = y
    stack[height] = x
    return height + 1


@njit(cache=True, nogil=True)
def take_entry(catalogue, chart, nodes, entry, x, y, insertable, to, stack, height):
    """Align what a rule of the catalogue aligns; return the new height of the stack."""
    count, total = match(catalogue, chart, nodes, entry, x, y, insertable)
    k = 0
    for i in range(count):
        stop = chart.stops[i]
        if stop < 0:
            height = push(to, stack, height, -1 - stop, DELETED)
        else:
            height = push(to, stack, height, stop, chart.images[k])
            k += 1
    for i in range(k, total):
        height = push(to, stack, height, -1 - chart.images[i], DELETED)
    return height


@njit(cache=True, nogil=True)
def draw_child(chart, nodes, begin, x, k, candidate, droppable, draw):
    """Draw what becomes of a node inside a fragment: open, a candidate or ε."""
    first = chart.start[x - begin]
    ways = max(0, nodes[x].last - nodes[x].first - k)
    weights = np.empty(1 + ways + droppable)
    weights[0] = chart.opened[first + k]
    for m in range(ways):
        weights[1 + m] = aligned_weight(chart, nodes, begin, x, candidate, k + m)
    if droppable:
        weights[-1] = nodes[x].stop + chart.inside[first]
    choice = pick(weights, 1.0, draw)
    if choice == 0:
        return UNALIGNED
    return DELETED if droppable else candidate[nodes[x].first + k + choice - 1]


@njit(cache=True, nogil=True)
def draw_fragment(chart, nodes, begin, root, y, candidate, taken, to, stack, height, rng):
    """Draw how a fragment goes on below its root; return the new height of the stack.

    `taken` marks target nodes that are aligned already, below which this fragment does not reach;
    `y` is the root's target node, from which on its chain may be aligned.
    """
    x = root + 1
    while x < nodes[root].end:
        if taken[x - begin]:
            x = nodes[x].end
            continue
        k = 0
        if y >= 0 and nodes[x].chain >= 0 and nodes[x].chain == nodes[root].chain:
            k = nodes[y].rank - nodes[root].first
        droppable = not nodes[x].linked
        j = draw_child(chart, nodes, begin, x, k, candidate, droppable, rng.random())
        if j == UNALIGNED:
            x += 1
            continue
        height = push(to, stack, height, x, j)
        if j >= 0:
            taken[j - begin] = True
        x = nodes[x].end
    return height


@njit(cache=True, nogil=True)
def draw_pair(
    catalogue, chart, nodes, table, roots, begin, middle, end, candidate, insertable, rng, to
):
    """Draw alignments `to` of all nodes of a pair from the filled chart."""
    stack = np.empty(end - begin + 1, dtype=np.int32)
    taken = np.zeros(end - begin, dtype=np.bool_)
    to[begin:end] = UNALIGNED
    height = push(to, stack, 0, begin, middle)
    while height > 0:
        height -= 1
        x = stack[height]
        y = to[x]
        entry = draw_rule(
            catalogue, chart, nodes, table, roots, begin, x, y, insertable, rng.random()
        )
        if entry >= 0:
            height = take_entry(catalogue, chart, nodes, entry, x, y, insertable, to, stack, height)
            continue
        before = height
        height = draw_fragment(chart, nodes, begin, x, y, candidate, taken, to, stack, height, rng)
        bare = False
        for i in range(before, height):
            bare = bare or to[stack[i]] == y
        if y >= 0 and insertable and not bare:
            height = draw_fragment(
                chart, nodes, begin, y, -1, candidate, taken, to, stack, height, rng
            )


@njit(cache=True, nogil=True)
def count_links(nodes, r):
    """Return the number of links of the rule rooted in source node `r`."""
    links = 0
    x = r + 1
    while x < nodes[r].end:
        links += nodes[x].front == LINKED
        x = x + 1 if nodes[x].front == OPEN else nodes[x].end
    return links


@njit(cache=True, nogil=True)
def log_proposal(nodes, table, roots, alignments, begin, end, crossing):
    """Return the log-weight the proposal gives to a pair's state, its own rules not counted."""
    total = 0.0
    for x in range(begin, end):
        y = nodes[x].to
        if y == UNALIGNED:
            continue
        key, weight, root = rule_at(nodes, alignments, x, crossing)
        if y >= 0:
            width = nodes[y].width if nodes[y].owner == x else 1
            weight += alignments[nodes[x].width, width] - LINK * count_links(nodes, x)
        total += log_count(table, roots, (key, weight, root), 0) - log_share(roots, root)
    return total


@njit(cache=True, nogil=True)
def count_pair(nodes, table, size, roots, alignments, begin, end, crossing):
    """Count the rules of a pair one after the other; return their log-probability."""
    total = 0.0
    for x in range(begin, end):
        if nodes[x].to != UNALIGNED:
            key, weight, root = rule_at(nodes, alignments, x, crossing)
            total += log_count(table, roots, (key, weight, root), 0) - log_share(roots, root)
            nodes[x].slot = take(table, size, roots, key, weight, root)
    return total


@njit(cache=True, nogil=True)
def uncount_pair(nodes, table, size, roots, begin, end):
    """Stop counting the rules of a pair."""
    for x in range(begin, end):
        if nodes[x].slot >= 0:
            give_back(table, size, roots, nodes[x].slot)
            nodes[x].slot = -1


@njit(cache=True, nogil=True)
def set_pair(nodes, begin, middle, end, to):
    """Move a pair to another state."""
    for x in range(begin, end):
        nodes[x].to = to[x]
    fill_pair(nodes, begin, middle, end)


@njit(cache=True, nogil=True)
def move_pair(
    catalogue, nodes, layout, table, size, roots, alignments, p, insertable, temperature, rng, to
):
    """Propose a new derivation of pair `p`; return whether it was accepted, and the gain.

    `to` is a buffer of all alignments; the pair's own part is written over.
    """
    begin, middle, end = layout.source_start[p], layout.target_start[p], layout.source_start[p + 1]
    crossing = layout.crossing[p]
    uncount_pair(nodes, table, size, roots, begin, end)
    chart = new_chart(nodes, begin, end)
    candidate = layout.candidate
    fill_chart(catalogue, chart, nodes, table, roots, begin, middle, end, candidate, insertable)
    draw_pair(
        catalogue, chart, nodes, table, roots, begin, middle, end, candidate, insertable, rng, to
    )
    old = nodes[begin:end].copy()
    old_proposal = log_proposal(nodes, table, roots, alignments, begin, end, crossing)
    old_joint = count_pair(nodes, table, size, roots, alignments, begin, end, crossing)
    uncount_pair(nodes, table, size, roots, begin, end)
    set_pair(nodes, begin, middle, end, to)
    proposal = log_proposal(nodes, table, roots, alignments, begin, end, crossing)
    joint = count_pair(nodes, table, size, roots, alignments, begin, end, crossing)
    gain = joint - old_joint
    draw = rng.random()
    if temperature == 0.0:
        accepted = gain > 0.0
    else:
        accepted = np.log(draw) < gain / temperature + old_proposal - proposal
    if accepted:
        return True, gain
    uncount_pair(nodes, table, size, roots, begin, end)
    nodes[begin:end] = old
    count_pair(nodes, table, size, roots, alignments, begin, end, crossing)
    return False, 0.0


@njit(cache=True, nogil=True)
def blocked_sweep(
    nodes, layout, table, size, roots, alignments, order, rng, temperature, productions, insertable
):
    """Propose a new derivation of every pair once, in random order.

    Return the table, how many proposals were accepted, and the log joint's gain.
    """
    catalogue = new_catalogue(productions)
    link_of = np.zeros(len(nodes), dtype=np.int32)
    to = np.empty(len(nodes), dtype=np.int32)
    for p in range(len(order)):
        begin, end = layout.source_start[p], layout.source_start[p + 1]
        catalogue = enter_pair(catalogue, nodes, table, begin, end, link_of)
    accepted, gain = 0, 0.0
    shuffle(order, 0, len(order), rng)
    for p in order:
        begin, end = layout.source_start[p], layout.source_start[p + 1]
        table = with_room(nodes, table, size, 2 * (end - begin))
        moved, more = move_pair(
            catalogue,
            nodes,
            layout,
            table,
            size,
            roots,
            alignments,
            p,
            insertable,
            temperature,
            rng,
            to,
        )
        if moved:
            accepted += 1
            gain += more
            catalogue = enter_pair(catalogue, nodes, table, begin, end, link_of)
    return table, accepted, gain
