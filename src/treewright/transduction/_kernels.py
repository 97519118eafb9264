"""Kernels that build forests: rules are matched bottom-up.

Source nodes are visited in reverse preorder, so everything below a node is complete when its rules
are tried. A rule is left out unless all its tails exist, so the forest has no dead ends.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treewright.arrays import Bools, Floats, Ints
from treewright.compiling import njit
from treewright.grammar import RuleTables, TrieTables
from treewright.grammar._kernels import match_fragments, match_target
from treewright.transduction._growth_kernels import (
    add_edge,
    assemble,
    begin,
    new_growth,
    reserve,
    reserve_edges,
    trim,
)
from treewright.transduction.insertion import Insertions
from treewright.transduction.labels import COPY, GAP, RULE


class Source(NamedTuple):
    """A source tree in preorder: labels, ends of subtrees, productions (0: not in the grammar)."""

    label: Ints
    end: Ints
    production: Ints


class Chart(NamedTuple):
    """A grammar's tables and a tree: everything that matching looks at.

    `categories` counts those of the grammar and the tree. `inserted[c]` is the forest node that
    inserts category `c` (-1: none).
    """

    trie: TrieTables
    rules: RuleTables
    tree: Source
    categories: int
    inserted: Ints
    insertions: Insertions


class Own(NamedTuple):
    """The tree's own edges: where a node's production may be copied or deleted without a rule.

    Labels: `first_label + 2 * node` copies, one more deletes; with `whole`, all below at once.
    `weights` are those of all own edges, from `first_label` on.
    """

    copy: Bools
    delete: Bools
    whole: bool
    first_label: int
    weights: Floats


@njit(nogil=True, inline="always")
def rule_tails(growth, rules, rule, stops, node_of, inserted, instead):
    """Write the tails of a rule for generation; return how many, or -1 if one does not exist.

    Where nothing has the category that a variable wants, it takes what has category `instead` (-1:
    nothing).
    """
    base = growth.size[2]
    first = rules.frontier_ptr[rule]
    for i in range(len(stops)):
        category = rules.category[first + i]
        below = node_of[stops[i], category]
        if below < 0 and category >= 0 and instead >= 0:
            below = node_of[stops[i], instead]
        if below < 0:
            return -1
        growth.tail[base + i] = below
    arity = len(stops)
    for i in range(rules.inserted_ptr[rule], rules.inserted_ptr[rule + 1]):
        below = inserted[rules.inserted_category[i]]
        if below < 0:
            return -1
        growth.tail[base + arity] = below
        arity += 1
    return arity


@njit(nogil=True, inline="always")
def child_tails(growth, tree, x, deletes, node_of):
    """Write the tails that keep or delete all children; return how many, or -1."""
    arity = 0
    child = x + 1
    while child < tree.end[x]:
        below = node_of[child, -1 if deletes else tree.label[child]]
        if below < 0:
            return -1
        growth.tail[growth.size[2] + arity] = below
        arity += 1
        child = tree.end[child]
    return arity


@njit(nogil=True)
def add_rules(growth, chart, x, node_of, instead):
    """Add an edge for each rule that matches at `x` and whose tails exist; return the buffers."""
    trie, rules = chart.trie, chart.rules
    state, pointer, frontier = match_fragments(trie, chart.tree.production, chart.tree.end, x)
    for k in range(len(state)):
        stops = frontier[pointer[k] : pointer[k + 1]]
        for j in range(trie.fragment_ptr[state[k]], trie.fragment_ptr[state[k] + 1]):
            rule = trie.fragment_rule[j]
            new = rules.inserted_ptr[rule + 1] - rules.inserted_ptr[rule]
            growth = reserve(growth, len(stops) + new)
            arity = rule_tails(growth, rules, rule, stops, node_of, chart.inserted, instead)
            if arity >= 0:
                root = rules.target_root[rule]
                add_edge(growth, arity, rule, node_of[x], root, x, root)
    return growth


@njit(nogil=True, borrows=True)
def add_own(growth, tree, own, x, node_of):
    """Add the copy and the deletion of the production at `x`, where requested; there is room."""
    for deletes in range(2):
        if own.delete[x] if deletes else own.copy[x]:
            arity = 0
            if not (deletes and own.whole):
                arity = child_tails(growth, tree, x, deletes, node_of)
            if arity >= 0:
                root = -1 if deletes else tree.label[x]
                label = own.first_label + 2 * x + deletes
                add_edge(growth, arity, label, node_of[x], root, x, root)


@njit(nogil=True)
def generate(chart, own, rule_weights):
    """Build the forest of all target trees of one source tree; see `finish`.

    A node is (source node, target category), where the last category (index -1) is ε.
    """
    size = len(chart.tree.label)
    node_of = np.full((size, chart.categories + 1), -1, dtype=np.int32)
    growth = begin(size, chart.insertions)
    for x in range(size - 1, -1, -1):
        growth = add_rules(growth, chart, x, node_of, -1)
        growth = reserve_edges(growth, 2, 2 * (chart.tree.end[x] - x))
        add_own(growth, chart.tree, own, x, node_of)
    return finish(growth, node_of[0], chart.tree.label[0], rule_weights, own.weights)


@njit(nogil=True)
def finish(growth, roots, label, rule_weights, own_weights):
    """Return the arrays of the finished forest, its nodes' sources and targets, and the weights.

    The root is the tree's node in its own category, or else in the first one. Without any, there
    are no nodes.
    """
    root = roots[label]
    for category in range(len(roots) - 1):
        if root < 0:
            root = roots[category]
    grown = trim(growth)
    if root < 0:
        nothing = np.empty(0, dtype=np.int32)
        pointer = np.zeros(1, dtype=np.int64)
        return nothing, pointer, nothing, pointer, nothing, nothing, nothing, np.empty(0)
    head, tail_ptr, tail, node_ptr, labels, kept = assemble(
        grown.head, grown.tail_ptr, grown.tail, grown.label, len(grown.node_source), root
    )
    weights = np.empty(len(labels))
    for edge in range(len(labels)):
        own = labels[edge] - len(rule_weights)
        weights[edge] = rule_weights[labels[edge]] if own < 0 else own_weights[own]
    return (
        head,
        tail_ptr,
        tail,
        node_ptr,
        labels,
        grown.node_source[kept],
        grown.node_target[kept],
        weights,
    )


@njit(nogil=True)
def supply(production, has_copy, has_deletion, known, pointer, prices, drops):
    """Return where copies and deletions are supplied, the weights of own edges, and unknown nodes.

    The weights of copies and deletions are those of `known` productions, and NaN at the nodes that
    are returned last. Gaps have their prices. A node that has gaps (those after `pointer`) needs
    no copy: a walk over them that keeps all children is one. With `drops`, these are the prices of
    all deletions.
    """
    size = len(production)
    copies = np.empty(size, dtype=np.bool_)
    deletes = np.empty(size, dtype=np.bool_)
    weights = np.zeros(2 * size + len(prices))
    unknown = np.empty(size, dtype=np.int32)
    count = 0
    for x in range(size):
        pruned = pointer[x] < pointer[x + 1]
        copies[x] = not has_copy[production[x]] and not pruned
        deletes[x] = len(drops) > 0 or not has_deletion[production[x]]
        if copies[x] or ((deletes[x] or pruned) and len(drops) == 0):
            weights[2 * x] = known[production[x], 0]
            weights[2 * x + 1] = known[production[x], 1]
            if np.isnan(weights[2 * x]):
                unknown[count] = x
                count += 1
        if len(drops) > 0:
            weights[2 * x + 1] = drops[x]
    for g in range(len(prices)):
        weights[2 * size + g] = prices[g]
    return copies, deletes, weights, unknown[:count]


@njit(nogil=True, inline="always")
def pair_tails(growth, rules, rule, stops, stops2, node_of):
    """Write the tails of a rule in a tree pair; return how many, or -1 if one does not exist."""
    base = growth.size[2]
    first = rules.frontier_ptr[rule]
    for i in range(len(stops)):
        link = rules.link[first + i]
        below = node_of[stops[i], stops2[link] if link >= 0 else -1]
        if below < 0:
            return -1
        growth.tail[base + i] = below
    arity = len(stops)
    for i in range(rules.inserted_ptr[rule], rules.inserted_ptr[rule + 1]):
        below = node_of[-1, stops2[rules.inserted[i]]]
        if below < 0:
            return -1
        growth.tail[base + arity] = below
        arity += 1
    return arity


@njit(nogil=True)
def synchronise(trie, rules, insertions, end, production, label2, end2, production2, allowed):
    """Build the forest of all synchronous derivations of one tree pair.

    A node is (source node, target node), where -1 stands for ε on either side. `allowed[s, t]` says
    which of them the word alignment admits; its last row and column are those of ε.
    """
    size, size2 = len(end), len(end2)
    node_of = np.full((size + 1, size2 + 1), -1, dtype=np.int32)
    growth = new_growth(size)
    stops2 = np.empty(size2 + 1, dtype=np.int32)
    nothing = np.empty(0, dtype=np.int32)
    for t in range(size2 - 1, -1, -1):
        for rule in insertions:
            if allowed[-1, t] and match_target(rules, rule, label2, end2, production2, t, stops2):
                growth = reserve(growth, size2)
                arity = pair_tails(growth, rules, rule, nothing, stops2, node_of)
                if arity >= 0:
                    add_edge(growth, arity, rule, node_of[-1], t, -1, t)
    for x in range(size - 1, -1, -1):
        state, pointer, frontier = match_fragments(trie, production, end, x)
        for k in range(len(state)):
            stops = frontier[pointer[k] : pointer[k + 1]]
            for j in range(trie.fragment_ptr[state[k]], trie.fragment_ptr[state[k] + 1]):
                rule = trie.fragment_rule[j]
                deletes = rules.target_root[rule] < 0
                for t in range(-1 if deletes else 0, 0 if deletes else size2):
                    if allowed[x, t] and (
                        deletes or match_target(rules, rule, label2, end2, production2, t, stops2)
                    ):
                        growth = reserve(growth, len(stops) + size2)
                        arity = pair_tails(growth, rules, rule, stops, stops2, node_of)
                        if arity >= 0:
                            add_edge(growth, arity, rule, node_of[x], t, x, t)
    return trim(growth)[:], node_of[0, 0]


@njit(nogil=True, inline="always")
def read_label(label, num_rules, num_nodes):
    """Return the kind of an edge, and its rule, node or gap."""
    own = label - num_rules
    if own < 0:
        return RULE, label
    if own < 2 * num_nodes:
        return COPY + (own & 1), own >> 1
    return GAP, own - 2 * num_nodes


@njit(nogil=True)
def read_labels(labels, num_rules, num_nodes):
    """Return the columns of `EdgeColumns`: what the edges of these labels stand for."""
    rows = np.full((4, len(labels)), -1, dtype=np.int32)
    for edge in range(len(labels)):
        kind, number = read_label(labels[edge], num_rules, num_nodes)
        rows[0, edge] = kind
        rows[1 if kind == RULE else 3 if kind == GAP else 2, edge] = number
    return rows[0], rows[1], rows[2], rows[3]


@njit(nogil=True)
def copied_words(labels, num_rules, left, right, end):
    """Return the edges that copy a word of the source tree, and the positions of these words."""
    edges = np.empty(len(labels), dtype=np.int32)
    places = np.empty(len(labels), dtype=np.int32)
    count = 0
    for edge in range(len(labels)):
        kind, x = read_label(labels[edge], num_rules, len(end))
        if kind == COPY and end[x] == x + 1 and left[x] < right[x]:
            edges[count] = edge
            places[count] = left[x]
            count += 1
    return edges[:count], places[:count]


@njit(nogil=True)
def read_steps(labels, num_rules, num_nodes, head, node_source):
    """Return in three rows the kind of each edge, its rule, node or gap, and its head's source."""
    rows = np.empty((3, len(labels)), dtype=np.int32)
    for edge in range(len(labels)):
        kind, number = read_label(labels[edge], num_rules, num_nodes)
        rows[0, edge] = kind
        rows[1, edge] = number
        rows[2, edge] = node_source[head[edge]]
    return rows
