"""The posterior by enumeration, from the definitions alone.

A state of a pair says of every source node which target node it stands for, or that it is deleted
or neither, and of every target node whether it is inserted. It is admissible if word links allow
each of its alignments and if the rules it cuts the pair into put the pair together again.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

from treewright.corpora import Pair
from treewright.grammar import UNLINKED, BaseDistribution, Rule
from treewright.grammar.node_alignment import DELETED, UNALIGNED
from treewright.trees import Tree

from ...grammar.oracle import Derived, Path, apply, at, paths, span

PairState = tuple[tuple[int, ...], tuple[bool, ...]]


def states(pair: Pair, *, insertions: bool) -> Iterator[tuple[PairState, list[Rule]]]:
    """Yield every admissible state of a pair with its rules."""
    links = [_links(pair, pair.source, 0), _links(pair, pair.target, 1)]
    choices: list[list[int]] = []
    for x, mine in enumerate(links[0]):
        if not mine:
            choices.append([UNALIGNED, DELETED])
            continue
        same = [y for y, others in enumerate(links[1]) if others == mine]
        choices.append([0] if x == 0 else [UNALIGNED, *(y for y in same if y)])
    gone = [[False, True] if insertions and not mine else [False] for mine in links[1]]
    for to in product(*choices):
        for inserted in product(*gone):
            derived = _derivation(pair, to, inserted)
            if derived is not None and apply(derived) == (pair.source, pair.target):
                yield (to, inserted), list(_rules(derived))


def _links(pair: Pair, tree: Tree, side: int) -> list[set[tuple[int, int]]]:
    assert pair.alignment is not None
    return [
        {link for link in pair.alignment if link[side] in span(tree, path)} for path in paths(tree)
    ]


def _derivation(pair: Pair, to: Sequence[int], inserted: Sequence[bool]) -> Derived | None:
    """Cut a pair into rules; None if a rule's links would not meet."""
    sources, targets = paths(pair.source), paths(pair.target)
    image = {path: to[x] for x, path in enumerate(sources)}
    added = {path for y, path in enumerate(targets) if inserted[y]}

    def insertion(t: Path) -> Derived:
        stops: list[Path] = []
        fragment = _cut(pair.target, t, added, stops, top=True)
        return Derived(Rule(None, fragment), tuple(insertion(stop) for stop in stops))

    def rule(s: Path) -> Derived:
        stops: list[Path] = []
        ends = {path for path, y in image.items() if y != UNALIGNED}
        fragment = _cut(pair.source, s, ends, stops, top=True)
        if image[s] == DELETED:
            links = (UNLINKED,) * len(stops)
            return Derived(Rule(fragment, None, links), tuple(rule(stop) for stop in stops))
        reached = [None if image[stop] == DELETED else targets[image[stop]] for stop in stops]
        target_stops: list[Path] = []
        other = _cut(pair.target, targets[image[s]], added | {*reached}, target_stops, top=False)
        links = tuple(UNLINKED if t is None else target_stops.index(t) for t in reached)
        parts = [rule(stop) for stop in stops]
        parts += [insertion(t) for t in target_stops if t not in reached]
        return Derived(Rule(fragment, other, links), tuple(parts))

    try:
        return rule(())
    except ValueError:
        return None


def _cut(tree: Tree, path: Path, ends: set[Path | None], stops: list[Path], *, top: bool) -> Tree:
    node = at(tree, path)
    if path in ends and not top:
        stops.append(path)
        return Tree(node.label)
    children = [_cut(tree, (*path, k), ends, stops, top=False) for k in range(len(node.children))]
    return Tree(node.label, children, word=node.word)


def _rules(derived: Derived) -> Iterator[Rule]:
    yield derived.rule
    for part in derived.parts:
        yield from _rules(part)


def log_joint(
    rules: Iterable[Rule],
    base: BaseDistribution,
    alpha: float,
    alphas: Mapping[str, float] | None = None,
) -> float:
    """Return the log-probability of rules drawn one after the other (equation 4)."""
    counts: Counter[Rule] = Counter()
    totals: Counter[str] = Counter()
    total = 0.0
    for rule in rules:
        root = "/".join(rule.root)
        mass = (alphas or {}).get(root, alpha)
        log_prior = math.log(mass) + base.log_probability(rule)
        seen = counts[rule]
        total += math.log(seen + math.exp(log_prior)) if seen else log_prior
        total -= math.log(totals[root] + mass)
        counts[rule] += 1
        totals[root] += 1
    return total


def log_joints(
    pairs: Sequence[Pair],
    base: BaseDistribution,
    alpha: float,
    alphas: Mapping[str, float] | None = None,
    *,
    insertions: bool,
) -> dict[tuple[PairState, ...], float]:
    """Return the log joint probability of every admissible state of a corpus."""
    found = {}
    for parts in product(*(list(states(pair, insertions=insertions)) for pair in pairs)):
        rules = [rule for _, own in parts for rule in own]
        found[tuple(state for state, _ in parts)] = log_joint(rules, base, alpha, alphas)
    return found


def tempered(log_joints: Mapping[tuple[PairState, ...], float], temperature: float) -> dict:
    """Return the probabilities of states, each raised to 1/T."""
    most = max(log_joints.values())
    shares = {state: math.exp((value - most) / temperature) for state, value in log_joints.items()}
    whole = sum(shares.values())
    return {state: share / whole for state, share in shares.items()}
