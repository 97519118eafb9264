"""Holding: constraints on what a forest may drop, as edges that are removed from it.

A held node of the source tree is dropped with its parent or not at all: if anything of the parent
stays, something of the node stays.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from treewright.grammar import UNLINKED, Rule
from treewright.pruning.deletion import DeletionForest
from treewright.pruning.forests import CompressionForest
from treewright.pruning.gaps import Gaps
from treewright.transduction import NOWHERE
from treewright.trees import Tree, TreeTable

Bools = NDArray[np.bool_]


def hold(forest: CompressionForest, held: Collection[int]) -> CompressionForest:
    """Return the derivations that drop no held node, numbered in preorder, but keep its parent."""
    return forest.without(dropping_edges(forest, held)) if held else forest


def dropping_edges(forest: CompressionForest, held: Collection[int]) -> Bools:
    """Return the edges that drop a held node, numbered in preorder, but keep its parent."""
    dropping = gap_edges(forest, dropping_gaps(forest, held))
    if len(forest.grammar):
        dropping[_dropping_rules(forest, frozenset(held))] = True
    return dropping


def gap_edges(forest: CompressionForest, chosen: Bools) -> Bools:
    """Return the edges of some of the forest's gaps; `chosen` has one entry per gap."""
    gap = forest.edges.gap
    if not len(chosen):
        return np.zeros(len(gap), dtype=np.bool_)
    edges: Bools = chosen[gap]
    edges &= gap >= 0
    return edges


def passing_edges(forest: CompressionForest, gaps: Gaps, chosen: Bools) -> Bools:
    """Return the edges that pass over some gap of the tree, as gaps do or within a rule."""
    edges = gap_edges(forest, chosen)
    rules = forest.edges.rule
    if not len(forest.grammar) or not chosen.any():
        return edges
    ends = np.stack([gaps.parent, gaps.left, gaps.right], axis=1)
    passed = set(map(tuple, ends[chosen].tolist()))
    roots = forest.node_source[forest.forest.head]
    for edge in np.flatnonzero((rules >= 0) & (roots >= 0)).tolist():
        keeps = kept_places(forest, int(rules[edge]), int(roots[edge]))
        edges[edge] = any(step in passed for step in _steps(forest.source, keeps))
    return edges


def _steps(source: TreeTable, keeps: dict[int, bool]) -> Iterator[tuple[int, int, int]]:
    """Yield the gaps of a rule's nodes: the node, and the kept children at both ends of a gap."""
    for place, kept in keeps.items():
        children = source.children[place]
        if kept and children and children[0] in keeps:
            ends = [-1, *[child for child in children if keeps[child]], -1]
            yield from ((place, *two) for two in pairwise(ends))


def changing_edges(forest: CompressionForest) -> Bools:
    """Return the edges of rules that output a word the source lacks, or words in another order."""
    rule = forest.edges.rule
    if not len(forest.grammar):
        return np.zeros(len(rule), dtype=np.bool_)
    changing = [
        number
        for number in np.unique(rule[rule >= 0]).tolist()
        if not forest.application(number).keeps_order
    ]
    edges: Bools = np.isin(rule, changing)
    return edges


def writing_edges(forest: CompressionForest, tokens: Collection[int]) -> Bools:
    """Return the edges that output one of these tokens of the source, numbered from 0."""
    writing = np.zeros(forest.forest.num_edges, dtype=np.bool_)
    if tokens:
        edges, places = forest.word_edges
        writing[edges[np.isin(places, list(tokens))]] = True
    return writing


def bar_tokens(forest: DeletionForest, barred: Collection[int]) -> DeletionForest:
    """Close the arcs that lead to a barred token, numbered from 0, which thus goes."""
    if not barred:
        return forest
    weights = forest.weights.copy()
    weights[np.isin(forest.forest.head, [place + 1 for place in barred])] = -math.inf
    return replace(forest, weights=weights)


def hold_tokens(forest: DeletionForest, held: Collection[int]) -> DeletionForest:
    """Close the arcs that pass over a held token, numbered from 0."""
    if not held:
        return forest
    is_held = np.zeros(forest.forest.num_nodes, dtype=np.int64)
    is_held[[place + 1 for place in held]] = 1
    up_to = np.cumsum(is_held)
    # The first edge has no tail: it is the start itself.
    head, tail = forest.forest.head[1:], forest.forest.tail
    passed = up_to[head] - is_held[head] - up_to[tail]
    weights = forest.weights.copy()
    weights[1:][passed > 0] = -math.inf
    return replace(forest, weights=weights)


def bind_tokens(forest: DeletionForest, bound: Collection[int]) -> DeletionForest:
    """Close the arcs that keep only one of two neighbours: a bound token, and the next one."""
    if not bound:
        return forest
    is_bound = np.zeros(forest.forest.num_nodes + 1, dtype=np.bool_)
    is_bound[[place + 1 for place in bound]] = True
    head, tail = forest.forest.head[1:], forest.forest.tail
    parts = (head != tail + 1) & (is_bound[tail] | is_bound[head - 1])
    weights = forest.weights.copy()
    weights[1:][parts] = -math.inf
    return replace(forest, weights=weights)


def hold_some(forest: DeletionForest, run: range) -> DeletionForest:
    """Close the arcs that pass over all tokens of a run, numbered from 0."""
    head, tail = forest.forest.head[1:], forest.forest.tail
    weights = forest.weights.copy()
    weights[1:][(tail <= run.start) & (head > run.stop)] = -math.inf
    return replace(forest, weights=weights)


def ancestors(source: TreeTable, tokens: Collection[int]) -> frozenset[int]:
    """Return the nodes to hold so that these tokens, numbered from 0, stay: all above them."""
    if not tokens:
        return frozenset()
    places = sorted(tokens)
    return frozenset(
        [
            x
            for x in range(1, len(source))
            if bisect_left(places, source.left[x]) < bisect_left(places, source.right[x])
        ]
    )


def joined_nodes(source: TreeTable, runs: Collection[tuple[int, int]]) -> frozenset[int]:
    """Return the nodes to hold so that each run of tokens stays whole or goes whole: those between
    its tokens and the lowest node above them all.
    """
    left, right = source.left, source.right
    held: set[int] = set()
    for start, end in runs:
        over = [x for x in range(len(source)) if left[x] <= start and end <= right[x]]
        below = range(over[-1] + 1, source.arrays.end[over[-1]])
        held.update([x for x in below if left[x] < end and start < right[x]])
    return frozenset(held)


def dropping_gaps(forest: CompressionForest, held: Collection[int]) -> Bools:
    """Return which gaps drop a held child."""
    from treewright.pruning import _kernels

    if not held:
        return np.zeros(len(forest.gaps.parent), dtype=np.bool_)
    is_held = np.zeros(len(forest.source), dtype=np.bool_)
    is_held[list(held)] = True
    dropping: Bools = _kernels.dropping_gaps(forest.gaps[:], forest.source.arrays.end, is_held)
    return dropping


def _dropping_rules(forest: CompressionForest, held: frozenset[int]) -> list[int]:
    """Return the edges of the grammar's rules that drop a held node and keep its parent."""
    rules = forest.edges.rule
    edges = np.flatnonzero(rules >= 0)
    roots = forest.node_source[forest.forest.head[edges]]
    dropping = []
    for edge, root in zip(edges.tolist(), roots.tolist(), strict=True):
        if root < 0 or not any(root < node < forest.source.end[root] for node in held):
            continue
        if any(node in held for node in dropped_nodes(forest, int(rules[edge]), root)):
            dropping.append(edge)
    return dropping


def dropped_nodes(forest: CompressionForest, number: int, root: int) -> Iterator[int]:
    """Yield the topmost nodes that a rule drops where it matches at `root` and keeps something."""
    keeps = kept_places(forest, number, root)
    for place, kept in keeps.items():
        if place != root and not kept and keeps[forest.source.parent[place]]:
            yield place


def kept_places(forest: CompressionForest, number: int, root: int) -> dict[int, bool]:
    """Say for each node that a rule spells out, matching at `root`, whether it is kept.

    A frontier node is kept if it is linked, any other if one of its words or something below it is.
    """
    rule = forest.grammar.rules[number]
    steps = forest.application(number).steps
    kept_words = {step.source_word for step in steps if step.source_word != NOWHERE}
    keeps: dict[int, bool] = {}
    links, words = iter(rule.links), 0
    for place, fragment in fragment_places(rule, root, forest.source):
        keeps[place] = False
        if fragment.is_frontier:
            keeps[place] = next(links) != UNLINKED
        elif fragment.word is not None:
            keeps[place] = words in kept_words
            words += 1
    for place in sorted(keeps, reverse=True):
        if keeps[place] and place != root:
            keeps[forest.source.parent[place]] = True
    return keeps


def fragment_places(rule: Rule, root: int, source: TreeTable) -> Iterator[tuple[int, Tree]]:
    """Yield the nodes of a rule's source fragment, in preorder, with their numbers in the tree."""
    place = root
    for node in rule.source.nodes() if rule.source is not None else ():
        yield place, node
        place = place + 1 if node.children else source.end[place]
