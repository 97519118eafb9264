"""Base distributions: the prior probability of a rule, given its root pair; and the PCFGs, read off
trees, that they expand with.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Protocol

from treewright.errors import UsageError, choose
from treewright.grammar.rule import Rule, TargetString, copy_rule, deletion_rule
from treewright.trees import Tree

Production = tuple[str, ...]


def production(node: Tree) -> Production:
    """Return `(label, child labels…)`, or `(label, "", word)` for a preterminal."""
    if node.word is not None:
        return (node.label, "", node.word)
    return (node.label, *[child.label for child in node.children])


class PCFG:
    """Relative frequencies of productions, with one pseudo-count per label reserved for
    the unseen.
    """

    def __init__(self, counts: Mapping[Production, float]) -> None:
        self.counts = dict(counts)
        totals: defaultdict[str, float] = defaultdict(float)
        for rewriting, count in self.counts.items():
            totals[rewriting[0]] += count
        self._totals = dict(totals)

    @classmethod
    def read_off(cls, trees: Iterable[Tree]) -> PCFG:
        """Count the productions of trees."""
        counts: Counter[Production] = Counter()
        for tree in trees:
            counts.update(map(production, tree.nodes()))
        return cls(counts)

    def as_rows(self) -> list[list[str | float]]:
        """Return plain values for a model file: each production with its count."""
        return [[*rewriting, count] for rewriting, count in sorted(self.counts.items())]

    @classmethod
    def from_rows(cls, rows: Iterable[Iterable[Any]]) -> PCFG:
        """Undo `as_rows`."""
        counts = {tuple(rewriting): count for *rewriting, count in rows}
        if not all(rewriting and 0 < count < math.inf for rewriting, count in counts.items()):
            raise ValueError("a PCFG needs a positive count for each production")
        return cls(counts)

    def log_probability(self, rewriting: Production) -> float:
        """Return the log-probability of a production given its left-hand side.

        With `n` productions of the label seen, a seen one has `count / (n + 1)`, any other `1 / (n
        + 1)`; a label that was never seen gives 1.
        """
        total = self._totals.get(rewriting[0], 0.0) + 1.0
        return math.log(self.counts.get(rewriting, 1.0) / total)


class Base(Protocol):
    """A distribution over the rules of a root pair."""

    def log_probability(self, rule: Rule) -> float:
        """Return the log-probability of a rule given its root pair."""
        ...

    def copy_and_deletion(self, node: Tree) -> tuple[float, float]:
        """Return the log-probabilities of copying and of deleting the production at `node`."""
        ...

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for a model file."""
        ...


@dataclass(frozen=True)
class PlainBase:
    """Only rules of one production that copy or delete it, with the probability of the production.

    It does not say whether to keep or delete: an unseen production is left to what its parent and
    its label suggest.
    """

    source: PCFG

    def log_probability(self, rule: Rule) -> float:
        """Return the log-probability of the source production, `-inf` for any other rule."""
        if rule.source is None or not (rule.target is None or rule.is_copy):
            return -math.inf
        if not all(child.is_frontier for child in rule.source.children):
            return -math.inf
        return self.source.log_probability(production(rule.source))

    def copy_and_deletion(self, node: Tree) -> tuple[float, float]:
        """Return the production's own log-probability, twice."""
        both = self.source.log_probability(production(node))
        return both, both

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for a model file."""
        return {"kind": "plain", "source": self.source.as_rows()}


@dataclass(frozen=True)
class BaseDistribution:
    """P0 of the Bayesian paper (section 3.1).

    Each side of a rule is grown separately: a nonterminal is expanded with probability β by a
    production of a PCFG, or left as a frontier node; then the two frontiers are aligned uniformly
    at random. A deletion or insertion rule is one such fragment.

    A source fragment, and the one fragment of a deletion or insertion, always expands its root; the
    paper leaves open whether that decision is paid for (`beta_at_root`, by default not). The target
    root of a synchronous rule may stay a frontier node, so its decision always counts. Also open is
    whether an alignment may leave target nodes to insertions (`insertions`). `betas` gives single
    categories their own β.
    """

    source: PCFG
    target: PCFG
    beta: float = 0.1
    beta_at_root: bool = False
    insertions: bool = True
    betas: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for where, beta in (("", self.beta), *((f" of {c}", b) for c, b in self.betas.items())):
            if not 0.0 < beta < 1.0:
                raise UsageError(f"beta{where} must lie between 0 and 1, found {beta}")

    def beta_of(self, label: str) -> float:
        """Return the probability that a node of a category is expanded."""
        return self.betas.get(label, self.beta)

    def log_probability(self, rule: Rule) -> float:
        """Return `log P0(rule | root)`, `-inf` for an alignment the options exclude."""
        if isinstance(rule.target, TargetString):
            raise ValueError(f"P0 is over pairs of fragments; the target of {rule} is a string")
        if rule.target is None:
            assert rule.source is not None
            return self._fragment(rule.source, self.source, certain=True)
        if rule.source is None:
            return self._fragment(rule.target, self.target, certain=True)
        if rule.inserted and not self.insertions:
            return -math.inf
        return (
            self._fragment(rule.source, self.source, certain=True)
            + self._fragment(rule.target, self.target, certain=False)
            - log_alignments(len(rule.source_frontier), len(rule.target_frontier), self.insertions)
        )

    def copy_and_deletion(self, node: Tree) -> tuple[float, float]:
        """Return the log-probabilities of copying and of deleting the production at `node`."""
        children = tuple(child.label for child in node.children)
        return (
            self.log_probability(copy_rule(node.label, children, word=node.word)),
            self.log_probability(deletion_rule(node.label, children, word=node.word)),
        )

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for a model file."""
        return {
            "kind": "p0",
            "source": self.source.as_rows(),
            "target": self.target.as_rows(),
            "beta": self.beta,
            "beta_at_root": self.beta_at_root,
            "insertions": self.insertions,
            "betas": dict(self.betas),
        }

    def _fragment(self, fragment: Tree, pcfg: PCFG, *, certain: bool) -> float:
        """Return a fragment's log-probability; `certain` says that its root must expand."""
        free = certain and not self.beta_at_root
        total = -math.log(self.beta_of(fragment.label)) if free else 0.0
        for node in fragment.nodes():
            beta = self.beta_of(node.label)
            if node.is_frontier:
                total += math.log1p(-beta)
            else:
                total += math.log(beta) + pcfg.log_probability(production(node))
        return total


@lru_cache(maxsize=1 << 14)
def log_alignments(sources: int, targets: int, insertions: bool) -> float:
    """Return the log of the number of ways to link frontiers one to one.

    Σ_k C(n, k) C(m, k) k! with ε on either side, n! / (n - m)! where every target node is linked.
    """
    if not insertions:
        if targets > sources:
            return math.inf
        return math.lgamma(sources + 1) - math.lgamma(sources - targets + 1)
    terms = [
        math.lgamma(sources + 1)
        - math.lgamma(sources - k + 1)
        + math.lgamma(targets + 1)
        - math.lgamma(targets - k + 1)
        - math.lgamma(k + 1)
        for k in range(min(sources, targets) + 1)
    ]
    largest = max(terms)
    return largest + math.log(sum(math.exp(term - largest) for term in terms))


def base_from_dict(values: Mapping[str, Any]) -> Base:
    """Read a base distribution from a model file's plain values."""
    kind = choose(values["kind"], ("plain", "p0"), "kind of base distribution")
    source = PCFG.from_rows(values["source"])
    if kind == "plain":
        return PlainBase(source)
    target = PCFG.from_rows(values["target"])
    return BaseDistribution(
        source,
        target,
        values["beta"],
        values["beta_at_root"],
        values["insertions"],
        values["betas"],
    )
