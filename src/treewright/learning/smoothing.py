"""From counts to the weights of prediction: room for what training never saw.

There are three ways. *Flat* is the Bayesian paper's: every rule, seen or not, gets δ - 1 extra
counts. *Predictive* is the posterior mean under a Dirichlet prior, `(n + α P0) / (n_c + α)`, with
any base distribution: the paper's P0, or `PlainBase`, which spreads κ counts of each root pair over
its copy or deletion rules in proportion to the source PCFG's probabilities of their productions.
*Discounted* is the same after part of every count went to the base.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from treewright.arrays import Floats
from treewright.grammar import EPSILON, Base, BaseUnseen, FlatUnseen, Grammar, Root


def flat(grammar: Grammar, counts: Floats, extra: float) -> tuple[Grammar, FlatUnseen]:
    """Add `extra` to every count, and keep as much in each root pair for an unseen rule."""
    mass = counts + extra
    totals = grammar.root_totals(mass) + extra
    weights = np.log(mass) - np.log(totals)[grammar.root_of]
    left = {
        root: math.log(extra) - math.log(total)
        for root, total in zip(grammar.roots, totals.tolist(), strict=True)
    }
    copy = {cs: weight for (cs, ct), weight in left.items() if cs == ct}
    delete = {cs: weight for (cs, ct), weight in left.items() if ct == EPSILON}
    return grammar.with_weights(weights, counts=counts), FlatUnseen(copy, delete)


def predictive(
    grammar: Grammar,
    counts: Floats,
    base: Base,
    alpha: float,
    alphas: Mapping[Root, float] | None = None,
) -> tuple[Grammar, BaseUnseen]:
    """Weight rules by the posterior mean under a prior of `alpha` counts spread by `base`.

    `alphas` gives single root pairs their own prior.
    """
    alphas = alphas or {}
    alpha_of = np.array([alphas.get(root, alpha) for root in grammar.roots])
    prior = prior_counts(grammar, base, 1.0) * alpha_of[grammar.root_of]
    totals = grammar.root_totals(counts)
    with np.errstate(divide="ignore"):
        weights = np.log(counts + prior) - np.log(totals + alpha_of)[grammar.root_of]
    roots = dict(zip(grammar.roots, totals.tolist(), strict=True))
    return grammar.with_weights(weights, counts=counts), BaseUnseen(base, alpha, roots, alphas)


def discounted(
    grammar: Grammar, samples: Floats, base: Base, alpha: float, discount: float
) -> tuple[Grammar, BaseUnseen]:
    """Take `discount` off every count and give it to the base, as a Pitman-Yor process does.

    `samples` has the counts of the rules in each of several states, one per row; what is left of
    them is averaged.
    """
    counts, taken = samples.mean(axis=0), np.minimum(samples, discount).mean(axis=0)
    given = grammar.root_totals(taken)
    alphas = {root: alpha + d for root, d in zip(grammar.roots, given.tolist(), strict=True)}
    weighted, unseen = predictive(grammar, counts - taken, base, alpha, alphas)
    return weighted.with_weights(weighted.weights, counts=counts), unseen


def prior_counts(grammar: Grammar, base: Base, alpha: float) -> Floats:
    """Return `α P0(rule | root)` for every rule."""
    logs = np.array([base.log_probability(rule) for rule in grammar.rules])
    counts: Floats = alpha * np.exp(logs)
    return counts
