"""Where tuning looks for better outputs: what lists and graphs have in common.

Both answer one question: along a line of weights, which outputs come out best, and from where on?
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treewright.arrays import Floats, Ints, Longs, starts
from treewright.forest import Forest
from treewright.learning.tuning import _kernels

Rows = NDArray[Any]


@dataclass(frozen=True, eq=False)
class SearchGraph:
    """A forest of outputs: each edge has features and adds words after those of its tails.

    `features` is float64 of shape (E, F); the words of edge `e` are
    `words[word_start[e]:word_start[e + 1]]`. The features of a derivation are the sum over its
    edges, its words those of its edges in postorder, tails from left to right. Arrays are kept as
    they are if they have the right type and layout, and copied otherwise.
    """

    forest: Forest
    features: Floats
    word_start: Longs
    words: Ints

    def __post_init__(self) -> None:
        for name, kind in (("features", "f8"), ("word_start", "i8"), ("words", "i4")):
            array = np.require(getattr(self, name), kind, ["C", "A"])
            object.__setattr__(self, name, array)
        edges = self.forest.num_edges
        if self.features.ndim != 2 or len(self.features) != edges:
            raise ValueError(f"features have shape {self.features.shape}; ({edges}, F) expected")
        if not np.isfinite(self.features).all():
            raise ValueError("features must be finite; leave out edges that are impossible")
        start = self.word_start
        if start.shape != (edges + 1,):
            raise ValueError(f"word_start has shape {start.shape}; ({edges + 1},) expected")
        if start[0] != 0 or start[-1] != self.words.size or (np.diff(start) < 0).any():
            raise ValueError(f"word_start must rise from 0 to {self.words.size}, all words")

    @property
    def num_features(self) -> int:
        """The number of features of each edge."""
        return int(self.features.shape[1])

    def scores(self, weights: ArrayLike) -> Floats:
        """Return the score of each edge, its features times the weights."""
        scores: Floats = self.features @ np.asarray(weights, np.float64)
        return scores


def words_of(graph: SearchGraph, start: Longs, edges: NDArray[np.integer]) -> tuple[Longs, Ints]:
    """Return the words of rows of edges side by side, and where each row begins.

    Row `i` consists of `edges[start[i] : start[i + 1]]`; in postorder, these are a derivation.
    """
    first = graph.word_start[edges]
    count = graph.word_start[edges + 1] - first
    ends = starts(count)
    places = np.arange(ends[-1]) + np.repeat(first - ends[:-1], count)
    return ends[start], graph.words[places]


class Scorer(Protocol):
    """A metric of outputs from statistics that add up over sentences; higher is better."""

    def statistics(self, sentences: ArrayLike, start: Longs, words: Ints) -> Rows:
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

    start: Longs
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

    scorer: Scorer

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

    def score(self, weights: Floats) -> float:
        """Return the score of the best outputs of all sentences."""
        return float(self.scorer.score(self.best(weights).sum(axis=0)))
