"""Reasons: what a derivation drops from the source tree, written as which rule, at what weight."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from treewright.forest import Derivation
from treewright.grammar import UNLINKED, Rule, pruning_rule
from treewright.pruning.forests import CompressionForest
from treewright.pruning.holding import dropped_nodes, fragment_places
from treewright.transduction import EdgeKind, child_labels


class Reason(NamedTuple):
    """A dropped node of the source tree (in preorder), the rule and the edge that dropped it.

    The weight is what the derivation pays for it: its equal share of the weight of the edge that
    drops it, plus the edges that delete what is below. Edges without a reason are what the
    derivation keeps; both together make up its score.
    """

    node: int
    rule: Rule
    edge: int
    weight: float


def reasons(forest: CompressionForest, derivation: Derivation) -> list[Reason]:
    """Return the topmost dropped nodes, those whose parent keeps something, from left to right.

    A walk over gaps is one rule, as in `CompressionForest.rules`. A node that a rule replaces
    without keeping any of its words counts as dropped.
    """
    found: list[Reason] = []
    stack = [derivation]
    while stack:
        step = stack.pop()
        kind = forest.edge(step.edge).kind
        losses: list[Reason] = []
        # The remaining own edges are copies: deletions are below what drops them.
        kept: Sequence[Derivation] = step.children
        if kind == EdgeKind.RULE:
            losses, kept = _of_rule(forest, step)
        elif kind == EdgeKind.GAP:
            losses, kept = _of_gaps(forest, step)
        found += losses
        stack += kept
    return sorted(found, key=lambda reason: reason.node)


def tokens_of(forest: CompressionForest, node: int) -> range:
    """Return the positions of the tokens below a node of the source tree."""
    return forest.source.span(node)


def _of_rule(
    forest: CompressionForest, step: Derivation
) -> tuple[list[Reason], Sequence[Derivation]]:
    """Return what a rule of the grammar drops, and how what it links is derived."""
    rule, end = forest.rule(step.edge), forest.source.end
    if rule.source is None:
        return [], ()
    root = int(forest.node_source[forest.forest.head[step.edge]])
    number = int(forest.forest.label[step.edge])
    words = forest.application(number).positions(root, end, forest.source.left)
    if not words and not rule.variables:
        return [Reason(root, rule, step.edge, step.score(forest.weights))], ()
    dropped = list(dropped_nodes(forest, number, root))
    weights = dict.fromkeys(dropped, float(forest.weights[step.edge]) / max(1, len(dropped)))
    kept = []
    fragment = fragment_places(rule, root, forest.source)
    frontier = [place for place, node in fragment if node.is_frontier]
    # Tails after the frontier are what the rule inserts.
    for place, link, tail in zip(frontier, rule.links, step.children, strict=False):
        if link == UNLINKED:
            top = next(node for node in dropped if node <= place < end[node])
            weights[top] += tail.score(forest.weights)
        else:
            kept.append(tail)
    return [Reason(node, rule, step.edge, weight) for node, weight in weights.items()], kept


def _of_gaps(
    forest: CompressionForest, step: Derivation
) -> tuple[list[Reason], Sequence[Derivation]]:
    """Return what a walk over the gaps of a node drops, and how the children it keeps are derived.

    A derivation has the last gap on top, and what is to the left of a gap as its first child.
    """
    source, gaps = forest.source, forest.gaps
    dropped: dict[int, tuple[int, float]] = {}
    kept: list[Derivation] = []
    going_on = True
    while going_on:
        gap = forest.edge(step.edge).gap
        going_on = bool(gaps.left[gap] >= 0)
        parts = step.children[1:] if going_on else step.children
        run = _siblings(int(gaps.first[gap]), int(gaps.last[gap]), source.end)
        for child, part in zip(run, parts, strict=False):
            weight = float(forest.weights[step.edge]) / len(run) + part.score(forest.weights)
            dropped[child] = step.edge, weight
        kept += parts[len(run) :]
        parent = int(gaps.parent[gap])
        step = step.children[0]
    children = _siblings(parent + 1, source.end[parent] - 1, source.end)
    node = source.nodes[parent]
    rule = pruning_rule(
        node.label, child_labels(node), [child not in dropped for child in children]
    )
    return [Reason(child, rule, edge, weight) for child, (edge, weight) in dropped.items()], kept


def _siblings(first: int, last: int, end: Sequence[int]) -> list[int]:
    """Return the siblings from `first` up to `last`, none if there is no first (-1)."""
    run = []
    while 0 <= first <= last:
        run.append(first)
        first = end[first]
    return run
