"""MAP expectation maximisation over the derivations of tree pairs (Bayesian paper, section 4)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright.errors import UsageError
from treewright.grammar import EPSILON, FlatUnseen, Grammar, Model
from treewright.learning.learner import IterativeLearner, TrainingSet

Floats = NDArray[np.float64]


@dataclass(kw_only=True)
class EM(IterativeLearner):
    """Weights by `θ = (n + α - 1) / (n_c + Kα - K)`, then add-(δ - 1) smoothing for prediction.

    `alpha = 1` is plain maximum likelihood. `delta` gives weight to the copy and deletion rules of
    productions never seen.
    """

    alpha: float = 1.0001
    delta: float = 1.01

    name = "em"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.alpha < 1.0:
            raise UsageError(f"alpha must be at least 1 for MAP-EM, found {self.alpha}")
        if self.delta <= 1.0:
            raise UsageError(f"delta must be greater than 1, found {self.delta}")

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
        mass = counts + (self.alpha - 1.0) + (self.delta - 1.0)
        grammar, unseen = smoothed(data.grammar, mass, self.delta - 1.0)
        grammar = grammar.with_weights(grammar.weights, counts=counts)
        return Model(grammar, unseen, self.metadata(data))


def smoothed(grammar: Grammar, mass: Floats, extra: float) -> tuple[Grammar, FlatUnseen]:
    """Normalise `mass` within root pairs, keeping `extra` in each for a rule never seen."""
    totals = grammar.root_totals(mass) + extra
    weights = np.log(mass) - np.log(totals)[grammar.root_of]
    left = {
        root: math.log(extra) - math.log(total)
        for root, total in zip(grammar.roots, totals.tolist(), strict=True)
    }
    copy = {cs: weight for (cs, ct), weight in left.items() if cs == ct}
    delete = {cs: weight for (cs, ct), weight in left.items() if ct == EPSILON}
    return grammar.with_weights(weights), FlatUnseen(copy, delete)
