"""Drawing the concentrations α and the expansion probabilities β from their posterior.

This goes beyond the paper, which holds them constant. A concentration has an exponential prior
whose mean is the constant it replaces, β a beta prior around its constant.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from treewright.learning.gibbs.arrays import Records

Floats = NDArray[np.float64]
Density = Callable[[Floats], Floats]

STRENGTH = 10.0
"""The number of decisions that the prior of β is worth."""

_WIDTH = 2.0
"""First width of a slice, in units of log α."""


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
