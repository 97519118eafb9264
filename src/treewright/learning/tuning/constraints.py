"""What weights may be: their signs, which of them stay as they are, and their scale."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from treewright.arrays import Bools, Floats, Longs
from treewright.errors import UsageError

FIXED = 2


@dataclass(frozen=True, eq=False)
class Constraints:
    """One sign per feature: 1 for weights of at least 0, -1 for at most 0, 0 for any; and which
    weights are `fixed` at where they start.

    Only the direction of weights matters to a search, so they are scaled to absolute values that
    add up to 1; but if a weight is fixed at anything but 0, the others are relative to it.
    """

    signs: Longs
    fixed: Bools

    @classmethod
    def of(
        cls, start: Floats, signs: ArrayLike | None = None, fixed: ArrayLike | None = None
    ) -> Constraints:
        """Check constraints against the weights that tuning starts from."""
        size = start.shape
        kinds = np.zeros(size, np.int64) if signs is None else np.asarray(signs, np.int64)
        still = np.zeros(size, np.bool_) if fixed is None else np.asarray(fixed, np.bool_)
        if start.ndim != 1 or not start.size or not np.isfinite(start).all():
            raise UsageError(f"start weights must be finite numbers in a row, found {start!r}")
        if kinds.shape != size or still.shape != size or not np.isin(kinds, (-1, 0, 1)).all():
            raise UsageError("give one sign (-1, 0 or 1) and one fixed flag for each weight")
        if still.all():
            raise UsageError("all weights are fixed; leave at least one to tune")
        wrong = np.flatnonzero((kinds * start < 0) & ~still)
        if wrong.size:
            raise UsageError(f"start weight {wrong[0]} is {start[wrong[0]]}, against its sign")
        if not start.any():
            raise UsageError("at least one start weight must not be 0")
        return cls(kinds, still)

    @property
    def kinds(self) -> Longs:
        """The signs as kernels take them, with fixed weights marked."""
        return np.where(self.fixed, FIXED, self.signs)

    @property
    def free(self) -> Longs:
        """The features whose weights are tuned."""
        return np.flatnonzero(~self.fixed)

    def scale(self, weights: Floats) -> Floats:
        """Return the weights with absolute values that add up to 1, unless fixed ones forbid it."""
        total = np.abs(weights).sum()
        anchored = bool(weights[self.fixed].any())
        return weights.copy() if anchored or not total else weights / total

    def reach(self, weights: Floats, direction: Floats, width: float) -> tuple[float, float]:
        """Return how far weights may go along a direction: from `low` ≤ 0 to `high` ≥ 0.

        Without signs, as far as the step is `width` times as large as the weights.
        """
        far = width * float(np.abs(weights).sum() / np.abs(direction).sum())
        low, high = -far, far
        bound = (self.signs != 0) & (direction != 0) & ~self.fixed
        for weight, step, sign in zip(
            weights[bound], direction[bound], self.signs[bound], strict=True
        ):
            if step * sign > 0:
                low = max(low, -weight / step)
            else:
                high = min(high, -weight / step)
        return min(low, 0.0), max(high, 0.0)

    def draw(self, weights: Floats, rng: np.random.Generator) -> Floats:
        """Return weights around the given ones, as far away as weights are large on average.

        Signs are obeyed, and fixed weights unchanged. Weights drawn from everywhere would win on
        the outputs known so far and lose on those that decoding with them finds.
        """
        drawn = weights + np.abs(weights).mean() * rng.normal(size=weights.size)
        drawn = np.where(self.signs == 0, drawn, self.signs * np.abs(drawn))
        return np.where(self.fixed, weights, drawn)
