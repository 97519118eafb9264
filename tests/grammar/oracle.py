"""What rules mean, in plain recursive Python over `Tree`: the kernels must agree with this.

A node of a tree is named by its path, the child numbers that lead to it from the root. A chart maps
items to edges `(label, tails)`; an item without edges derives nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, NamedTuple

from treewright.corpora import Pair
from treewright.grammar import Rule, TargetString
from treewright.trees import Tree

Path = tuple[int, ...]
Item = Any
Edge = tuple[Any, tuple[Item, ...]]
Chart = dict[Item, list[Edge]]


class Derived(NamedTuple):
    """A rule and what derives its source frontier, then what derives its inserted nodes."""

    rule: Rule
    parts: tuple[Derived, ...]


def paths(tree: Tree, above: Path = ()) -> list[Path]:
    """Return the paths of all nodes, in preorder."""
    found = [above]
    for number, child in enumerate(tree.children):
        found += paths(child, (*above, number))
    return found


def at(tree: Tree, path: Path) -> Tree:
    for number in path:
        tree = tree.children[number]
    return tree


def span(tree: Tree, path: Path) -> range:
    """Return the positions of the words below a node."""
    words = [p for p in paths(tree) if at(tree, p).word is not None]
    inside = [i for i, p in enumerate(words) if p[: len(path)] == path]
    return range(inside[0], inside[-1] + 1)


def match(fragment: Tree, tree: Tree, path: Path = ()) -> list[Path] | None:
    """Lay a fragment over the node at `path`; return where its frontier nodes come to lie."""
    node = at(tree, path)
    if fragment.label != node.label:
        return None
    if not fragment.children and fragment.word is None:
        return [path]
    if fragment.word != node.word or len(fragment.children) != len(node.children):
        return None
    stops: list[Path] = []
    for number, child in enumerate(fragment.children):
        below = match(child, tree, (*path, number))
        if below is None:
            return None
        stops += below
    return stops


def fill(fragment: Tree, fillers: Iterator[Tree]) -> Tree:
    """Put trees in the place of the frontier nodes, from left to right."""
    if fragment.word is not None:
        return fragment
    if not fragment.children:
        filler = next(fillers)
        assert filler.label == fragment.label
        return filler
    return Tree(fragment.label, [fill(child, fillers) for child in fragment.children])


def frontier(fragment: Tree | TargetString | None) -> list[str]:
    if isinstance(fragment, TargetString):
        return ['""' for item in fragment.items if item is None]
    if fragment is None or fragment.word is not None:
        return []
    if not fragment.children:
        return [fragment.label]
    return [label for child in fragment.children for label in frontier(child)]


def inserted(rule: Rule) -> list[int]:
    return [j for j in range(len(frontier(rule.target))) if j not in rule.links]


def apply(derived: Derived) -> tuple[Tree | None, Tree | None]:
    """Return the source and the target tree of a derivation."""
    rule = derived.rule
    sources, targets = [], {}
    ends = [*rule.links, *inserted(rule)]
    for number, (link, part) in enumerate(zip(ends, derived.parts, strict=True)):
        source, target = apply(part)
        if number < len(rule.links):
            assert source is not None
            sources.append(source)
        else:
            assert source is None
        if link == -1:
            assert target is None
        else:
            assert target is not None
            targets[link] = target
    return (
        None if rule.source is None else fill(rule.source, iter(sources)),
        None
        if rule.target is None
        else fill(rule.target, iter([targets[j] for j in sorted(targets)])),
    )


def productive(chart: Chart) -> set[Item]:
    """Return the items that derive something."""
    found: set[Item] = set()
    while True:
        more = {
            item
            for item, edges in chart.items()
            if item not in found and any(all(tail in found for tail in t) for _, t in edges)
        }
        if not more:
            return found
        found |= more


def useful(chart: Chart, root: Item) -> Chart:
    """Keep the edges that occur in some derivation of the root; nothing if it has none."""
    alive = productive(chart)
    kept: Chart = {}
    agenda = [root] if root in alive else []
    while agenda:
        item = agenda.pop()
        if item not in kept:
            kept[item] = [edge for edge in chart[item] if all(tail in alive for tail in edge[1])]
            agenda += [tail for _, tails in kept[item] for tail in tails]
    return kept


def count(chart: Chart, item: Item) -> int:
    """Count the derivations of an item."""
    return sum(math.prod(count(chart, tail) for tail in tails) for _, tails in chart.get(item, []))


def derivations(chart: Chart, item: Item) -> list[Any]:
    """Return every derivation of an item as nested tuples `(label, parts)`."""
    return [
        (label, parts)
        for label, tails in chart.get(item, [])
        for parts in product(*(derivations(chart, tail) for tail in tails))
    ]


def derived(rules: Sequence[Rule], derivation: Any) -> Derived:
    """Name the rules of a derivation whose labels are rule numbers."""
    label, parts = derivation
    return Derived(rules[label], tuple(derived(rules, part) for part in parts))


ROOT: tuple[Path, Path] = ((), ())


def pair_chart(rules: Sequence[Rule], pair: Pair, *, aligned: bool = True) -> Chart:
    """All synchronous derivations of a pair, over items `(source path, target path)`, None for ε.

    With `aligned` a source and a target node go together if some word link joins them and none
    leads out of either; a node goes with ε if it has no link at all.
    """

    def admitted(s: Path | None, t: Path | None) -> bool:
        if not aligned or pair.alignment is None:
            return True
        from_s = set() if s is None else {k for k in pair.alignment if k[0] in span(pair.source, s)}
        to_t = set() if t is None else {k for k in pair.alignment if k[1] in span(pair.target, t)}
        return from_s == to_t and bool(from_s) == (s is not None and t is not None)

    chart: Chart = {}
    for s, t in product([*paths(pair.source), None], [*paths(pair.target), None]):
        if (s is None and t is None) or not admitted(s, t):
            continue
        for number, rule in enumerate(rules):
            stops = _lay(rule.source, pair.source, s)
            target_stops = _lay(rule.target, pair.target, t)
            if stops is not None and target_stops is not None:
                tails: list[Item] = [
                    (stop, None if link == -1 else target_stops[link])
                    for stop, link in zip(stops, rule.links, strict=True)
                ]
                tails += [(None, target_stops[j]) for j in inserted(rule)]
                chart.setdefault((s, t), []).append((number, tuple(tails)))
    return chart


def _lay(fragment: Tree | None, tree: Tree, path: Path | None) -> list[Path] | None:
    """Match a side of a rule; ε lies on ε alone."""
    if fragment is None or path is None:
        return [] if fragment is None and path is None else None
    return match(fragment, tree, path)


def target_chart(
    rules: Sequence[Rule], tree: Tree, *, unseen: bool = False, depth: int = 3
) -> Chart:
    """All rewritings of a tree, over items `(path, target category)`, None for ε.

    `(None, category, depth)` inserts a category with at most `depth` rules above one another. With
    `unseen`, a node whose production the rules cannot copy (or delete) gets an edge of its own,
    labelled `("copy", path)` (or `("delete", path)`).
    """
    chart: Chart = {}
    for number, rule in enumerate(rules):
        labels = frontier(rule.target)
        new = [labels[j] for j in inserted(rule)]
        if rule.source is None:
            assert rule.target is not None
            for d in range(1, depth + 1):
                tails: list[Item] = [(None, label, d - 1) for label in new]
                chart.setdefault((None, rule.target.label, d), []).append((number, tuple(tails)))
            continue
        for path in paths(tree):
            stops = match(rule.source, tree, path)
            if stops is not None:
                tails = [
                    (stop, None if link == -1 else labels[link])
                    for stop, link in zip(stops, rule.links, strict=True)
                ]
                tails += [(None, label, depth) for label in new]
                root = None if rule.target is None else rule.target.label
                chart.setdefault((path, root), []).append((number, tuple(tails)))
    if unseen:
        for path in paths(tree):
            for name, own in own_rules(tree, path).items():
                if own not in rules:
                    keep = name == "copy"
                    below = [((*path, i), c) for i, c in enumerate(at(tree, path).children)]
                    tails = [(p, c.label if keep else None) for p, c in below]
                    root = at(tree, path).label if keep else None
                    chart.setdefault((path, root), []).append(((name, path), tuple(tails)))
    return chart


def own_rules(tree: Tree, path: Path) -> dict[str, Rule]:
    """Return the copy and the deletion rule of the production at a node."""
    node = at(tree, path)
    one = Tree(node.label, [Tree(child.label) for child in node.children], word=node.word)
    width = len(node.children)
    return {"copy": Rule(one, one, tuple(range(width))), "delete": Rule(one, None, (-1,) * width)}
