"""A PCFG read off trees, with which the base distribution of the Bayesian paper expands."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

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
