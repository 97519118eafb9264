"""Where tuning looks for better outputs: what lists and graphs have in common.

Both answer one question: along a line of weights, which outputs come out best, and from where on?
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treewright.learning.tuning import _kernels
from treewright.learning.tuning.graphs import Floats, Ints, Pointers, SearchGraph

Rows = NDArray[Any]


class Scorer(Protocol):
    """A metric of outputs from statistics that add up over sentences; higher is better."""

    def statistics(self, sentences: ArrayLike, start: Pointers, words: Ints) -> Rows:
        """Return a row for each output; output `i` translates `sentences[i]` and is
        `words[start[i] : start[i + 1]]`.
        """
        ...

    def score(self, sums: ArrayLike) -> Floats:
        """Return the score of each row of summed statistics, 0 to 100 or the like."""
        ...


class Pieces(NamedTuple):
    """What comes out best along a line of weights, sentence by sentence.

    Those of sentence `s` are `start[s]:start[s + 1]`; each begins at `at` and has a row of
    statistics.
    """

    start: Pointers
    at: Floats
    rows: Rows


class Columns:
    """Features by column, as sums over few of them are fastest."""

    def __init__(self, features: Floats) -> None:
        self._columns = np.ascontiguousarray(features.T)
        self._known: tuple[bytes, Floats] = (b"", np.empty(0))

    def along(self, direction: Floats) -> Floats:
        """Return the features times a direction."""
        found: Floats = _kernels.combine(self._columns, np.ascontiguousarray(direction))
        return found

    def at(self, weights: Floats) -> Floats:
        """Return the features times weights, from which many directions are tried in turn."""
        key = weights.tobytes()
        if key != self._known[0]:
            self._known = key, self.along(weights)
        return self._known[1]


class Space(ABC):
    """The outputs found so far for each sentence."""

    @abstractmethod
    def add(self, sentence: int, graph: SearchGraph, weights: Floats) -> None:
        """Take from a graph, which a decoder made with these weights, what is worth keeping."""

    @abstractmethod
    def settle(self) -> bool:
        """Take in what was added since the last time; return whether anything was new."""

    @abstractmethod
    def line(self, weights: Floats, direction: Floats, low: float, high: float) -> Pieces:
        """Return what comes out best with `weights + t * direction`, t from `low` to `high`."""

    def best(self, weights: Floats) -> Rows:
        """Return the statistics of the best output of each sentence."""
        pieces = self.line(weights, np.zeros_like(weights), 0.0, 0.0)
        return pieces.rows[pieces.start[:-1]]
