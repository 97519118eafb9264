"""Extraction as its definition says: every fragment of a tree, every target that it may have."""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from tests.translation.phrases.plain import conditionals
from treewright.corpora import Pair
from treewright.grammar import Rule, TargetString
from treewright.translation import RuleSettings
from treewright.trees import Tree, TreeTable

Span = tuple[int, int]


class Cut(NamedTuple):
    """A fragment: what it looks like, which nodes it leaves open, which it spells out."""

    tree: Tree
    stops: tuple[int, ...]
    spelled: tuple[int, ...]


class Found(NamedTuple):
    """A rule as it occurs, and whether it is minimal."""

    rule: Rule
    minimal: bool


class Definition:
    """One pair, looked at with sets and spans."""

    def __init__(self, pair: Pair, settings: RuleSettings) -> None:
        assert pair.alignment is not None
        self.links = pair.alignment
        self.settings = settings
        self.source = TreeTable(pair.source)
        self.target = TreeTable(pair.target) if isinstance(pair.target, Tree) else None
        self.words = pair.target_words
        self.targets = self._node_pairs() if self.target else self._node_spans()
        self.frontier = [x for x in range(len(self.source)) if self.targets[x]]

    def links_of(self, table: TreeTable, x: int, side: int) -> frozenset[tuple[int, int]]:
        return frozenset(link for link in self.links if link[side] in table.span(x))

    def is_linked(self, j: int) -> bool:
        return any(j == target for _, target in self.links)

    def _node_spans(self) -> list[list[Span]]:
        found: list[list[Span]] = []
        m = len(self.words)
        for x in range(len(self.source)):
            own = {j for i, j in self.links if i in self.source.span(x)}
            complement = {j for i, j in self.links if i not in self.source.span(x)}
            if not own or complement & set(range(min(own), max(own) + 1)):
                found.append([])
            elif x == 0:
                found.append([(0, m)])
            else:
                found.append(self._extended(min(own), max(own) + 1))
        return found

    def _extended(self, low: int, high: int) -> list[Span]:
        m = len(self.words)
        if self.settings.unaligned == "within":
            return [(low, high)]
        if self.settings.unaligned == "next":
            owned = [j for j in range(m) if low <= self._next(j) < high]
            return [(min(owned), max(owned) + 1)]
        return [
            (a, b)
            for a in range(low + 1)
            for b in range(high, m + 1)
            if not any(map(self.is_linked, [*range(a, low), *range(high, b)]))
        ]

    def _next(self, j: int) -> int:
        """The linked word that a word goes with."""
        linked = sorted({target for _, target in self.links})
        return next((k for k in linked if k >= j), linked[-1])

    def _node_pairs(self) -> list[list[int]]:
        assert self.target
        found: list[list[int]] = [[] for _ in range(len(self.source))]
        chains: dict[frozenset[tuple[int, int]], list[int]] = defaultdict(list)
        for x in range(len(self.source)):
            own = self.links_of(self.source, x, 0)
            same = [y for y in range(len(self.target)) if self.links_of(self.target, y, 1) == own]
            if own:
                found[x] = [y for y in same if (x == 0) == (y == 0)]
            if x and found[x] and self.settings.unaligned != "every":
                chains[own].append(x)
                found[x] = [found[x][min(len(chains[own]), len(found[x])) - 1]]
        return found

    def cuts(self, x: int) -> Iterator[Cut]:
        """Every fragment rooted in a node that stops at frontier nodes only."""
        node = self.source.nodes[x]
        spelled = (x,) if x in self.frontier else ()
        if node.word is not None:
            yield Cut(node, (), spelled)
            return
        for parts in itertools.product(*map(self.below, self.source.children[x])):
            yield Cut(
                Tree(node.label, [part.tree for part in parts]),
                tuple(itertools.chain(*[part.stops for part in parts])),
                spelled + tuple(itertools.chain(*[part.spelled for part in parts])),
            )

    def below(self, x: int) -> list[Cut]:
        stop = [Cut(Tree(self.source.nodes[x].label), (x,), ())] if x in self.frontier else []
        return stop + list(self.cuts(x))

    def is_small(self, cut: Cut) -> bool:
        limits = self.settings
        productions = [node for node in cut.tree.nodes() if not node.is_frontier]
        return (
            len(productions) <= limits.size
            and _depth(cut.tree) <= limits.depth
            and len(cut.stops) <= limits.variables
        )

    def phrases(self) -> set[tuple[int, tuple[int, ...]]]:
        """The roots of phrases, and the frontier nodes that their words are in."""
        found = set()
        n = len(self.source.words)
        for i, end in itertools.combinations(range(n + 1), 2):
            inside = [link for link in self.links if i <= link[0] < end]
            targets = [j for _, j in inside]
            if end - i > self.settings.phrases or not {i, end - 1} <= {a for a, _ in inside}:
                continue
            between = [link for link in self.links if min(targets) <= link[1] <= max(targets)]
            if between != inside and set(between) != set(inside):
                continue
            around = [x for x in self.frontier if {i, end - 1} <= set(self.source.span(x))]
            root = around[-1]
            overlapping = [
                x
                for x in self.frontier
                if root <= x < self.source.end[root]
                and set(self.source.span(x)) & set(range(i, end))
            ]
            found.add((root, tuple(overlapping)))
        return found

    def rules(self) -> Iterator[Found]:
        """Every rule, as often as it occurs."""
        phrases = self.phrases()
        for x in self.frontier:
            for cut in self.cuts(x):
                minimal = len(cut.spelled) == 1
                wanted = len(cut.spelled) <= self.settings.parts or (x, cut.spelled) in phrases
                if minimal or (wanted and self.is_small(cut)):
                    targets = self.trees(x, cut) if self.target else self.strings(x, cut)
                    for rule in targets:
                        yield Found(rule, minimal)

    def strings(self, x: int, cut: Cut) -> Iterator[Rule]:
        places = self._places(x, cut)
        for (a, b), *spans in itertools.product(
            *[self.targets[z] for z in (x, *cut.stops)]  # type: ignore[arg-type]
        ):
            covered = [j for span in spans for j in range(*span)]
            if len(set(covered)) != len(covered) or not set(covered) <= set(range(a, b)):
                continue
            starts = {span[0]: k for k, span in enumerate(spans)}
            items: list[str | None] = []
            positions: list[int] = []
            links = [0] * len(spans)
            for j in range(a, b):
                if j in starts:
                    links[starts[j]] = items.count(None)
                    items.append(None)
                elif j not in covered:
                    items.append(self.words[j])
                    positions.append(j)
            alignment = self._alignment(places, positions)
            yield Rule(cut.tree, TargetString(tuple(items)), tuple(links), alignment)

    def trees(self, x: int, cut: Cut) -> Iterator[Rule]:
        assert self.target
        places = self._places(x, cut)
        for y, *chosen in itertools.product(*[self.targets[z] for z in (x, *cut.stops)]):
            if not all(y <= z < self.target.end[y] for z in chosen):  # type: ignore[operator]
                continue
            order = sorted(chosen)
            links = tuple(order.index(z) for z in chosen)
            positions: list[int] = []
            tree = self._target(y, set(chosen), positions)  # type: ignore[arg-type]
            yield Rule(cut.tree, tree, links, self._alignment(places, positions))

    def _target(self, y: int, stops: set[int], positions: list[int]) -> Tree:
        assert self.target
        node = self.target.nodes[y]
        if y in stops:
            return Tree(node.label)
        if node.word is not None:
            positions.append(self.target.left[y])
            return node
        below = [self._target(z, stops, positions) for z in self.target.children[y]]
        return Tree(node.label, below)

    def _places(self, x: int, cut: Cut) -> list[int]:
        covered = {i for z in cut.stops for i in self.source.span(z)}
        return [i for i in self.source.span(x) if i not in covered]

    def _alignment(self, places: list[int], positions: list[int]) -> tuple[tuple[int, int], ...]:
        return tuple((places.index(i), positions.index(j)) for i, j in self.links if i in places)


def _depth(tree: Tree) -> int:
    return 0 if tree.is_frontier else 1 + max((_depth(child) for child in tree.children), default=0)


class Expected(NamedTuple):
    """What a rule's row in the grammar must say, but for lexical weights."""

    count: int
    given_root: float
    given_source: float
    given_target: float
    composed: bool
    alignments: Counter[tuple[tuple[int, int], ...]]


def expected(pairs: list[Pair], settings: RuleSettings) -> dict[Rule, Expected]:
    """Count and weigh the rules of pairs, without limits on options."""
    found = [rule for pair in pairs for rule in Definition(pair, settings).rules()]
    counts = Counter(rule for rule, _ in found)
    minimal = {rule for rule, is_minimal in found if is_minimal}
    alignments: dict[Rule, Counter[tuple[tuple[int, int], ...]]] = defaultdict(Counter)
    roots: Counter[object] = Counter()
    for rule, _ in found:
        alignments[rule][rule.alignment or ()] += 1
        roots[rule.root] += 1
    sides = {rule: (rule.source, (rule.target, rule.links)) for rule in counts}
    joint = Counter({sides[rule]: count for rule, count in counts.items()})
    probabilities = conditionals(joint, settings.smoothing)
    return {
        rule: Expected(
            count,
            math.log(count / roots[rule.root]),
            *map(math.log, probabilities(*sides[rule])),
            rule not in minimal,
            alignments[rule],
        )
        for rule, count in counts.items()
        if rule in minimal or count >= settings.min_count
    }


Lexicon = tuple[dict[tuple[str, str], float], dict[tuple[str, str], float]]


def lexicon(pairs: list[Pair]) -> Lexicon:
    """The probabilities of target words given source words, and back; "" is the null word."""
    counts: Counter[tuple[str, str]] = Counter()
    for pair in pairs:
        f, e = pair.source.words(), pair.target_words
        links = pair.alignment or ()
        counts.update((f[i], e[j]) for i, j in links)
        counts.update((f[i], "") for i in range(len(f)) if i not in {i for i, _ in links})
        counts.update(("", e[j]) for j in range(len(e)) if j not in {j for _, j in links})
    given = [Counter[str](), Counter[str]()]
    for (f_word, e_word), count in counts.items():
        given[0][f_word] += count
        given[1][e_word] += count
    forward = {pair: count / given[0][pair[0]] for pair, count in counts.items()}
    backward = {pair: count / given[1][pair[1]] for pair, count in counts.items()}
    return forward, backward


def lexical_weights(rule: Rule, table: Lexicon) -> tuple[float, float]:
    """The log lexical weights of a rule: of its target given its source, and back."""
    assert rule.source is not None
    assert rule.target is not None
    f, e = rule.source.words(), rule.target.words()
    links = rule.alignment or ()
    total = [0.0, 0.0]
    for j in range(len(e)):
        mine = [table[0][f[a], e[j]] for a, b in links if b == j] or [table[0]["", e[j]]]
        total[0] += math.log(sum(mine) / len(mine))
    for i in range(len(f)):
        mine = [table[1][f[i], e[b]] for a, b in links if a == i] or [table[1][f[i], ""]]
        total[1] += math.log(sum(mine) / len(mine))
    return total[0], total[1]
