"""The features that a translation is scored by, in the order of their columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from treewright.arrays import Bools, Floats
from treewright.translation.features import FeatureNames

if TYPE_CHECKING:
    from treewright.translation.decoding.skeleton import SkeletonUse

COUNTED = ("phrases", "words")
"""How many phrases and target words there are."""
DISTANCE = "distance"
"""Minus the number of source words that are jumped over."""
REORDERING = tuple(
    f"{side} {way}" for side in ("previous", "following") for way in ("monotone", "swap", "apart")
)
"""Log-probabilities of how a phrase stands to the one translated before it, and after it."""
SKELETON = "skeleton "
"""Begins the name of a feature that counts on the skeleton alone."""
CROSSING, CONSISTENT = "crossing", "consistent"
"""Minus the number of phrases or rules that cross the skeleton's boundary; minus one if there are
any.
"""


def is_skeletal(name: str) -> bool:
    """Tell whether a feature belongs to the derivation of the skeleton."""
    return name.startswith(SKELETON) or name in (CROSSING, CONSISTENT)


_START = {"phrases": 0.2, "words": 1.0, DISTANCE: 0.3, "lm": 0.5}
_START_TABLE, _START_REORDERING = 0.2, 0.3
_START_SKELETON, _START_CROSSING = 0.2, 0.2
"""A share of what the feature starts with for the whole sentence; a price."""


class SkeletonColumns(NamedTuple):
    """Where the features of a skeleton's derivation stand among all that it can have."""

    local: int
    """How many come first that depend on an option alone."""
    distance: int
    moves: slice
    lm: int
    crossing: int
    consistent: int
    size: int

    @classmethod
    def after(cls, n: int) -> SkeletonColumns:
        """Place them after the `n` local ones."""
        return cls(n, n, slice(n + 1, n + 7), n + 7, n + 8, n + 9, n + 10)


@dataclass(frozen=True)
class Features(FeatureNames):
    """The columns: those of the phrase table, counts, distance, reordering, language models.

    With a skeleton, those of its own derivation follow.
    """

    table: tuple[str, ...]
    models: int
    skeleton: SkeletonUse | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each column; the second language model is `lm2`."""
        models = tuple(
            f"lm{number}" if number > 1 else "lm" for number in range(1, self.models + 1)
        )
        full = (*self.table, *COUNTED, DISTANCE, *REORDERING, *models)
        if self.skeleton is None:
            return full
        names = self._skeleton_names
        return (*full, *(names[place] for place in np.flatnonzero(self.in_use)))

    @property
    def local(self) -> int:
        """How many columns depend on an option alone: those of the table, and counts."""
        return len(self.table) + len(COUNTED)

    @property
    def moves(self) -> slice:
        """The columns of reordering."""
        return slice(self.local + 1, self.local + 7)

    @property
    def lm(self) -> slice:
        """The columns of language models of whole sentences."""
        return slice(self.local + 7, self.local + 7 + self.models)

    @property
    def columns(self) -> SkeletonColumns:
        """The columns of all features that a skeleton can have."""
        return SkeletonColumns.after(self.local)

    @property
    def _skeleton_names(self) -> tuple[str, ...]:
        own = (*self.table, *COUNTED, DISTANCE, *REORDERING, "lm")
        return (*(f"{SKELETON}{name}" for name in own), CROSSING, CONSISTENT)

    @property
    def in_use(self) -> Bools:
        """Which of `columns` are features here."""
        columns = self.columns
        used = np.zeros(columns.size, np.bool_)
        if self.skeleton is not None:
            used[: columns.lm] = self.skeleton.phrases
            used[columns.lm] = self.skeleton.lm
            used[columns.crossing] = self.skeleton.crossing == "priced"
            used[columns.consistent] = self.skeleton.crossing == "marked"
        return used

    def skeleton_weights(self, weights: Floats) -> Floats:
        """Return the weights of `columns`, zero for those not in use."""
        full = np.zeros(self.columns.size)
        full[self.in_use] = weights[self.lm.stop :]
        return full

    def scores(self, features: Floats, weights: Floats) -> Floats:
        """Return the scores of rows of features.

        Skeletons are added afterwards, so that weights of zero leave every bit as it is.
        """
        end = self.lm.stop
        total: Floats = np.ascontiguousarray(features[:, :end]) @ weights[:end]
        if weights[end:].any():
            total = total + features[:, end:] @ weights[end:]
        return total

    def start(self) -> Floats:
        """Return weights to begin tuning with."""
        return np.array([self._start(name) for name in self.names])

    def _start(self, name: str) -> float:
        if name.startswith(SKELETON):
            # Lengths are wanted of whole sentences.
            part = name.removeprefix(SKELETON)
            return 0.0 if part in COUNTED else _START_SKELETON * self._start(part)
        if name in (CROSSING, CONSISTENT):
            return _START_CROSSING
        if name in REORDERING:
            return _START_REORDERING
        if name.startswith("lm") and name not in self.table:
            return _START["lm"] / max(1, self.models)
        return _START.get(name, _START_TABLE)

    @property
    def signs(self) -> list[int]:
        """Which weights must not be negative (1): whatever is likelier is better, only lengths may
        be wanted either way.
        """
        return [0 if name.removeprefix(SKELETON) in COUNTED else 1 for name in self.names]
