"""The features that a translation is scored by, in the order of their columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright.translation.features import FeatureNames

COUNTED = ("phrases", "words")
"""How many phrases and target words there are."""
DISTANCE = "distance"
"""Minus the number of source words that are jumped over."""
REORDERING = tuple(
    f"{side} {way}" for side in ("previous", "following") for way in ("monotone", "swap", "apart")
)
"""Log-probabilities of how a phrase stands to the one translated before it, and after it."""

_START = {"phrases": 0.2, "words": 1.0, DISTANCE: 0.3, "lm": 0.5}
_START_TABLE, _START_REORDERING = 0.2, 0.3


@dataclass(frozen=True)
class Features(FeatureNames):
    """The columns: those of the phrase table, counts, distance, reordering, language models."""

    table: tuple[str, ...]
    models: int

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each column; the second language model is `lm2`."""
        models = tuple(
            f"lm{number}" if number > 1 else "lm" for number in range(1, self.models + 1)
        )
        return (*self.table, *COUNTED, DISTANCE, *REORDERING, *models)

    @property
    def local(self) -> int:
        """How many columns depend on an option alone: those of the table, and counts."""
        return len(self.table) + len(COUNTED)

    def start(self) -> NDArray[np.float64]:
        """Return weights to begin tuning with."""
        return np.array([self._start(name) for name in self.names])

    def _start(self, name: str) -> float:
        if name in REORDERING:
            return _START_REORDERING
        if name.startswith("lm") and name not in self.table:
            return _START["lm"] / self.models
        return _START.get(name, _START_TABLE)

    @property
    def signs(self) -> list[int]:
        """Which weights must not be negative (1): whatever is likelier is better, only lengths may
        be wanted either way.
        """
        return [0 if name in COUNTED else 1 for name in self.names]
