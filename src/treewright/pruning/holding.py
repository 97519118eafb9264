"""Holding: constraints on what a forest may drop, as edges that are closed.

A held node of the source tree is dropped with its parent or not at all: where anything of the
parent stays, something of the node stays. Closed edges weigh -inf, so that whatever is searched
for afterwards is the best of what is left, exactly, and edges keep their numbers.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Collection, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from treewright.grammar import UNLINKED
from treewright.pruning.deletion import DeletionForest
from treewright.pruning.forests import CompressionForest
from treewright.transduction.application import NOWHERE
from treewright.trees import TreeTable

Bools = NDArray[np.bool_]


def hold(forest: CompressionForest, held: Collection[int]) -> CompressionForest:
    """Close the edges that drop a held node, numbered in preorder, but keep its parent."""
    if not held:
        return forest
    rules = np.zeros(forest.forest.num_edges, dtype=np.bool_)
    rules[_dropping_rules(forest, frozenset(held))] = True
    return _close(close_gaps(forest, _dropping_gaps(forest, held)), rules)


def close_gaps(forest: CompressionForest, closed: Bools) -> CompressionForest:
    """Close the edges of some gaps; one entry of `closed` a gap."""
    gap = forest.edges.gap
    edges: Bools = np.zeros(len(gap), dtype=np.bool_)
    edges[gap >= 0] = closed[gap[gap >= 0]]
    return _close(forest, edges)


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


def hold_some(forest: DeletionForest, run: range) -> DeletionForest:
    """Close the arcs that pass over all tokens of a run, numbered from 0."""
    head, tail = forest.forest.head[1:], forest.forest.tail
    weights = forest.weights.copy()
    weights[1:][(tail <= run.start) & (head > run.stop)] = -math.inf
    return replace(forest, weights=weights)


def ancestors(source: TreeTable, tokens: Collection[int]) -> frozenset[int]:
    """Return the nodes to hold so that these tokens, numbered from 0, stay: all above them."""
    places = sorted(tokens)
    return frozenset(
        [
            x
            for x in range(1, len(source))
            if bisect_left(places, source.left[x]) < bisect_left(places, source.right[x])
        ]
    )


def extractive(forest: CompressionForest) -> CompressionForest:
    """Close the edges of rules that put out a word the source lacks, or words in another order."""
    rule = forest.edges.rule
    changing = [
        number
        for number in np.unique(rule[rule >= 0]).tolist()
        if not forest.application(number).keeps_order
    ]
    return _close(forest, np.isin(rule, changing)) if changing else forest


def _close(forest: CompressionForest, closed: Bools) -> CompressionForest:
    return replace(forest, weights=np.where(closed, -math.inf, forest.weights))


def _dropping_gaps(forest: CompressionForest, held: Collection[int]) -> Bools:
    """Return which gaps drop a held child."""
    gaps, parents = forest.gaps, forest.source.parent
    dropping = np.zeros(len(gaps.parent), dtype=np.bool_)
    for node in sorted(held):
        within = (gaps.first >= 0) & (gaps.first <= node) & (node <= gaps.last)
        dropping |= within & (gaps.parent == parents[node])
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
    rule, end = forest.grammar.rules[number], forest.source.end
    if rule.source is None or rule.target is None:
        return
    steps = forest.application(number).steps
    kept_words = {step.source_word for step in steps if step.source_word != NOWHERE}
    links = iter(rule.links)
    places: list[tuple[int, int]] = []
    keeps: dict[int, bool] = {}
    words = 0
    # Preorder of the fragment beside that of the tree: a node's place, and the place behind it.
    stack = [(rule.source, root, -1)]
    while stack:
        fragment, place, parent = stack.pop()
        places.append((place, parent))
        keeps[place] = False
        if fragment.is_frontier:
            keeps[place] = next(links) != UNLINKED
        elif fragment.word is not None:
            keeps[place] = words in kept_words
            words += 1
        child = place + 1
        below = []
        for part in fragment.children:
            below.append((part, child, place))
            child = end[child]
        stack.extend(reversed(below))
    for place, parent in reversed(places):
        if keeps[place] and parent >= 0:
            keeps[parent] = True
    for place, parent in places:
        if parent >= 0 and keeps[parent] and not keeps[place]:
            yield place
