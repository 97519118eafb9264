"""`Pro`: pairwise ranking, the better of two outputs against the worse."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import Bounds, minimize

from treewright.arrays import Floats, Longs
from treewright.errors import UsageError, check_least
from treewright.learning.tuning.constraints import Constraints
from treewright.learning.tuning.lists import Lists
from treewright.learning.tuning.spaces import Scorer, Space


@dataclass(frozen=True)
class Pro:
    """Hopkins and May, "Tuning as ranking" (EMNLP 2011), over lists of the `most` best derivations.

    For each sentence, `samples` pairs are drawn; of those whose gains (`Lists.gains`) differ by at
    least `least`, the `pairs` with the largest differences train a logistic regression with a
    normal prior of the inverse variance `penalty`. Its weights make up the share `interpolation` of
    the new ones.
    """

    most: int = 100
    samples: int = 5000
    pairs: int = 50
    least: float = 0.05
    penalty: float = 1.0
    interpolation: float = 0.5

    def __post_init__(self) -> None:
        check_least(self, "most", "samples", "pairs")
        if self.least < 0 or self.penalty < 0:
            raise UsageError("least and penalty must not be negative")
        if not 0 < self.interpolation <= 1:
            raise UsageError(
                f"interpolation must be above 0, at most 1, found {self.interpolation}"
            )

    def space(self, scorer: Scorer) -> Space:
        """Return where outputs are kept."""
        return Lists(scorer, most=self.most)

    def improve(
        self, space: Space, weights: Floats, constraints: Constraints, rng: np.random.Generator
    ) -> Floats:
        """Return weights between the given ones and those that rank pairs best."""
        assert isinstance(space, Lists)
        differences = self._differences(space, weights, rng)
        if not len(differences):
            return weights
        learned = _rank(differences, weights, self.penalty, constraints)
        old, new = constraints.scale(weights), constraints.scale(learned)
        return old + self.interpolation * (new - old)

    def _differences(self, lists: Lists, weights: Floats, rng: np.random.Generator) -> Floats:
        """Return the features of the better minus those of the worse output, for each pair."""
        gains = lists.gains(weights)
        better: list[Longs] = []
        worse: list[Longs] = []
        for first, last in zip(lists.start[:-1], lists.start[1:], strict=True):
            a, b = rng.integers(first, last, size=(2, self.samples))
            difference = gains[a] - gains[b]
            far = np.flatnonzero(np.abs(difference) >= max(self.least, 1e-12))
            widest = far[np.argsort(-np.abs(difference[far]), kind="stable")[: self.pairs]]
            ahead = difference[widest] > 0
            better.append(np.where(ahead, a[widest], b[widest]))
            worse.append(np.where(ahead, b[widest], a[widest]))
        features = lists.features
        found: Floats = features[np.concatenate(better)] - features[np.concatenate(worse)]
        return found


def _rank(differences: Floats, start: Floats, penalty: float, constraints: Constraints) -> Floats:
    """Return the weights under which the differences are likeliest to be positive."""

    def objective(weights: Floats) -> tuple[float, Floats]:
        odds = differences @ weights
        value = float(np.logaddexp(0.0, -odds).sum()) + 0.5 * penalty * float(weights @ weights)
        slope = -differences.T @ np.exp(-np.logaddexp(0.0, odds)) + penalty * weights
        return value, slope

    low = np.where(constraints.signs > 0, 0.0, -np.inf)
    high = np.where(constraints.signs < 0, 0.0, np.inf)
    bounds = Bounds(
        np.where(constraints.fixed, start, low), np.where(constraints.fixed, start, high)
    )
    found = minimize(objective, start, jac=True, method="L-BFGS-B", bounds=bounds)
    return np.asarray(found.x, np.float64)
