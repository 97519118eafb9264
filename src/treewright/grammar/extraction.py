"""Extraction of rules from word-aligned tree pairs.

The node alignment cuts a pair into its most general rules: each aligned source node roots one,
which reaches down to the nearest aligned or deleted nodes. Conjoining a rule with rules at its
frontier gives more specific ones; they are limited in number of variables, depth and parts, and
dropped if they occur only once (large-margin paper, sections 3.2 and 5).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from treewright.corpora import Pair
from treewright.errors import DataError, Problems, UsageError
from treewright.grammar.node_alignment import DELETED, UNALIGNED, NodeAlignment, Skeleton
from treewright.grammar.rule import UNLINKED, Rule
from treewright.progress import SILENT, Progress
from treewright.trees import Tree

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
        for name, least in (("parts", 1), ("variables", 0), ("depth", 1), ("min_count", 1)):
            if getattr(self, name) < least:
                raise UsageError(f"{name} must be at least {least}, found {getattr(self, name)}")

    def __call__(
        self,
        pairs: Iterable[Pair],
        *,
        problems: Problems | None = None,
        progress: Progress = SILENT,
    ) -> Counter[Rule]:
        """Count the rules of a corpus; pairs without an admissible alignment go to `problems`."""
        problems = problems or Problems(strict=True)
        general: Counter[Rule] = Counter()
        conjoined: Counter[Rule] = Counter()
        for pair in progress.track(pairs, "extracting rules"):
            try:
                cutting = Cutting.of(pair)
            except DataError as error:
                problems.add(error)
                continue
            general.update(cutting.general_rules())
            if self.parts > 1:
                conjoined.update(self._conjoined(cutting))
        for rule, count in conjoined.items():
            if count >= self.min_count or rule in general:
                general[rule] += count
        return general

    def _conjoined(self, cutting: Cutting) -> Iterator[Rule]:
        for root in cutting.roots():
            for merged in cutting.merges(root, self.parts - 1):
                rule = cutting.rule(root, merged)
                if rule.variables <= self.variables and depth(rule.source) <= self.depth:
                    yield rule


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
        return Rule(
            None, _fragment(self.alignment.target, root, lambda y: y != root and inserted[y], [])
        )

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
        stops: list[int] = []
        source = _fragment(
            self.alignment.source,
            root,
            lambda x: x != root and to[x] != UNALIGNED and x not in merged,
            stops,
        )
        if to[root] == DELETED:
            return Rule(source, None, (UNLINKED,) * len(stops))
        images = {to[x] for x in stops if to[x] != DELETED}
        target_stops: list[int] = []
        target = _fragment(
            self.alignment.target,
            to[root],
            lambda y: y in images or self.alignment.inserted[y],
            target_stops,
        )
        position = {y: k for k, y in enumerate(target_stops)}
        links = tuple(UNLINKED if to[x] == DELETED else position[to[x]] for x in stops)
        return Rule(source, target, links)


def _fragment(skeleton: Skeleton, root: int, stop: Callable[[int], bool], stops: list[int]) -> Tree:
    """Copy the tree below `root` down to the nodes where `stop` holds, and list those."""
    order: list[tuple[int, bool]] = []
    x, behind = root, skeleton.end[root]
    while x < behind:
        stopped = stop(x)
        order.append((x, stopped))
        if stopped:
            stops.append(x)
            x = skeleton.end[x]
        else:
            x += 1
    made: list[Tree] = []
    for x, stopped in reversed(order):
        node = skeleton.nodes[x]
        if stopped:
            made.append(Tree(node.label))
        elif node.word is not None:
            made.append(Tree(node.label, word=node.word))
        else:
            made.append(Tree(node.label, [made.pop() for _ in node.children]))
    return made.pop()


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
