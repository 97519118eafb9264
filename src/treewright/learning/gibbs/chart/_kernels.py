"""Kernels that sum over all derivations of a pair, given the counts of all others.

A rule weighs `(n + α P0') / (n_c + α)`. The rules in use are matched from the catalogue; the
infinitely many others are summed node by node, which P0 allows but for its alignment term: P0' has
a constant factor a link instead.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.compiling import njit
from treewright.grammar.node_alignment import DELETED
from treewright.learning.gibbs._kernels import find
from treewright.learning.gibbs.catalogue._kernels import match_source, match_target
from treewright.learning.gibbs.local._kernels import counted

LINK = 1.0
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
    return nodes[x].stop + nodes[j].stop - chart.opened[chart.start[j - begin]] - LINK + inside


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
