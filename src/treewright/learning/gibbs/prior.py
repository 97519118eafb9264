"""The Dirichlet processes' parameters, laid out for the kernels."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from treewright.errors import UsageError
from treewright.grammar import EPSILON, BaseDistribution, production
from treewright.learning.gibbs.arrays import ROOT, Floats, Records
from treewright.learning.gibbs.packing import PackedPairs, is_source


class RootPairs:
    """Numbers the root pairs over a corpus's labels: `s * (labels + 1) + t`, where ε is
    the last.
    """

    def __init__(self, labels: list[str]) -> None:
        self.names = [*labels, EPSILON]

    def number(self, name: str) -> int:
        """Return the number of a root pair written `NP/ε`."""
        sides = name.split("/")
        if len(sides) != 2 or sides == [EPSILON, EPSILON]:
            raise UsageError(f"expected a root pair such as NP/NP or NP/ε, found {name!r}")
        for side in sides:
            if side not in self.names:
                raise UsageError(f"the category {side!r} of {name!r} does not occur in the pairs")
        source, target = map(self.names.index, sides)
        return source * len(self.names) + target

    def pair(self, number: int) -> tuple[str, str]:
        """Return the two categories of a root pair."""
        source, target = divmod(number, len(self.names))
        return self.names[source], self.names[target]


def make_roots(packed: PackedPairs, alpha: float, alphas: Mapping[str, float]) -> Records:
    """Return the concentrations; `alphas` gives single root pairs their own."""
    pairs = RootPairs(packed.labels.names)
    roots = np.zeros(len(pairs.names) ** 2, dtype=ROOT)
    roots["alpha"] = alpha
    for name, value in alphas.items():
        roots["alpha"][pairs.number(name)] = value
    roots["log_alpha"] = np.log(roots["alpha"])
    return roots


def log_productions(packed: PackedPairs, base: BaseDistribution) -> Floats:
    """Return the log-probability of every node's production on its own side."""
    sides = zip(packed.trees, is_source(packed.layout).tolist(), strict=True)
    return np.array(
        [
            (base.source if source else base.target).log_probability(production(node))
            for node, source in sides
        ]
    )


def set_betas(
    nodes: Records, productions: Floats, betas: NDArray[np.float64], *, at_root: bool
) -> None:
    """Write what the base distribution says at each node, given β by label."""
    expand = np.log(betas)[nodes["label"]]
    nodes["spell"] = productions + expand
    nodes["stop"] = np.log1p(-betas)[nodes["label"]]
    nodes["free"] = 0.0 if at_root else expand


def log_ways(packed: PackedPairs, *, insertions: bool) -> Floats:
    """Return the log-number of ways to link n source and m target frontier nodes, for all sizes.

    By recurrence on the last source node: it is linked to one of the target nodes or to none.
    Without insertions every target node must be linked.
    """
    longest = max(len(pair.source.words()) for pair in packed.pairs)
    longest2 = max(len(pair.target_words) for pair in packed.pairs)
    ways = np.full((longest + 1, longest2 + 1), 0.0 if insertions else -np.inf)
    ways[:, 0] = 0.0
    choices = np.log(np.arange(1, longest2 + 1))
    for n in range(1, longest + 1):
        ways[n, 1:] = np.logaddexp(ways[n - 1, 1:], choices + ways[n - 1, :-1])
    return ways
