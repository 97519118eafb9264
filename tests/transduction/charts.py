"""Forests read as charts over paths and labels, so that they compare with the oracle's."""

from __future__ import annotations

from collections import Counter
from typing import Any

from treewright.forest import Forest
from treewright.grammar import Grammar
from treewright.transduction import PairForest, TargetForest
from treewright.trees import Tree

from ..grammar.oracle import Chart, Item, Path, paths

Edges = Counter[tuple[Item, Any, tuple[Item, ...]]]


def check_invariants(forest: Forest) -> None:
    """Raise unless the arrays are those that the checking constructor makes of them."""
    checked = Forest.from_arrays(
        head=forest.head,
        tail_ptr=forest.tail_ptr,
        tail=forest.tail,
        label=forest.label,
        num_nodes=forest.num_nodes,
    )
    for name in ("head", "tail_ptr", "tail", "node_ptr", "label"):
        mine, theirs = getattr(forest, name), getattr(checked, name)
        assert mine.dtype == theirs.dtype
        assert mine.tolist() == theirs.tolist()


def pair_edges(found: PairForest, source: Tree, target: Tree) -> Edges:
    """Return the edges of a pair's forest, over (source path, target path)."""
    check_invariants(found.forest)
    source_paths: list[Path | None] = [*paths(source), None]
    target_paths: list[Path | None] = [*paths(target), None]
    items = [
        (source_paths[s], target_paths[t])
        for s, t in zip(found.node_source, found.node_target, strict=True)
    ]
    return _edges(found.forest, items, found.forest.label.tolist())


def target_edges(found: TargetForest, source: Tree) -> Edges:
    """Return the edges of a target forest, over (path, category); inserted nodes by content."""
    check_invariants(found.forest)
    forest = found.forest
    labels = target_labels(found.grammar, source)
    where = paths(source)
    names: list[Any] = []
    for label in forest.label.tolist():
        own = label - len(found.grammar)
        names.append(label if own < 0 else (("copy", "delete")[own % 2], where[own // 2]))
    items: list[Item] = []
    for node in range(forest.num_nodes):
        at = int(found.node_source[node])
        if at >= 0:
            items.append((where[at], labels[found.node_target[node]]))
        else:
            edges = [
                (names[e], tuple(items[t] for t in forest.tails(e))) for e in forest.edges(node)
            ]
            items.append(("insert", frozenset(edges)))
    return _edges(forest, items, names)


def target_labels(grammar: Grammar, source: Tree) -> list[str | None]:
    """Return the categories of a forest by number: the grammar's, the tree's, and ε last."""
    names = dict.fromkeys([*grammar.index.labels.names, *[n.label for n in source.nodes()]])
    return [*names, None]


def chart_edges(chart: Chart) -> Edges:
    """Return the edges of an oracle's chart, inserted nodes by content."""
    names: dict[Item, Item] = {}

    def name(item: Item) -> Item:
        if len(item) == 2:
            return item
        if item not in names:
            edges = [(label, tuple(map(name, tails))) for label, tails in chart[item]]
            names[item] = ("insert", frozenset(edges))
        return names[item]

    return Counter(
        (name(item), label, tuple(map(name, tails)))
        for item, edges in chart.items()
        for label, tails in edges
    )


def _edges(forest: Forest, items: list[Item], labels: list[Any]) -> Edges:
    return Counter(
        (items[node], labels[edge], tuple(items[tail] for tail in forest.tails(edge)))
        for node in range(forest.num_nodes)
        for edge in forest.edges(node)
    )
