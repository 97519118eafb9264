"""`Mira`: batch MIRA, large steps between good and bad outputs that are both likely."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treewright.arrays import Floats
from treewright.errors import UsageError, check_least
from treewright.learning.tuning import _kernels
from treewright.learning.tuning.constraints import Constraints
from treewright.learning.tuning.lists import Lists
from treewright.learning.tuning.spaces import Scorer, Space


@dataclass(frozen=True)
class Mira:
    """Cherry and Foster, "Batch tuning strategies for SMT" (NAACL 2012), over lists of the `most`
    best derivations.

    `c` limits a single step. Gains are those of the corpus (`Lists.gains`), found again after every
    `refresh` epochs; a perfect score more is to be worth `margin` in the scores of derivations. Of
    the averages after each epoch, the one with the best score is taken.
    """

    most: int = 100
    c: float = 0.01
    margin: float = 10.0
    epochs: int = 20
    refresh: int = 5

    def __post_init__(self) -> None:
        check_least(self, "most", "epochs", "refresh")
        if not (self.c > 0 and self.margin > 0):
            raise UsageError(f"c and margin must be positive, found {self.c} and {self.margin}")

    def space(self, scorer: Scorer) -> Space:
        """Return where outputs are kept."""
        return Lists(scorer, most=self.most)

    def improve(
        self, space: Space, weights: Floats, constraints: Constraints, rng: np.random.Generator
    ) -> Floats:
        """Return the best average of the weights after some epochs."""
        assert isinstance(space, Lists)
        current, total = weights.copy(), np.zeros_like(weights)
        gains = self.margin * space.gains(weights)
        best, best_score = weights, -np.inf
        sentences = space.start.size - 1
        for epoch in range(self.epochs):
            if epoch and epoch % self.refresh == 0:
                gains = self.margin * space.gains(total)
            _kernels.mira_epoch(
                space.start,
                space.features,
                gains,
                rng.permutation(sentences),
                self.c,
                constraints.kinds,
                current,
                total,
            )
            score = space.score(total)
            if score > best_score:
                best, best_score = total / (sentences * (epoch + 1)), score
        return np.where(constraints.fixed, weights, best)
