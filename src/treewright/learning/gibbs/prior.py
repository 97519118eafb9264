"""The Dirichlet processes' parameters: how kernels take them, and how they are drawn.

To draw the concentrations α and the expansion probabilities β from their posterior goes beyond the
paper, which holds them constant. A concentration has an exponential prior whose mean is the
constant it replaces, β a beta prior around its constant.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from scipy.special import gammaln

from treewright.arrays import Floats
from treewright.errors import UsageError
from treewright.grammar import EPSILON, BaseDistribution, production
from treewright.learning.gibbs.arrays import ROOT, Records
from treewright.learning.gibbs.packing import PackedPairs, is_source

Density = Callable[[Floats], Floats]

STRENGTH = 10.0
"""The number of decisions that the prior of β is worth."""

_WIDTH = 2.0
"""First width of a slice, in units of log α."""


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


def set_betas(nodes: Records, productions: Floats, betas: Floats, *, at_root: bool) -> None:
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


def log_priors(alphas: Floats, alpha: Floats, betas: Floats, beta: Floats) -> float:
    """Return the log-density of parameters whose priors are around `alpha` and `beta`."""
    rising, falling = STRENGTH * beta - 1.0, STRENGTH * (1.0 - beta) - 1.0
    of_betas = rising * np.log(betas) + falling * np.log1p(-betas)
    return float((-alphas / alpha - np.log(alpha)).sum() + of_betas.sum())


def log_rules(used: Records, log_alpha: Floats) -> Floats:
    """Return what each rule in use adds to the log joint, `log Γ(n + αP0) - log Γ(αP0)`.

    α is given by root pair; αP0 may be too small for the gamma function, so its logarithm is added.
    """
    log_prior = log_alpha[used["root"]] + used["log_base"]
    prior = np.exp(log_prior)
    return np.asarray(log_prior + gammaln(used["count"] + prior) - gammaln(1.0 + prior))


def draw_alphas(
    table: Records, roots: Records, mean: Floats, random: np.random.Generator
) -> Floats:
    """Draw every root pair's concentration by slice sampling of its logarithm, all at once."""
    used = table[table["count"] > 0]

    def density(log_alpha: Floats) -> Floats:
        alpha = np.exp(log_alpha)
        of_rules = np.bincount(used["root"], log_rules(used, log_alpha), len(roots))
        of_root = gammaln(alpha) - gammaln(alpha + roots["total"])
        # The last term is the Jacobian of the logarithm.
        return np.asarray(of_rules + of_root - alpha / mean + log_alpha)

    return np.exp(slice_sample(density, np.log(roots["alpha"]), random))


def slice_sample(density: Density, start: Floats, random: np.random.Generator) -> Floats:
    """Return one slice-sampling step of many independent variables (stepping out, shrinking)."""
    level = density(start) - random.exponential(size=len(start))
    low = start - _WIDTH * random.random(len(start))
    high = low + _WIDTH
    for edge, step in ((low, -_WIDTH), (high, _WIDTH)):
        while (outside := density(edge) > level).any():
            edge[outside] += step
    point, waiting = start.copy(), np.ones(len(start), dtype=np.bool_)
    while waiting.any():
        proposal = low + (high - low) * random.random(len(start))
        point = np.where(waiting, proposal, point)
        waiting &= density(point) <= level
        low = np.where(waiting & (point < start), point, low)
        high = np.where(waiting & (point >= start), point, high)
    return point


def draw_betas(
    expanded: Floats, stopped: Floats, mean: Floats, random: np.random.Generator
) -> Floats:
    """Draw β of every category given how often the base expanded it and stopped at it."""
    drawn = random.beta(STRENGTH * mean + expanded, STRENGTH * (1.0 - mean) + stopped)
    return np.clip(drawn, 1e-6, 1.0 - 1e-6)
