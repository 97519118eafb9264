"""Variational Bayes with the DP prior truncated to the rule set (Bayesian paper, section 4.3)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import digamma, gammaln

from treewright.arrays import Floats
from treewright.errors import choose
from treewright.grammar import PCFG, BaseDistribution, PlainBase
from treewright.learning.checks import check_number
from treewright.learning.learner import IterativeLearner, TrainingSet
from treewright.learning.smoothing import predictive, prior_counts
from treewright.pruning import Model

_LEAST = 1e-280
"""Pseudo-counts below this would make the digamma function overflow."""


@dataclass(kw_only=True)
class VB(IterativeLearner):
    """Sub-probabilities `exp(Ψ(n + α P0) - Ψ(n_c + α))`; the objective is the free energy.

    For prediction the counts are turned into posterior means: with `smoothing = "p0"` under the
    prior they were learned with, with `"plain"` under κ counts spread by the source PCFG as for EM.
    P0 generates source and target words independently, so under `"p0"` an unseen word costs much
    less to delete than to copy.
    """

    alpha: float = 100_000.0
    beta: float = 0.1
    smoothing: str = "plain"
    kappa: float = 300.0
    beta_at_root: bool = False
    insertions: bool = True

    name = "vb"

    def __post_init__(self) -> None:
        super().__post_init__()
        choose(self.smoothing, ("p0", "plain"), "smoothing")
        check_number("alpha", self.alpha, above=0.0)
        check_number("beta", self.beta, above=0.0, below=1.0)
        check_number("kappa", self.kappa, above=0.0)

    def start(self, data: TrainingSet) -> Floats:
        """Start from uniform weights, as EM does, so the two differ only by the prior."""
        self._base = BaseDistribution(
            PCFG.read_off(pair.source for pair in data.pairs),
            PCFG.read_off(pair.target_tree for pair in data.pairs),
            self.beta,
            self.beta_at_root,
            self.insertions,
        )
        self._prior = np.maximum(prior_counts(data.grammar, self._base, self.alpha), _LEAST)
        return data.grammar.normalised(np.ones(len(data.grammar))).weights

    def update(self, data: TrainingSet, counts: Floats) -> Floats:
        """Return the expected log-weights under the Dirichlet posterior."""
        totals = data.grammar.root_totals(counts) + self.alpha
        return np.asarray(digamma(counts + self._prior) - digamma(totals)[data.grammar.root_of])

    def penalty(self, data: TrainingSet, weights: Floats, counts: Floats | None) -> float:
        """Return minus the Kullback–Leibler divergence of the posterior from the prior.

        The uniform start is not a posterior and bounds nothing: its objective is `-inf`.
        """
        if counts is None:
            return -math.inf
        totals = data.grammar.root_totals(counts)
        divergence = (
            float(np.sum(gammaln(totals + self.alpha) - gammaln(self.alpha)))
            - float(np.sum(gammaln(counts + self._prior) - gammaln(self._prior)))
            + float(np.sum(counts * weights))
        )
        return -divergence

    def finish(self, data: TrainingSet, counts: Floats) -> Model:
        """Turn the last counts into posterior means."""
        if self.smoothing == "p0":
            model = predictive(data.grammar, counts, self._base, self.alpha)
        else:
            model = predictive(data.grammar, counts, PlainBase(self._base.source), self.kappa)
        return Model(*model, self.metadata(data))
