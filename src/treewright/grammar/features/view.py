"""What the features of a rule are made from: its yields, its edits, and how often it was seen."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import NamedTuple

from treewright.grammar.grammar import Grammar
from treewright.grammar.notation import escape
from treewright.grammar.rule import Rule, TargetString
from treewright.trees import Tree

LOWEST = -20.0
"""Log-frequencies are not below this: a rule may have an expected count of almost nothing."""


class Frequency(NamedTuple):
    """The three rule frequencies as logs; the default is a rule seen once, its sides nowhere else.

    Scores are sums over the rules of a derivation, so only logs make a product of probabilities:
    a weight of 1 for `target_given_source` alone is the generative model. `joint` is the log of the
    count itself. Dividing by the corpus size would take the same from every rule, which the number
    of rules says already, and would outweigh all other features.
    """

    target_given_source: float = 0.0
    source_given_target: float = 0.0
    joint: float = 0.0


SINGLETON = Frequency()


@dataclass(frozen=True)
class Frequencies:
    """The frequencies of rules; one without a count has `unseen`, which the flag distinguishes."""

    seen: Mapping[Rule, Frequency] = field(default_factory=dict)
    unseen: Frequency = SINGLETON

    @classmethod
    def of(cls, grammar: Grammar) -> Frequencies:
        """Compare each rule's count with the totals of its source side and its target side."""
        counts = dict(zip(grammar.rules, grammar.counts.tolist(), strict=True))
        sources: Counter[Tree | None] = Counter()
        targets: Counter[Tree | TargetString | None] = Counter()
        for rule, count in counts.items():
            sources[rule.source] += count
            targets[rule.target] += count
        return cls(
            {
                rule: Frequency(
                    _log_ratio(count, sources[rule.source]),
                    _log_ratio(count, targets[rule.target]),
                    _log_ratio(count, 1.0),
                )
                for rule, count in counts.items()
            }
        )

    def __getitem__(self, rule: Rule) -> Frequency:
        return self.seen.get(rule, self.unseen)


def _log_ratio(count: float, total: float) -> float:
    return max(LOWEST, math.log(count / total)) if count > 0.0 else LOWEST


class Edits(NamedTuple):
    """What must be removed from a sequence, and what inserted, to turn it into another."""

    removed: tuple[str, ...]
    inserted: tuple[str, ...]


NO_EDITS = Edits((), ())


@dataclass(frozen=True)
class RuleView:
    """A rule as templates see it; all names are escaped, frontier categories written `NP[]`."""

    rule: Rule
    unseen: bool = False
    frequency: Frequency = SINGLETON

    @cached_property
    def source_yield(self) -> tuple[str, ...]:
        """Words and frontier categories of the source, left to right."""
        return tokens(self.rule.source)

    @cached_property
    def target_yield(self) -> tuple[str, ...]:
        """Words and frontier categories of the target, left to right."""
        return tokens(self.rule.target)

    @cached_property
    def target_words(self) -> tuple[str, ...]:
        """The target's words, including punctuation."""
        return () if self.rule.target is None else self.rule.target.words()

    @cached_property
    def target_productions(self) -> tuple[str, ...]:
        """Productions of the target's inner nodes, as `NP -> DT NN`."""
        if not isinstance(self.rule.target, Tree):
            return ()
        return tuple(
            [
                f"{escape(node.label)} -> {' '.join([escape(c.label) for c in node.children])}"
                for node in self.rule.target.nodes()
                if node.children
            ]
        )

    @cached_property
    def source_nodes(self) -> tuple[str, ...]:
        """Labels of the source nodes that are spelled out: all but the frontier, in preorder."""
        return spelled(self.rule.source)

    @cached_property
    def target_nodes(self) -> tuple[str, ...]:
        """Labels of the target nodes that are spelled out: all but the frontier, in preorder."""
        return spelled(self.rule.target)

    @cached_property
    def tree_edits(self) -> Edits:
        """Labels of nodes spelled out on one side only; the frontier belongs to the yield.

        Labels are compared as multisets: fragments are so small that a label seldom occurs twice in
        one, and then nothing says which is meant.
        """
        if self.source_nodes == self.target_nodes:
            return NO_EDITS
        source, target = Counter(self.source_nodes), Counter(self.target_nodes)
        return Edits(tuple((source - target).elements()), tuple((target - source).elements()))

    @cached_property
    def yield_edits(self) -> Edits:
        """Tokens of the yields outside their longest common subsequence."""
        return edits(self.source_yield, self.target_yield)


@lru_cache(maxsize=1 << 14)
def tokens(fragment: Tree | TargetString | None) -> tuple[str, ...]:
    """Return a side's leaves: words, and categories with `[]`, which no word looks like."""
    if fragment is None:
        return ()
    if isinstance(fragment, TargetString):
        return tuple(["[]" if item is None else escape(item) for item in fragment.items])
    return tuple(
        [
            escape(node.word) if node.word is not None else f"{escape(node.label)}[]"
            for node in fragment.nodes()
            if not node.children
        ]
    )


@lru_cache(maxsize=1 << 14)
def spelled(fragment: Tree | TargetString | None) -> tuple[str, ...]:
    """Return the labels of all nodes but the frontier, one a production, in preorder."""
    if not isinstance(fragment, Tree):
        return ()
    return tuple([escape(node.label) for node in fragment.nodes() if not node.is_frontier])


def edits(source: Sequence[str], target: Sequence[str]) -> Edits:
    """Return the fewest removals and insertions; of equal ones, a removal comes first."""
    if source == target:
        return NO_EDITS
    n, m = len(source), len(target)
    common = [[0] * (m + 1) for _ in range(n + 1)]
    for i in range(n - 1, -1, -1):
        for j in range(m - 1, -1, -1):
            common[i][j] = (
                1 + common[i + 1][j + 1]
                if source[i] == target[j]
                else max(common[i + 1][j], common[i][j + 1])
            )
    removed, inserted = [], []
    i = j = 0
    while i < n or j < m:
        if i < n and j < m and source[i] == target[j]:
            i, j = i + 1, j + 1
        elif j == m or (i < n and common[i + 1][j] >= common[i][j + 1]):
            removed.append(source[i])
            i += 1
        else:
            inserted.append(target[j])
            j += 1
    return Edits(tuple(removed), tuple(inserted))
