"""Geweke's joint-distribution test of model and sampler ("Getting it right", 2004).

Corpora of two pairs are drawn in two ways that must agree: *forward*, all from the prior; and in
*succession*, where a kernel moves the sampler's state given the trees, and then one pair, trees
and all, is drawn anew given the other. The sampler takes word links as given, so they belong to the
joint distribution: given two trees, all one-to-one links, at least one, are as likely, and a
derivation must be among the states that its links admit.

Trees are finite because categories only ever expand to lower ones.
"""

from __future__ import annotations

import math
from bisect import bisect
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import accumulate, product

import numpy as np

from treewright.corpora import Pair
from treewright.grammar import EPSILON, PCFG, UNLINKED, BaseDistribution, Rule
from treewright.grammar.extraction import Cutting
from treewright.grammar.node_alignment import DELETED, UNALIGNED
from treewright.learning.gibbs.packing import PackedPairs, read_alignments
from treewright.learning.gibbs.prior import RootPairs
from treewright.learning.gibbs.sampler import Sampler
from treewright.trees import Tree

from . import exact

Root = tuple[str, str]
Kernel = Callable[[Sampler], object]
Random = np.random.Generator
Links = tuple[int, ...]


class ProperPCFG(PCFG):
    """Relative frequencies that leave nothing to productions never seen."""

    def log_probability(self, rewriting: tuple[str, ...]) -> float:
        return math.log(self.counts[rewriting] / self._totals[rewriting[0]])


GRAMMAR = ProperPCFG(
    {
        ("ROOT", "A"): 4,
        ("ROOT", "A", "B"): 3,
        ("ROOT", "B", "A"): 3,
        ("A", "B"): 4,
        ("A", "B", "B"): 2,
        ("A", "", "a"): 4,
        ("B", "", "a"): 6,
        ("B", "", "b"): 4,
    }
)
ALPHA = 3.0
BETAS = {"ROOT": 0.97, "A": 0.4, "B": 0.3}
BASE = BaseDistribution(GRAMMAR, GRAMMAR, betas=BETAS)
ROOTS = [root for root in product([*BETAS, EPSILON], repeat=2) if root != (EPSILON, EPSILON)]


@dataclass(frozen=True)
class Parameters:
    """The concentration of every root pair and β of every category."""

    alphas: dict[Root, float] = field(default_factory=lambda: dict.fromkeys(ROOTS, ALPHA))
    betas: dict[str, float] = field(default_factory=lambda: dict(BETAS))

    @property
    def base(self) -> BaseDistribution:
        return replace(BASE, betas=self.betas)


Prior = Callable[[Random], Parameters]


def constant(random: Random) -> Parameters:
    """The parameters are known."""
    return Parameters()


@dataclass(eq=False)
class Grown:
    """A node of a tree under construction, and what it is aligned with."""

    label: str
    word: str | None
    children: list[Grown]
    to: Grown | int = UNALIGNED

    def nodes(self) -> Iterator[Grown]:
        yield self
        for child in self.children:
            yield from child.nodes()

    def tree(self) -> Tree:
        return Tree(self.label, [child.tree() for child in self.children], word=self.word)


@dataclass
class Drawing:
    """Draws derivations given the rules of others (equation 4)."""

    parameters: Parameters
    random: Random
    rules: list[Rule] = field(default_factory=list)

    def derive(self, root: Root) -> tuple[Grown | None, Grown | None]:
        """Draw a derivation, rule by rule."""
        rule = self._rule(root)
        if hopeless(rule):
            raise HopelessError
        self.rules.append(rule)
        sources, targets = [], {}
        for label, link in zip(rule.source_frontier, rule.links, strict=True):
            other = EPSILON if link == UNLINKED else rule.target_frontier[link]
            source, target = self.derive((label, other))
            sources.append(source)
            targets[link] = target
        for link in rule.inserted:
            targets[link] = self.derive((EPSILON, rule.target_frontier[link]))[1]
        targets.pop(UNLINKED, None)
        source = _grow(rule.source, iter(sources))
        target = _grow(rule.target, iter([targets[link] for link in sorted(targets)]))
        if source is not None:
            source.to = DELETED if target is None else target
        elif target is not None:
            target.to = DELETED
        return source, target

    def _rule(self, root: Root) -> Rule:
        known = [rule for rule in self.rules if rule.root == root]
        draw = self.random.random() * (len(known) + self.parameters.alphas[root])
        return known[int(draw)] if draw < len(known) else self._new_rule(root)

    def _new_rule(self, root: Root) -> Rule:
        if root[1] == EPSILON:
            source = self._fragment(root[0], certain=True)
            return Rule(source, None, (UNLINKED,) * len(_frontier(source)))
        target = self._fragment(root[1], certain=root[0] == EPSILON)
        if root[0] == EPSILON:
            return Rule(None, target)
        source = self._fragment(root[0], certain=True)
        ways = one_to_one(len(_frontier(source)), len(_frontier(target)))
        return Rule(source, target, ways[self._below(len(ways))])

    def _fragment(self, label: str, *, certain: bool) -> Tree:
        if not certain and self.random.random() >= self.parameters.betas[label]:
            return Tree(label)
        productions, shares = expansions(label)
        chosen = productions[bisect(shares, self.random.random())]
        if chosen[1] == "":
            return Tree(label, word=chosen[2])
        return Tree(label, [self._fragment(child, certain=False) for child in chosen[1:]])

    def _below(self, count: int) -> int:
        return int(self.random.random() * count)

    def pair(self) -> Drawn | None:
        """Draw a derivation from the roots, and links; None if they do not go together."""
        try:
            source, target = self.derive(("ROOT", "ROOT"))
        except HopelessError:
            return None
        assert source is not None
        assert target is not None
        ways = one_to_one(_words(source), _words(target))[:-1]
        links = ways[self._below(len(ways))]
        alignment = tuple((i, j) for i, j in enumerate(links) if j != UNLINKED)
        if not _admitted(source, target, alignment):
            return None
        return Drawn.of(source, target, alignment)


@cache
def expansions(label: str) -> tuple[list[tuple[str, ...]], list[float]]:
    """Return the productions of a category and their probabilities, added up but for the last."""
    found = [rewriting for rewriting in GRAMMAR.counts if rewriting[0] == label]
    return found, [*accumulate(math.exp(GRAMMAR.log_probability(p)) for p in found)][:-1]


class HopelessError(Exception):
    """No word links can fit a derivation."""


@cache
def hopeless(rule: Rule) -> bool:
    """Whether a rule leaves nothing on one side that a word link could join to the other."""
    if rule.source is None or rule.target is None or rule.variables:
        return False
    return not rule.source.words() or not rule.target.words()


@cache
def one_to_one(sources: int, targets: int) -> list[Links]:
    """Return all ways to link nodes one to one, the one without links last."""
    ends = [*range(targets), UNLINKED]
    ways = product(ends, repeat=sources)
    return [way for way in ways if len({j for j in way if j >= 0}) == sum(j >= 0 for j in way)]


def _grow(fragment: Tree | None, fillers: Iterator[Grown | None]) -> Grown | None:
    if fragment is None:
        return None
    if fragment.is_frontier:
        return next(fillers)
    children = [_grow(child, fillers) for child in fragment.children]
    return Grown(fragment.label, fragment.word, [child for child in children if child is not None])


def _frontier(fragment: Tree) -> list[Tree]:
    return [node for node in fragment.nodes() if node.is_frontier]


def _words(root: Grown) -> int:
    return sum(node.word is not None for node in root.nodes())


def _admitted(source: Grown, target: Grown, alignment: tuple[tuple[int, int], ...]) -> bool:
    """Say whether the links allow every alignment; the roots stand for each other alone."""
    mine, theirs = _links(source, alignment, 0), _links(target, alignment, 1)
    for node in source.nodes():
        if isinstance(node.to, Grown):
            if mine[node] != theirs[node.to] or not mine[node]:
                return False
            if (node is source) != (node.to is target):
                return False
        elif node.to == DELETED and mine[node]:
            return False
    return not any(node.to == DELETED and theirs[node] for node in target.nodes())


def _links(
    root: Grown, alignment: tuple[tuple[int, int], ...], side: int
) -> dict[Grown, set[tuple[int, int]]]:
    """Return the links below each node."""
    found: dict[Grown, set[tuple[int, int]]] = {}
    position = 0

    def visit(node: Grown) -> set[tuple[int, int]]:
        nonlocal position
        if node.word is not None:
            found[node] = {link for link in alignment if link[side] == position}
            position += 1
        else:
            found[node] = set().union(*map(visit, node.children))
        return found[node]

    visit(root)
    return found


@dataclass(frozen=True)
class Drawn:
    """A pair and its state, target nodes numbered from 0."""

    pair: Pair
    to: list[int]
    inserted: list[bool]
    rules: list[Rule]

    @classmethod
    def of(cls, source: Grown, target: Grown, alignment: tuple[tuple[int, int], ...]) -> Drawn:
        number = {node: y for y, node in enumerate(target.nodes())}
        to = [number[x.to] if isinstance(x.to, Grown) else x.to for x in source.nodes()]
        inserted = [node.to == DELETED for node in target.nodes()]
        return cls(Pair("drawn", source.tree(), target.tree(), alignment), to, inserted, [])


def forward(random: Random, prior: Prior = constant) -> tuple[list[Drawn], Parameters]:
    """Draw a corpus and parameters from the prior, until the links fit both derivations."""
    while True:
        drawing = Drawing(prior(random), random)
        first = drawing.pair()
        if first is None:
            continue
        before = len(drawing.rules)
        second = drawing.pair()
        if second is not None:
            rules = drawing.rules[:before], drawing.rules[before:]
            return (
                [replace(d, rules=own) for d, own in zip((first, second), rules, strict=True)],
                drawing.parameters,
            )


def redraw(other: Drawn, parameters: Parameters, random: Random) -> Drawn:
    """Draw a pair, its state and its links given the other pair."""
    while True:
        drawing = Drawing(parameters, random, list(other.rules))
        drawn = drawing.pair()
        if drawn is not None:
            return replace(drawn, rules=drawing.rules[len(other.rules) :])


def moved(
    corpus: list[Drawn], parameters: Parameters, kernel: Kernel, random: Random
) -> tuple[list[Drawn], Parameters]:
    """Let a kernel move the state of a corpus and perhaps its parameters."""
    packed = PackedPairs.pack([drawn.pair for drawn in corpus], insertions=True)
    sampler = Sampler(packed, BASE, random, alpha=ALPHA)
    names = RootPairs(packed.labels.names)
    here = {root: names.number("/".join(root)) for root in ROOTS if {*root} <= {*names.names}}
    for root, number in here.items():
        sampler.roots["alpha"][number] = parameters.alphas[root]
    sampler.betas[:] = [parameters.betas[label] for label in packed.labels.names]
    sampler.nodes["to"] = numbered(corpus)
    sampler.refresh()
    kernel(sampler)
    found = list(read_alignments(packed, sampler.to))
    return (
        [
            Drawn(d.pair, list(a.to), list(a.inserted), list(Cutting(a).general_rules()))
            for d, a in zip(corpus, found, strict=True)
        ],
        Parameters(
            parameters.alphas
            | {root: float(sampler.roots["alpha"][number]) for root, number in here.items()},
            parameters.betas | dict(zip(packed.labels.names, sampler.betas.tolist(), strict=True)),
        ),
    )


def numbered(corpus: list[Drawn]) -> list[int]:
    """Return the alignment of every node as a `Sampler` numbers them."""
    to: list[int] = []
    for drawn in corpus:
        start = len(to) + len(drawn.to)
        to += [y + start if y >= 0 else y for y in drawn.to]
        to += [DELETED if inserted else UNALIGNED for inserted in drawn.inserted]
    return to


def statistics(corpus: list[Drawn], parameters: Parameters) -> dict[str, float]:
    rules = [rule for drawn in corpus for rule in drawn.rules]
    own = [rule for rule in rules if EPSILON not in rule.root]
    alphas = {"/".join(root): alpha for root, alpha in parameters.alphas.items()}
    nodes = [node for rule in rules if rule.source for node in rule.source.nodes()]
    return {
        "rules": len(rules),
        "distinct rules": len({*rules}),
        "deletions": sum(rule.target is None for rule in rules),
        "insertions": sum(rule.source is None for rule in rules),
        "rules in common": len({*corpus[0].rules} & {*corpus[1].rules}),
        "bare targets": sum(rule.target.is_frontier for rule in own if rule.target),
        "links": sum(rule.variables for rule in own),
        "crossings": sum([*rule.links] != sorted(rule.links) for rule in own),
        "other labels": sum(rule.root[0] != rule.root[1] for rule in own),
        "source nodes": len(nodes),
        "squared fragments": sum(len([*rule.source.nodes()]) ** 2 for rule in own if rule.source),
        "source words": sum(len(drawn.pair.source.words()) for drawn in corpus),
        "log joint": exact.log_joint(rules, parameters.base, ALPHA, alphas),
        "log α of A/A": math.log(parameters.alphas["A", "A"]),
        "log α of ROOT/ROOT": math.log(parameters.alphas["ROOT", "ROOT"]),
        **{f"β of {label}": beta for label, beta in parameters.betas.items()},
    }


Table = dict[str, np.ndarray]


def simulate_forward(count: int, random: Random, prior: Prior = constant) -> Table:
    """Return the statistics of independent corpora."""
    return _columns(statistics(*forward(random, prior)) for _ in range(count))


def simulate_in_succession(
    kernel: Kernel, count: int, random: Random, prior: Prior = constant
) -> tuple[Table, Table]:
    """Return the statistics of corpora before and after each move of a kernel."""
    befores, afters = [], []
    corpus, parameters = forward(random, prior)
    for step in range(count):
        one = step % 2
        corpus[one] = redraw(corpus[1 - one], parameters, random)
        befores.append(statistics(corpus, parameters))
        corpus, parameters = moved(corpus, parameters, kernel, random)
        afters.append(statistics(corpus, parameters))
    return _columns(befores), _columns(afters)


def _columns(rows: Iterable[dict[str, float]]) -> Table:
    columns: defaultdict[str, list[float]] = defaultdict(list)
    for row in rows:
        for name, value in row.items():
            columns[name].append(value)
    return {name: np.array(values) for name, values in columns.items()}


def z_scores(independent: Table, chain: Table) -> dict[str, float]:
    """Compare the means of independent corpora with those of a chain."""
    return _scores(
        {
            name: (chain[name].mean() - values.mean(), values.var() / len(values) + error)
            for name, values in independent.items()
            for error in [_squared_error(chain[name])]
        }
    )


def paired_z_scores(before: Table, after: Table) -> dict[str, float]:
    """Compare a chain's means before and after its moves, which ought to change nothing.

    The trees are the same, so that this notices much smaller faults than `z_scores`.
    """
    changes = {name: after[name] - values for name, values in before.items()}
    return _scores({name: (c.mean(), _squared_error(c)) for name, c in changes.items()})


def _squared_error(values: np.ndarray, batches: int = 25) -> float:
    """Return the squared standard error of a chain's mean, from the means of batches."""
    means = [batch.mean() for batch in np.array_split(values, batches)]
    return float(np.var(means, ddof=1)) / batches


def _scores(differences: dict[str, tuple[float, float]]) -> dict[str, float]:
    return {
        name: float(difference) / math.sqrt(variance)
        for name, (difference, variance) in differences.items()
        if variance > 1e-20
    }
