"""The features that a translation by rules is scored by, in the order of their columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treewright.arrays import Floats
from treewright.translation.decoding.features import CROSSING
from treewright.translation.features import FeatureNames

GLUE, COPIED, DROPPED, MISMATCHED, LM = "glue", "copied", "dropped", "mismatched", "lm"
OWN = (GLUE, COPIED, DROPPED, MISMATCHED)
"""How many nodes are translated child by child, words copied and dropped, and variables filled with
a target of another category than they want.
"""
COUNTED = ("rule", "word", "composed", "lexical", *OWN)

_START = {"rule": 0.1, "word": 0.5, "composed": 0.0, "lexical": 0.0, LM: 0.5}
_START |= {GLUE: -1.0, COPIED: -1.0, DROPPED: -1.0, MISMATCHED: -1.0}
_START_RULE = 0.1


@dataclass(frozen=True)
class SyntaxFeatures(FeatureNames):
    """The columns: those of the rules, what is done without rules, the language model.

    With a `skeleton`, there is one for rules that cross its boundary.
    """

    rules: tuple[str, ...]
    skeleton: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each column."""
        return (*self.rules, *OWN, *([CROSSING] if self.skeleton else []), LM)

    def start(self) -> Floats:
        """Return weights to begin tuning with."""
        return np.array([_START.get(name, _START_RULE) for name in self.names])

    @property
    def signs(self) -> list[int]:
        """Which weights must not be negative (1): whatever is likelier is better."""
        return [0 if name in COUNTED else 1 for name in self.names]
