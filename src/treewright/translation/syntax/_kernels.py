"""Kernels from a source tree and rules to the forest of its translations, and to a search graph."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treewright.arrays import Ints, Longs
from treewright.compiling import njit
from treewright.transduction._growth_kernels import add_edge, assemble, begin, reserve, trim
from treewright.transduction._kernels import add_rules
from treewright.translation.ghkm._rule_kernels import FRONTIER

GLUE, COPY, DROP, PASS = range(4)
"""What an edge without a rule does at a node: put what its children derive side by side, copy its
word, drop its word, or let a target of any category stand there.
"""


class Derived(NamedTuple):
    """The forest of a tree's translations; without nodes if there are none."""

    head: Ints
    tail_ptr: Longs
    tail: Ints
    node_ptr: Longs
    label: Ints
    node_source: Ints
    node_target: Ints


class Targets(NamedTuple):
    """The target sides of rules, and the word that each production spells out, or -1."""

    ptr: Longs
    symbol: Ints
    link_ptr: Longs
    link: Ints
    inserted_ptr: Longs
    inserted: Ints
    word_of: Ints


class Graph(NamedTuple):
    """The arrays of a search graph; `origin` is the edge of the refined forest, -1 for words."""

    head: Ints
    tail_ptr: Longs
    tail: Ints
    origin: Ints
    word_start: Longs
    words: Ints
    num_nodes: int


@njit(nogil=True)
def derive(chart, anything, first_own, copies, drops, has_glue):
    """Build the forest of all translations of a tree; return the parts of `Derived`.

    A node is (source node, category); column `anything` is that of targets of any category, the
    last that of ε. Every source node has a target if there is glue. `copies` and `drops` say which
    words may be copied and dropped. Where no target has the category that a variable wants, it
    takes one of any.
    """
    size = len(chart.tree.label)
    node_of = np.full((size, anything + 2), -1, np.int32)
    growth = begin(size, chart.insertions)
    for x in range(size - 1, -1, -1):
        growth = add_rules(growth, chart, x, node_of, anything)
        growth = add_passes(growth, first_own + PASS * size + x, x, node_of, anything)
        if has_glue:
            ways = copies[x], drops[x]
            growth = add_own(growth, chart, x, node_of, anything, first_own, ways)
    root = node_of[0, anything]
    if root < 0:
        nothing, pointer = np.empty(0, np.int32), np.zeros(1, np.int64)
        return nothing, pointer, nothing, pointer, nothing, nothing, nothing
    grown = trim(growth)
    head, tail_ptr, tail, node_ptr, label, kept = assemble(
        grown.head, grown.tail_ptr, grown.tail, grown.label, len(grown.node_source), root
    )
    source, target = grown.node_source[kept], grown.node_target[kept]
    return head, tail_ptr, tail, node_ptr, label, source, target


@njit(nogil=True)
def add_passes(growth, label, x, node_of, anything):
    """Let the targets of all categories at `x` stand for one of any category."""
    for category in range(anything):
        below = node_of[x, category]
        if below >= 0:
            growth = reserve(growth, 1)
            growth.tail[growth.size[2]] = below
            add_edge(growth, 1, label, node_of[x], anything, x, anything)
    return growth


@njit(nogil=True)
def add_own(growth, chart, x, node_of, anything, first_own, ways):
    """Add what needs no rule: a node's children side by side, or a word that has no rule."""
    tree, size = chart.tree, len(chart.tree.label)
    if tree.end[x] > x + 1:
        growth = reserve(growth, tree.end[x] - x)
        arity, child = 0, x + 1
        while child < tree.end[x]:
            growth.tail[growth.size[2] + arity] = node_of[child, anything]
            arity += 1
            child = tree.end[child]
        add_edge(growth, arity, first_own + GLUE * size + x, node_of[x], anything, x, anything)
    elif node_of[x, anything] < 0:
        if ways[0]:
            growth = reserve(growth, 0)
            add_edge(growth, 0, first_own + COPY * size + x, node_of[x], anything, x, anything)
        if ways[1]:
            growth = reserve(growth, 0)
            add_edge(growth, 0, first_own + DROP * size + x, node_of[x], anything, x, anything)
    return growth


@njit(nogil=True)
def write_yields(label, tail_ptr, first_own, size, targets, copied):
    """Return the items that each edge writes, as `Yields` has them; `copied` words by node."""
    ptr = np.zeros(len(label) + 1, np.int64)
    most = 0
    for edge in range(len(label)):
        rule = label[edge]
        arity = tail_ptr[edge + 1] - tail_ptr[edge]
        most += targets.ptr[rule + 1] - targets.ptr[rule] if rule < first_own else arity + 1
    item = np.empty(most, np.int32)
    at = 0
    for edge in range(len(label)):
        own = label[edge] - first_own
        if own < 0:
            at = write_rule(targets, label[edge], item, at)
        elif own // size == COPY:
            item[at] = copied[own % size]
            at += 1
        else:
            for position in range(tail_ptr[edge + 1] - tail_ptr[edge]):
                item[at] = -1 - position
                at += 1
        ptr[edge + 1] = at
    return ptr, item[:at].copy()


@njit(nogil=True)
def write_rule(targets, rule, item, at):
    """Write the items of a rule's target; return where they end."""
    variable = 0
    for k in range(targets.ptr[rule], targets.ptr[rule + 1]):
        symbol = targets.symbol[k]
        if symbol == FRONTIER:
            item[at] = -1 - tail_position(targets, rule, variable)
            variable += 1
            at += 1
        else:
            word = -1 - symbol if symbol < 0 else targets.word_of[symbol]
            if word >= 0:
                item[at] = word
                at += 1
    return at


@njit(nogil=True)
def tail_position(targets, rule, variable):
    """Return which tail stands for a target variable: first the linked ones, then insertions."""
    first, last = targets.link_ptr[rule], targets.link_ptr[rule + 1]
    for i in range(first, last):
        if targets.link[i] == variable:
            return i - first
    start = targets.inserted_ptr[rule]
    for i in range(start, targets.inserted_ptr[rule + 1]):
        if targets.inserted[i] == variable:
            return last - first + i - start
    return -1


@njit(nogil=True)
def lay_out(num_nodes, head, tail_ptr, tail, origin, ptr, item):
    """Return the parts of a `Graph`: tails in the target's order, words before tails as leaves.

    A search graph adds the words of an edge after those of its tails. So each run of words before a
    tail is a node of its own, shared by all refined edges that write it.
    """
    leaf_of = np.full(item.size, -1, np.int32)
    start = np.empty(item.size, np.int64)
    leaves, leaf_words, num_tails, num_words = 0, 0, 0, 0
    for edge in range(origin.size):
        at, end = ptr[origin[edge]], ptr[origin[edge] + 1]
        while at < end:
            begin = at
            while at < end and item[at] >= 0:
                at += 1
            if at == end:
                num_words += at - begin
                break
            if at > begin:
                if leaf_of[begin] < 0:
                    leaf_of[begin] = leaves
                    start[leaves] = begin
                    leaves += 1
                    leaf_words += at - begin
                num_tails += 1
            num_tails += 1
            at += 1
    edges = leaves + origin.size
    graph = Graph(
        np.empty(edges, np.int32),
        np.zeros(edges + 1, np.int64),
        np.empty(num_tails, np.int32),
        np.full(edges, -1, np.int32),
        np.zeros(edges + 1, np.int64),
        np.empty(leaf_words + num_words, np.int32),
        leaves + num_nodes,
    )
    words = 0
    for leaf in range(leaves):
        at = start[leaf]
        while item[at] >= 0:
            graph.words[words] = item[at]
            words += 1
            at += 1
        graph.head[leaf], graph.word_start[leaf + 1] = leaf, words
    place = 0
    for edge in range(origin.size):
        at, end = ptr[origin[edge]], ptr[origin[edge] + 1]
        while at < end:
            begin = at
            while at < end and item[at] >= 0:
                at += 1
            if at == end:
                for k in range(begin, at):
                    graph.words[words] = item[k]
                    words += 1
                break
            if at > begin:
                graph.tail[place] = leaf_of[begin]
                place += 1
            graph.tail[place] = leaves + tail[tail_ptr[edge] - 1 - item[at]]
            place += 1
            at += 1
        row = leaves + edge
        graph.head[row], graph.origin[row] = leaves + head[edge], edge
        graph.tail_ptr[row + 1], graph.word_start[row + 1] = place, words
    return graph[:]
