"""Local moves in plain Python: the twin of `learning.gibbs.local`.

Rules are `Rule` objects in a `Counter`, scored by the base distribution itself; an update cuts only
the rules it touches out of the trees. Draws come in the kernels' order, so that from one state and
one random stream both go through the same states.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from treewright.corpora import Pair
from treewright.grammar import UNLINKED, BaseDistribution, Rule
from treewright.grammar.node_alignment import DELETED, UNALIGNED
from treewright.trees import Tree, TreeTable


class Node(NamedTuple):
    """A node that may root a rule: a source node, or an inserted target node."""

    inserted: bool
    number: int


class Side:
    """One tree of a pair in preorder."""

    def __init__(self, pair: Pair, tree: Tree, side: int) -> None:
        skeleton = TreeTable(tree)
        self.nodes = skeleton.nodes
        self.children = skeleton.children
        self.parent = [-1] * len(self.nodes)
        for x, below in enumerate(self.children):
            for child in below:
                self.parent[child] = x
        self.bare = [Tree(node.label) for node in self.nodes]
        self.links = [
            frozenset(link for link in pair.alignment or () if left <= link[side] < right)
            for left, right in zip(skeleton.left, skeleton.right, strict=True)
        ]

    def cut(self, x: int, stops_at: Sequence[object], stops: list[int]) -> Tree:
        """Copy the fragment at `x` down to the nodes where `stops_at` holds, and list those."""
        node = self.nodes[x]
        if node.word is not None:
            return node
        children = []
        for child in self.children[x]:
            if stops_at[child]:
                stops.append(child)
                children.append(self.bare[child])
            else:
                children.append(self.cut(child, stops_at, stops))
        return Tree(node.label, children)


class AlignedPair:
    """The alignments of one pair."""

    def __init__(self, pair: Pair, *, insertions: bool) -> None:
        self.source, self.target = Side(pair, pair.source, 0), Side(pair, pair.target, 1)
        source, target = self.source.links, self.target.links
        self.to = [UNALIGNED] * len(source)
        self.front = [False] * len(source)
        self.on: list[list[int]] = [[] for _ in target]
        self.inserted = [False] * len(target)
        self.target_front = [False] * len(target)
        self.chain = [[z for z in range(1, len(source)) if source[z] == links] for links in source]
        self.candidates = [
            [y for y in range(1, len(target)) if target[y] == links] if links else []
            for links in source
        ]
        self.sites = [
            Node(False, x) for x in range(1, len(source)) if not source[x] or self.candidates[x]
        ]
        if insertions:
            self.sites += [Node(True, y) for y in range(len(target)) if not target[y]]
        ends = [j for _, j in sorted(pair.alignment or ())]
        self.crossing = ends != sorted(ends)
        self.rules: dict[Node, Rule] = {}
        self.align(Node(False, 0), 0)

    def at(self, node: Node) -> int:
        """Return what a node is aligned with."""
        if node.inserted:
            return DELETED if self.inserted[node.number] else UNALIGNED
        return self.to[node.number]

    def align(self, node: Node, value: int) -> None:
        """Align a node with a target node, `DELETED` or `UNALIGNED`."""
        x = node.number
        if node.inserted:
            self.inserted[x] = self.target_front[x] = value == DELETED
            return
        before, self.to[x] = self.to[x], value
        self.front[x] = value != UNALIGNED
        if before >= 0:
            self.on[before].remove(x)
            self.target_front[before] = bool(self.on[before])
        if value >= 0:
            self.on[value].append(x)
            self.target_front[value] = True

    def choices(self, site: Node) -> list[int]:
        """Return what a site may be aligned with, given all others."""
        x = site.number
        if site.inserted or not self.source.links[x]:
            return [UNALIGNED, DELETED]
        found = self.candidates[x]
        if len(found) > 1:
            # Down a chain of nodes with the same links, targets go down as well.
            above = [self.to[z] for z in self.chain[x] if z < x and self.to[z] >= 0]
            below = [self.to[z] for z in self.chain[x] if z > x and self.to[z] >= 0]
            first, last = max(above, default=0), min(below, default=found[-1])
            found = [y for y in found if first <= y <= last]
        return [UNALIGNED, *found]

    def top(self, site: Node) -> Node:
        """Return the root of the rule that a site is part of while it is unaligned."""
        x = site.number
        if not site.inserted:
            x = self.source.parent[x]
            while self.to[x] == UNALIGNED:
                x = self.source.parent[x]
            return Node(False, x)
        x = self.target.parent[x]
        while not self.inserted[x] and not self.on[x]:
            x = self.target.parent[x]
        return Node(True, x) if self.inserted[x] else Node(False, max(self.on[x]))

    def roots(self) -> list[Node]:
        """Return the nodes that root a rule."""
        return [
            *(Node(False, x) for x, y in enumerate(self.to) if y != UNALIGNED),
            *(Node(True, y) for y, inserted in enumerate(self.inserted) if inserted),
        ]

    def rule(self, root: Node) -> Rule:
        """Cut the rule at a node out of the trees."""
        stops: list[int] = []
        target_stops: list[int] = []
        if root.inserted:
            return Rule(None, self.target.cut(root.number, self.target_front, target_stops))
        source = self.source.cut(root.number, self.front, stops)
        y = self.to[root.number]
        if y == DELETED:
            return Rule(source, None, (UNLINKED,) * len(stops))
        if root.number == max(self.on[y]):
            target = self.target.cut(y, self.target_front, target_stops)
        else:
            target, target_stops = self.target.bare[y], [y]
        place = {z: k for k, z in enumerate(target_stops)}
        links = [UNLINKED if self.to[x] == DELETED else place[self.to[x]] for x in stops]
        return Rule(source, target, tuple(links))


class State:
    """The alignments of a corpus and its rules, counted."""

    def __init__(
        self,
        pairs: Iterable[Pair],
        base: BaseDistribution,
        *,
        alpha: float,
        alphas: Mapping[str, float] | None = None,
        insertions: bool = False,
    ) -> None:
        self.base = base
        self.alpha = alpha
        self.alphas = {tuple(root.split("/")): value for root, value in (alphas or {}).items()}
        self.pairs = [AlignedPair(pair, insertions=insertions) for pair in pairs]
        self.order = list(range(len(self.pairs)))
        self.counts: Counter[Rule] = Counter()
        self.totals: Counter[tuple[str, str]] = Counter()
        self.log_priors: dict[Rule, float] = {}
        self.known: dict[Rule, Rule] = {}
        self.count_all()

    def count_all(self) -> None:
        """Cut and count all rules anew."""
        self.counts.clear()
        self.totals.clear()
        for pair in self.pairs:
            pair.rules = {root: self.rule(pair, root) for root in pair.roots()}
            self.add(pair.rules.values())

    def copy_alignments(self, to: Sequence[int]) -> None:
        """Take over the state of a `Sampler`."""
        begin = 0
        for pair in self.pairs:
            size, size2 = len(pair.to), len(pair.inserted)
            for x in range(1, size):
                y = int(to[begin + x])
                pair.align(Node(False, x), y - begin - size if y >= 0 else y)
            for y, links in enumerate(pair.target.links):
                if not links:
                    pair.align(Node(True, y), int(to[begin + size + y]))
            begin += size + size2
        self.count_all()

    def alignments(self) -> list[int]:
        """Return the alignment of every node as a `Sampler` numbers them."""
        found: list[int] = []
        for pair in self.pairs:
            start = len(found) + len(pair.to)
            found += [y + start if y >= 0 else y for y in pair.to]
            found += [DELETED if inserted else UNALIGNED for inserted in pair.inserted]
        return found

    def rule(self, pair: AlignedPair, root: Node) -> Rule:
        """Cut a rule; equal rules are one object, so that dictionaries need not compare them."""
        rule = pair.rule(root)
        return self.known.setdefault(rule, rule)

    def add(self, rules: Iterable[Rule]) -> None:
        for rule in rules:
            self.counts[rule] += 1
            self.totals[rule.root] += 1

    def remove(self, rules: Iterable[Rule]) -> None:
        for rule in rules:
            self.totals[rule.root] -= 1
            self.counts[rule] -= 1
            if not self.counts[rule]:
                del self.counts[rule]

    def alpha_of(self, root: tuple[str, str]) -> float:
        return self.alphas.get(root, self.alpha)

    def log_prior(self, rule: Rule) -> float:
        """Return `log(α P0)` of a rule."""
        known = self.log_priors.get(rule)
        if known is None:
            known = math.log(self.alpha_of(rule.root)) + self.base.log_probability(rule)
            self.log_priors[rule] = known
        return known

    def log_predictive(self, rule: Rule) -> float:
        """Return a rule's log-probability given those counted (equation 4)."""
        count, log_prior = self.counts[rule], self.log_prior(rule)
        weight = math.log(count + math.exp(log_prior)) if count else log_prior
        return weight - math.log(self.totals[rule.root] + self.alpha_of(rule.root))

    def log_sequence(self, rules: Sequence[Rule]) -> float:
        """Return the log-probability of rules generated one after the other."""
        total = self.log_predictive(rules[0])
        for before, rule in pairwise(rules):
            self.add([before])
            total += self.log_predictive(rule)
        self.remove(rules[:-1])
        return total


def sweep(state: State, random: np.random.Generator, temperature: float) -> int:
    """Draw every site once, pairs and their sites in random order; return how many changed."""
    changed = 0
    shuffle(state.order, random)
    for number in state.order:
        pair = state.pairs[number]
        shuffle(pair.sites, random)
        for site in pair.sites:
            changed += update(state, pair, site, temperature, random.random())
    return changed


def update(state: State, pair: AlignedPair, site: Node, temperature: float, draw: float) -> bool:
    """Draw the alignment of one site given all others (equations 5 to 7)."""
    before, choices, top = pair.at(site), pair.choices(site), pair.top(site)
    present = [pair.rules[root] for root in (top, site) if root in pair.rules]
    state.remove(present)
    options = []
    for choice in choices:
        if choice == before:
            options.append(present)
            continue
        pair.align(site, choice)
        roots = (top,) if choice == UNALIGNED else (top, site)
        options.append([state.rule(pair, root) for root in roots])
    weights = [state.log_sequence(rules) for rules in options]
    two = len(choices) == 2 and not site.inserted and not pair.crossing
    k = (pick_of_two if two else pick)(weights, temperature, draw)
    pair.align(site, choices[k])
    state.add(options[k])
    pair.rules.pop(site, None)
    pair.rules.update(zip((top, site), options[k], strict=False))
    return choices[k] != before


def pick_of_two(weights: Sequence[float], temperature: float, draw: float) -> int:
    """Draw the second of two log-weights if the draw lies below its share."""
    odds = weights[1] - weights[0]
    if temperature == 0.0:
        return int(odds > 0.0)
    return int(draw < 1.0 / (1.0 + math.exp(min(-odds / temperature, 700.0))))


def pick(weights: Sequence[float], temperature: float, draw: float) -> int:
    """Draw from log-weights, the shares laid end to end."""
    most = max(weights)
    if temperature == 0.0:
        return weights.index(most)
    shares = [math.exp((weight - most) / temperature) for weight in weights]
    rest = draw * sum(shares)
    for k, share in enumerate(shares):
        rest -= share
        if rest < 0.0:
            return k
    return len(shares) - 1


def shuffle(items: list[Node] | list[int], random: np.random.Generator) -> None:
    for k in range(len(items) - 1, 0, -1):
        other = int(random.random() * (k + 1))
        items[k], items[other] = items[other], items[k]
