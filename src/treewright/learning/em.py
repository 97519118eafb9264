"""MAP expectation maximisation over the derivations of tree pairs (Bayesian paper, section 4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treewright.arrays import Floats
from treewright.errors import choose
from treewright.grammar import PCFG, PlainBase
from treewright.learning.checks import check_number
from treewright.learning.learner import IterativeLearner, TrainingSet
from treewright.learning.smoothing import flat, predictive
from treewright.pruning import Model


@dataclass(kw_only=True)
class EM(IterativeLearner):
    """Weights by `θ = (n + α - 1) / (n_c + Kα - K)`; `alpha = 1` is plain maximum likelihood.

    `smoothing` says how prediction treats what training never saw: `"flat"` adds δ - 1 to every
    count (the paper's), `"plain"` spreads κ counts over copy and deletion rules in proportion to
    the source PCFG's probabilities of their productions.
    """

    alpha: float = 1.0001
    smoothing: str = "plain"
    delta: float = 1.1
    kappa: float = 300.0

    name = "em"

    def __post_init__(self) -> None:
        super().__post_init__()
        choose(self.smoothing, ("flat", "plain"), "smoothing")
        check_number("alpha", self.alpha, least=1.0)
        check_number("delta", self.delta, above=1.0)
        check_number("kappa", self.kappa, above=0.0)

    def start(self, data: TrainingSet) -> Floats:
        """Start from uniform weights within each root pair."""
        return data.grammar.normalised(np.ones(len(data.grammar))).weights

    def update(self, data: TrainingSet, counts: Floats) -> Floats:
        """Return the maximum of likelihood times Dirichlet(α) prior."""
        return data.grammar.normalised(counts + (self.alpha - 1.0)).weights

    def penalty(self, data: TrainingSet, weights: Floats, counts: Floats | None) -> float:
        """Return the log prior up to a constant, `(α - 1) Σ log θ`."""
        if self.alpha == 1.0:
            return 0.0
        return (self.alpha - 1.0) * float(weights.sum())

    def finish(self, data: TrainingSet, counts: Floats) -> Model:
        """Smooth the last counts."""
        mass = counts + (self.alpha - 1.0)
        if self.smoothing == "flat":
            return Model(*flat(data.grammar, mass, self.delta - 1.0), self.metadata(data))
        base = PlainBase(PCFG.read_off(pair.source for pair in data.pairs))
        return Model(*predictive(data.grammar, mass, base, self.kappa), self.metadata(data))
