"""Kernels of blocked moves: a pair's derivation is proposed whole, and accepted or not.

The proposal weighs a rule by `(n + α P0') / (n_c + α)` with the counts of all other pairs, and
draws from the product of these over all derivations of the pair, by inside sums and one draw down.
The rules in use are matched from the catalogue; the infinitely many others are summed node by node,
which P0 allows but for its alignment term: P0' has a constant factor a link instead. A
Metropolis–Hastings step makes up for that, and for rules that a derivation uses twice.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from treewright.learning.gibbs._kernels import (
    DELETED,
    LINKED,
    OPEN,
    UNALIGNED,
    fill_pair,
    find,
    give_back,
    rule_at,
    take,
    with_room,
)
from treewright.learning.gibbs.catalogue._kernels import (
    enter_pair,
    match_source,
    match_target,
    new_catalogue,
)
from treewright.learning.gibbs.local._kernels import counted, log_count, pick, shuffle

_LINK = 1.0
"""What P0' takes off the log-probability for each link: about what the alignment term does."""


class Chart(NamedTuple):
    """Inside sums of one pair, in logarithms; `start` has each node's first cell.

    A source node with candidates has a cell for each of them, any other node one cell. `inside` is
    the sum over the rules rooted in the node on that target node (or deleted, or inserted),
    `opened` that over fragments that run through the node, and `entered` that over both choices.
    The cell of `opened` and `entered` says from which candidate on the chain may be aligned.
    """

    start: NDArray[np.int32]
    inside: NDArray[np.float64]
    opened: NDArray[np.float64]
    entered: NDArray[np.float64]
    stops: NDArray[np.int32]
    images: NDArray[np.int32]


@njit(cache=True, nogil=True)
def new_chart(nodes, begin, end):
    """Return the chart of a pair with nothing in it."""
    start = np.zeros(end - begin + 1, dtype=np.int32)
    for x in range(begin, end):
        start[x - begin + 1] = start[x - begin] + max(1, nodes[x].last - nodes[x].first)
    cells = start[-1]
    return Chart(
        start,
        np.full(cells, -np.inf),
        np.full(cells, -np.inf),
        np.full(cells, -np.inf),
        np.empty(end - begin, dtype=np.int32),
        np.empty(end - begin, dtype=np.int32),
    )


@njit(cache=True, nogil=True)
def cell(chart, nodes, begin, x, y):
    """Return the cell of node `x` on target node `y`; the roots have one each."""
    if y < 0 or nodes[x].first == nodes[x].last:
        return chart.start[x - begin]
    return chart.start[x - begin] + nodes[y].rank - nodes[x].first


@njit(cache=True, nogil=True)
def add_logs(a, b):
    """Return `log(exp(a) + exp(b))`."""
    if a < b:
        a, b = b, a
    return a if b == -np.inf else a + np.log1p(np.exp(b - a))


@njit(cache=True, nogil=True)
def log_share(roots, root):
    """Return the logarithm of what a root pair's rules are divided by."""
    return np.log(roots[root].total + roots[root].alpha)


@njit(cache=True, nogil=True)
def below(chart, nodes, begin, count, total):
    """Return the inside sum of everything at a matched rule's frontier."""
    weight = 0.0
    k = 0
    for i in range(count):
        x = chart.stops[i]
        if x < 0:
            weight += chart.inside[cell(chart, nodes, begin, -1 - x, DELETED)]
        else:
            weight += chart.inside[cell(chart, nodes, begin, x, chart.images[k])]
            k += 1
    for i in range(k, total):
        weight += chart.inside[cell(chart, nodes, begin, -1 - chart.images[i], DELETED)]
    return weight


@njit(cache=True, nogil=True)
def match(catalogue, chart, nodes, entry, x, y, insertable):
    """Match an entry at `x` on `y`; return the numbers of stops and images, or (-1, -1)."""
    count = match_source(catalogue, nodes, entry, x, chart.stops)
    if count < 0 or y < 0:
        return count, 0
    total = match_target(catalogue, nodes, entry, y, chart.stops, count, chart.images, insertable)
    return (count, total) if total >= 0 else (-1, -1)


@njit(cache=True, nogil=True)
def entry_weight(catalogue, chart, nodes, table, roots, entry, begin, x, y, insertable):
    """Return the log-weight of a rule in use at `x` on `y` with all below it, or -inf."""
    root = nodes[x].epsilon if y < 0 else nodes[x].row + nodes[y].label
    if catalogue.root[entry] != root:
        return -np.inf
    uses = counted(table, find(table, catalogue.key[entry]))
    if uses == 0:
        return -np.inf
    count, total = match(catalogue, chart, nodes, entry, x, y, insertable)
    if count < 0:
        return -np.inf
    return np.log(uses) - log_share(roots, root) + below(chart, nodes, begin, count, total)


@njit(cache=True, nogil=True)
def base_weight(chart, nodes, roots, begin, x, y, k):
    """Return the log-weight of all rules at `x` on `y` together as P0' has them."""
    opened = chart.opened[chart.start[x - begin] + k] - nodes[x].free
    root = nodes[x].epsilon
    if y >= 0:
        root = nodes[x].row + nodes[y].label
        opened += chart.opened[chart.start[y - begin]]
    return roots[root].log_alpha - log_share(roots, root) + opened


@njit(cache=True, nogil=True)
def fill_cell(catalogue, chart, nodes, table, roots, begin, x, y, k, insertable):
    """Sum over the rules at `x` on `y`."""
    total = base_weight(chart, nodes, roots, begin, x, y, k)
    entry = catalogue.head[nodes[x].production]
    while entry >= 0:
        weight = entry_weight(catalogue, chart, nodes, table, roots, entry, begin, x, y, insertable)
        total = add_logs(total, weight)
        entry = catalogue.next[entry]
    chart.inside[cell(chart, nodes, begin, x, y)] = total


@njit(cache=True, nogil=True)
def aligned_weight(chart, nodes, begin, x, candidate, k):
    """Return the log-weight of stopping at `x` and aligning it with its candidate `k`."""
    j = candidate[nodes[x].first + k]
    inside = chart.inside[chart.start[x - begin] + k]
    return nodes[x].stop + nodes[j].stop - chart.opened[chart.start[j - begin]] - _LINK + inside


@njit(cache=True, nogil=True)
def fill_opened(chart, nodes, begin, x):
    """Sum over the fragments that run through `x`, for each place the chain may start from."""
    for k in range(max(1, nodes[x].last - nodes[x].first)):
        total = nodes[x].spell
        child = x + 1
        while child < nodes[x].end:
            place = k if child == nodes[x].lower else 0
            total += chart.entered[chart.start[child - begin] + place]
            child = nodes[child].end
        chart.opened[chart.start[x - begin] + k] = total


@njit(cache=True, nogil=True)
def fill_entered(chart, nodes, begin, x, candidate, droppable):
    """Sum over running through `x` and stopping there, for each place the chain may start from."""
    first = chart.start[x - begin]
    ways = nodes[x].last - nodes[x].first
    for k in range(max(1, ways)):
        total = chart.opened[first + k]
        for m in range(k, ways):
            total = add_logs(total, aligned_weight(chart, nodes, begin, x, candidate, m))
        if droppable:
            total = add_logs(total, nodes[x].stop + chart.inside[first])
        chart.entered[first + k] = total


@njit(cache=True, nogil=True)
def fill_chart(catalogue, chart, nodes, table, roots, begin, middle, end, candidate, insertable):
    """Fill in the sums from the bottom up, the target side first."""
    for x in range(end - 1, begin - 1, -1):
        fill_opened(chart, nodes, begin, x)
        droppable = not nodes[x].linked and (x < middle or insertable)
        if droppable:
            fill_cell(catalogue, chart, nodes, table, roots, begin, x, DELETED, 0, insertable)
        elif x == begin:
            fill_cell(catalogue, chart, nodes, table, roots, begin, x, middle, 0, insertable)
        elif x < middle:
            for k in range(nodes[x].last - nodes[x].first):
                y = candidate[nodes[x].first + k]
                fill_cell(catalogue, chart, nodes, table, roots, begin, x, y, k, insertable)
        fill_entered(chart, nodes, begin, x, candidate, droppable)


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
def draw_fragment(
    chart, nodes, begin, root, y, candidate, droppable, taken, to, stack, height, rng
):
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
        may = droppable and not nodes[x].linked
        j = draw_child(chart, nodes, begin, x, k, candidate, may, rng.random())
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
        height = draw_fragment(
            chart, nodes, begin, x, y, candidate, True, taken, to, stack, height, rng
        )
        bare = False
        for i in range(before, height):
            bare = bare or to[stack[i]] == y
        if y >= 0 and insertable and not bare:
            height = draw_fragment(
                chart, nodes, begin, y, -1, candidate, True, taken, to, stack, height, rng
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
            weight += alignments[nodes[x].width, width] - _LINK * count_links(nodes, x)
        total += log_count(table, roots, (key, weight, root), 0) - log_share(roots, root)
    return total


@njit(cache=True, nogil=True)
def put_pair(nodes, table, size, roots, alignments, begin, end, crossing):
    """Count the rules of a pair one after the other; return their log-probability."""
    total = 0.0
    for x in range(begin, end):
        if nodes[x].to != UNALIGNED:
            key, weight, root = rule_at(nodes, alignments, x, crossing)
            total += log_count(table, roots, (key, weight, root), 0) - log_share(roots, root)
            nodes[x].slot = take(table, size, roots, key, weight, root)
    return total


@njit(cache=True, nogil=True)
def take_pair(nodes, table, size, roots, begin, end):
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
    take_pair(nodes, table, size, roots, begin, end)
    chart = new_chart(nodes, begin, end)
    candidate = layout.candidate
    fill_chart(catalogue, chart, nodes, table, roots, begin, middle, end, candidate, insertable)
    draw_pair(
        catalogue, chart, nodes, table, roots, begin, middle, end, candidate, insertable, rng, to
    )
    old = nodes[begin:end].copy()
    old_proposal = log_proposal(nodes, table, roots, alignments, begin, end, crossing)
    old_joint = put_pair(nodes, table, size, roots, alignments, begin, end, crossing)
    take_pair(nodes, table, size, roots, begin, end)
    set_pair(nodes, begin, middle, end, to)
    proposal = log_proposal(nodes, table, roots, alignments, begin, end, crossing)
    joint = put_pair(nodes, table, size, roots, alignments, begin, end, crossing)
    gain = joint - old_joint
    draw = rng.random()
    if temperature == 0.0:
        accepted = gain > 0.0
    else:
        accepted = np.log(draw) < gain / temperature + old_proposal - proposal
    if accepted:
        return True, gain
    take_pair(nodes, table, size, roots, begin, end)
    nodes[begin:end] = old
    put_pair(nodes, table, size, roots, alignments, begin, end, crossing)
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
