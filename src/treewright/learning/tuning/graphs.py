"""`SearchGraph`: what a decoder found for one sentence, as a forest with features and words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treewright.forest import Forest

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
Pointers = NDArray[np.int64]


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
    word_start: Pointers
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


def words_of(
    graph: SearchGraph, start: Pointers, edges: NDArray[np.integer]
) -> tuple[Pointers, Ints]:
    """Return the words of rows of edges side by side, and where each row begins.

    Row `i` consists of `edges[start[i] : start[i + 1]]`; in postorder, these are a derivation.
    """
    first = graph.word_start[edges]
    count = graph.word_start[edges + 1] - first
    ends = np.concatenate([[0], np.cumsum(count)])
    places = np.arange(ends[-1]) + np.repeat(first - ends[:-1], count)
    return ends[start], graph.words[places]
