"""Variational Bayes with the DP prior truncated to the rule set (Bayesian paper, section 4.3)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import digamma, gammaln

from treewright.errors import UsageError
from treewright.grammar import PCFG, BaseDistribution, BaseUnseen, Model
from treewright.learning.learner import IterativeLearner, TrainingSet

Floats = NDArray[np.float64]
_LEAST = 1e-280


@dataclass(kw_only=True)
class VB(IterativeLearner):
    """Sub-probabilities `exp(Ψ(n + α P0) - Ψ(n_c + α))`; the objective is the free energy.

    For prediction the weights are posterior means `(n + α P0) / (n_c + α)`, and a rule never seen
    has `α P0 / (n_c + α)`.
    """

    alpha: float = 100.0
    beta: float = 0.1
    beta_at_root: bool = False
    insertions: bool = True

    name = "vb"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.alpha <= 0.0:
            raise UsageError(f"alpha must be positive, found {self.alpha}")
        if not 0.0 < self.beta < 1.0:
            raise UsageError(f"beta must lie between 0 and 1, found {self.beta}")

    def base(self, data: TrainingSet) -> BaseDistribution:
        """Return P0 with PCFGs read off both sides of the training pairs."""
        return BaseDistribution(
            PCFG.read_off(pair.source for pair in data.pairs),
            PCFG.read_off(pair.target for pair in data.pairs),
            self.beta,
            self.beta_at_root,
            self.insertions,
        )

    def start(self, data: TrainingSet) -> Floats:
        """Start from uniform weights, as EM does, so that the two differ by the prior alone."""
        base = self.base(data)
        log_prior = np.array([base.log_probability(rule) for rule in data.grammar.rules])
        self._base = base
        self._prior = np.maximum(self.alpha * np.exp(log_prior), _LEAST)
        return data.grammar.normalised(np.ones(len(data.grammar))).weights

    def update(self, data: TrainingSet, counts: Floats) -> Floats:
        """Return the expected log-weights under the Dirichlet posterior."""
        totals = data.grammar.root_totals(counts) + self.alpha
        return np.asarray(digamma(counts + self._prior) - digamma(totals)[data.grammar.root_of])

    def penalty(self, data: TrainingSet, weights: Floats, counts: Floats | None) -> float:
        """Return minus the Kullback–Leibler divergence of the posterior from the prior.

        The first weights are no posterior's, so the first objective is the likelihood less nothing
        and no bound; `-inf` marks that.
        """
        if counts is None:
            return -np.inf
        totals = data.grammar.root_totals(counts)
        divergence = (
            float(np.sum(gammaln(totals + self.alpha) - gammaln(self.alpha)))
            - float(np.sum(gammaln(counts + self._prior) - gammaln(self._prior)))
            + float(np.sum(counts * weights))
        )
        return -divergence

    def finish(self, data: TrainingSet, counts: Floats) -> Model:
        """Return posterior means and the process's own back-off."""
        totals = data.grammar.root_totals(counts)
        by_rule = totals[data.grammar.root_of] + self.alpha
        weights = np.log(counts + self._prior) - np.log(by_rule)
        roots = dict(zip(data.grammar.roots, totals.tolist(), strict=True))
        return Model(
            data.grammar.with_weights(weights, counts=counts),
            BaseUnseen(self._base, self.alpha, roots),
            self.metadata(data),
        )
