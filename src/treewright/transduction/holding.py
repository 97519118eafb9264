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
from treewright.transduction.application import NOWHERE
from treewright.transduction.deletion import DeletionForest
from treewright.transduction.targets import SourceNodes, TargetForest
from treewright.trees.packed import parents_of

Bools = NDArray[np.bool_]


def hold(forest: TargetForest, held: Collection[int]) -> TargetForest:
    """Close the edges that drop a held node, numbered in preorder, but keep its parent."""
    if not held:
        return forest
    rules = np.zeros(forest.forest.num_edges, dtype=np.bool_)
    rules[_dropping_rules(forest, frozenset(held))] = True
    return _close(close_gaps(forest, _dropping_gaps(forest, held)), rules)


def close_gaps(forest: TargetForest, closed: Bools) -> TargetForest:
    """Close the edges of some gaps; one entry of `closed` a gap."""
    gap = forest.forest.label - np.int32(len(forest.grammar) + 2 * len(forest.source.nodes))
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


def ancestors(source: SourceNodes, tokens: Collection[int]) -> frozenset[int]:
    """Return the nodes to hold so that these tokens, numbered from 0, stay: all above them."""
    places = sorted(tokens)
    left, end = [*source.left, len(source.is_word)], source.end
    return frozenset(
        [
            x
            for x in range(1, len(end))
            if bisect_left(places, left[x]) < bisect_left(places, left[end[x]])
        ]
    )


def extractive(forest: TargetForest) -> TargetForest:
    """Close the edges of rules that put out a word the source lacks, or words in another order."""
    label = forest.forest.label
    changing = [
        number
        for number in np.unique(label[label < len(forest.grammar)]).tolist()
        if not forest.application(number).keeps_order
    ]
    return _close(forest, np.isin(label, changing)) if changing else forest


def _close(forest: TargetForest, closed: Bools) -> TargetForest:
    return replace(forest, weights=np.where(closed, -math.inf, forest.weights))


def _dropping_gaps(forest: TargetForest, held: Collection[int]) -> Bools:
    """Return which gaps drop a held child."""
    gaps = forest.source.gaps
    parents = parents_of(forest.source.end)
    dropping = np.zeros(len(gaps.parent), dtype=np.bool_)
    for node in sorted(held):
        within = (gaps.first >= 0) & (gaps.first <= node) & (node <= gaps.last)
        dropping |= within & (gaps.parent == parents[node])
    return dropping


def _dropping_rules(forest: TargetForest, held: frozenset[int]) -> list[int]:
    """Return the edges of the grammar's rules that drop a held node and keep its parent."""
    label = forest.forest.label
    edges = np.flatnonzero(label < len(forest.grammar))
    roots = forest.node_source[forest.forest.head[edges]]
    dropping = []
    for edge, root in zip(edges.tolist(), roots.tolist(), strict=True):
        if root < 0 or not any(root < node < forest.source.end[root] for node in held):
            continue
        if any(node in held for node in dropped_nodes(forest, int(label[edge]), root)):
            dropping.append(edge)
    return dropping


def dropped_nodes(forest: TargetForest, number: int, root: int) -> Iterator[int]:
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
