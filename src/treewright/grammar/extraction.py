"""Extraction of rules from word-aligned tree pairs.

The node alignment cuts a pair into its most general rules: each aligned source node roots one,
which reaches down to the nearest aligned or deleted nodes. Conjoining a rule with rules at its
frontier gives more specific ones; they are limited in number of variables, depth and parts, and
dropped if they occur only once (large-margin paper, sections 3.2 and 5).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from treewright.corpora import Alignment, Pair
from treewright.errors import DataError, Problems, check_least
from treewright.grammar.node_alignment import DELETED, UNALIGNED, NodeAlignment
from treewright.grammar.rule import UNLINKED, Rule
from treewright.progress import SILENT, Progress
from treewright.trees import Tree, TreeTable

_NOTHING: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Extraction:
    """Which rules to extract.

    `parts` is the largest number of general rules conjoined into one (1: only general rules);
    `variables`, `depth` and `min_count` limit conjoined rules only, so every pair keeps its
    derivation by general rules.
    """

    parts: int = 2
    variables: int = 3
    depth: int = 4
    min_count: int = 2

    def __post_init__(self) -> None:
        check_least(self, "parts", "depth", "min_count")
        check_least(self, "variables", least=0)

    def __call__(
        self,
        pairs: Iterable[Pair],
        *,
        problems: Problems | None = None,
        progress: Progress = SILENT,
    ) -> Counter[Rule]:
        """Count the rules of a corpus; pairs without an admissible alignment go to `problems`."""
        problems = problems or Problems(strict=True)
        counter = RuleCounter()
        general: set[Rule] = set()
        for pair in progress.track(pairs, "extracting rules"):
            try:
                cutting = Cutting.of(pair)
            except DataError as error:
                problems.add(error)
                continue
            rules = list(cutting.general_rules())
            general.update(rules)
            counter.update(rules)
            if self.parts > 1:
                counter.update(self._conjoined(cutting))
        counts = counter.counts()
        for rule, count in list(counts.items()):
            if count < self.min_count and rule not in general:
                del counts[rule]
        return counts

    def _conjoined(self, cutting: Cutting) -> Iterator[Rule]:
        for root in cutting.roots():
            for merged in cutting.merges(root, self.parts - 1):
                rule = cutting.rule(root, merged)
                if rule.variables <= self.variables and depth(rule.source) <= self.depth:
                    yield rule


@dataclass
class RuleCounter:
    """Counts rules; where they differ in nothing but their alignment, the most frequent is kept.

    Of several as frequent, it is the first in order.
    """

    _total: Counter[Rule] = field(default_factory=Counter)
    _first: dict[Rule, Alignment | None] = field(default_factory=dict)
    _varied: dict[Rule, Counter[Alignment | None]] = field(default_factory=dict)

    def update(self, rules: Iterable[Rule]) -> None:
        """Count rules, one each."""
        for rule in rules:
            first = self._first.setdefault(rule, rule.alignment)
            if rule.alignment != first and rule not in self._varied:
                self._varied[rule] = Counter({first: self._total[rule]})
            if rule in self._varied:
                self._varied[rule][rule.alignment] += 1
            self._total[rule] += 1

    def counts(self) -> Counter[Rule]:
        """Return how often each rule was seen."""
        if not self._varied:
            return self._total
        return Counter({self._settled(rule): count for rule, count in self._total.items()})

    def _settled(self, rule: Rule) -> Rule:
        if rule not in self._varied:
            return rule
        found = self._varied[rule].items()
        alignment, _ = min(found, key=lambda entry: (-entry[1], entry[0] or ()))
        return replace(rule, alignment=alignment)


class _Cut(NamedTuple):
    """A fragment, the nodes where it stops, and the places of its words."""

    fragment: Tree
    stops: list[int]
    places: list[int]


@dataclass(frozen=True)
class Cutting:
    """One pair cut into general rules, from which conjoined rules are composed."""

    alignment: NodeAlignment
    frontiers: dict[int, tuple[int, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, pair: Pair) -> Cutting:
        """Cut a pair; its roots must be aligned with each other."""
        alignment = NodeAlignment.of(pair)
        if alignment.to[0] != 0:
            raise DataError(
                "the roots of the two trees are not aligned; the pair gives no rules",
                where=pair.id,
            )
        return cls(alignment)

    def roots(self) -> Iterator[int]:
        """Yield the source nodes that root a rule."""
        return (x for x, y in enumerate(self.alignment.to) if y != UNALIGNED)

    def general_rules(self) -> Iterator[Rule]:
        """Yield the most general rule at every aligned or deleted node, and the insertions."""
        for root in self.roots():
            yield self.rule(root)
        for y, inserted in enumerate(self.alignment.inserted):
            if inserted:
                yield self._insertion(y)

    def _insertion(self, root: int) -> Rule:
        inserted = self.alignment.inserted
        cut = _cut(self.alignment.target, root, lambda y: y != root and inserted[y])
        return Rule(None, cut.fragment, (), ())

    def frontier(self, root: int) -> tuple[int, ...]:
        """Return the nearest nodes below `root` at which a rule may stop."""
        if root not in self.frontiers:
            source, to = self.alignment.source, self.alignment.to
            found = []
            x, behind = root + 1, source.end[root]
            while x < behind:
                if to[x] == UNALIGNED:
                    x += 1
                else:
                    found.append(x)
                    x = source.end[x]
            self.frontiers[root] = tuple(found)
        return self.frontiers[root]

    def merges(self, root: int, most: int) -> Iterator[frozenset[int]]:
        """Yield the non-empty sets of up to `most` rules below `root` that connect to it."""
        layer: set[frozenset[int]] = {_NOTHING}
        for _ in range(most):
            layer = {
                merged | {x}
                for merged in layer
                for parent in (root, *merged)
                for x in self.frontier(parent)
                if x not in merged
            }
            yield from sorted(layer, key=sorted)

    def rule(self, root: int, merged: frozenset[int] = _NOTHING) -> Rule:
        """Build the rule at `root` that includes the nodes in `merged`."""
        to = self.alignment.to
        source = _cut(
            self.alignment.source,
            root,
            lambda x: x != root and to[x] != UNALIGNED and x not in merged,
        )
        if to[root] == DELETED:
            return Rule(source.fragment, None, (UNLINKED,) * len(source.stops), ())
        images = {to[x] for x in source.stops if to[x] != DELETED}
        target = _cut(
            self.alignment.target,
            to[root],
            lambda y: y in images or self.alignment.inserted[y],
        )
        position = {y: k for k, y in enumerate(target.stops)}
        links = tuple(UNLINKED if to[x] == DELETED else position[to[x]] for x in source.stops)
        return Rule(source.fragment, target.fragment, links, self._word_links(source, target))

    def _word_links(self, source: _Cut, target: _Cut) -> Alignment:
        """Return the pair's links between the words of two fragments, numbered within them."""
        if not source.places or not target.places:
            return ()
        first = {place: number for number, place in enumerate(source.places)}
        second = {place: number for number, place in enumerate(target.places)}
        return tuple(
            sorted(
                (first[i], second[j]) for i, j in self.alignment.words if i in first and j in second
            )
        )


def _cut(tree: TreeTable, root: int, stop: Callable[[int], bool]) -> _Cut:
    """Copy the tree below `root` down to the nodes where `stop` holds."""
    order: list[tuple[int, bool]] = []
    stops: list[int] = []
    places: list[int] = []
    x, behind = root, tree.end[root]
    while x < behind:
        stopped = stop(x)
        order.append((x, stopped))
        if stopped:
            stops.append(x)
            x = tree.end[x]
            continue
        if tree.nodes[x].word is not None:
            places.append(tree.left[x])
        x += 1
    made: list[Tree] = []
    for x, stopped in reversed(order):
        node = tree.nodes[x]
        if stopped:
            made.append(Tree(node.label))
        elif node.word is not None:
            made.append(Tree(node.label, word=node.word))
        else:
            made.append(Tree(node.label, [made.pop() for _ in node.children]))
    return _Cut(made.pop(), stops, places)


def depth(fragment: Tree | None) -> int:
    """Return the number of productions on the longest path of a fragment."""
    if fragment is None:
        return 0
    deepest = 0
    stack = [(fragment, 0)]
    while stack:
        node, above = stack.pop()
        if not node.is_frontier:
            deepest = max(deepest, above + 1)
        stack.extend((child, above + 1) for child in node.children)
    return deepest
