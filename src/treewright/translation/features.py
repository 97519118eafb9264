"""Named features: weights by name, in the order of the columns."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

import numpy as np

from treewright.arrays import Floats
from treewright.errors import UsageError


class FeatureNames(ABC):
    """The features that a decoder scores translations by."""

    @property
    @abstractmethod
    def names(self) -> tuple[str, ...]:
        """The name of each column."""

    @abstractmethod
    def start(self) -> Floats:
        """Return weights to begin tuning with."""

    @property
    @abstractmethod
    def signs(self) -> list[int]:
        """Which weights must not be negative (1), and which may be (0)."""

    def weights(self, named: Mapping[str, float]) -> Floats:
        """Return weights in the order of the columns; every feature must have one."""
        unknown = sorted(set(named) - set(self.names))
        missing = [name for name in self.names if name not in named]
        if unknown or missing:
            found = f"unknown: {', '.join(unknown)}" if unknown else f"missing: {missing[0]}"
            raise UsageError(f"weights: {found}; the features are {', '.join(self.names)}")
        weights = np.array([float(named[name]) for name in self.names])
        if not np.isfinite(weights).all():
            raise UsageError("weights: every weight must be a finite number")
        return weights

    def named(self, weights: Sequence[float] | Floats) -> dict[str, float]:
        """Return weights by name."""
        return dict(zip(self.names, map(float, weights), strict=True))
