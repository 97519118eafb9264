"""Made-up search graphs, a metric that is easy to follow, and brute force over derivations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from treewright.forest import Derivation, Forest, ForestBuilder
from treewright.learning.tuning import SearchGraph

from ...forest.naive import enumerate_derivations

Words = tuple[int, ...]


def graph_of(forest: Forest, features: ArrayLike, words: Sequence[Sequence[int]]) -> SearchGraph:
    start = np.cumsum([0, *map(len, words)])
    flat = np.array([word for row in words for word in row], np.int32)
    return SearchGraph(forest, np.asarray(features, float).reshape(len(words), -1), start, flat)


def flat_graph(features: ArrayLike, words: Sequence[Sequence[int]]) -> SearchGraph:
    """One edge for each output."""
    builder = ForestBuilder()
    root = builder.add_node()
    for _ in words:
        builder.add_edge(root, (), 0)
    return graph_of(builder.build(), features, words)


def sausage(features: np.ndarray) -> SearchGraph:
    """Word after word, each one of several: `features` of shape (length, choices, F).

    The word of choice `c` is `c`.
    """
    length, choices, _ = features.shape
    builder = ForestBuilder()
    below = builder.add_node()
    builder.add_edge(below, (), 0)
    for _ in range(length):
        node = builder.add_node()
        for _ in range(choices):
            builder.add_edge(node, (below,), 0)
        below = node
    rows = np.concatenate([np.zeros((1, features.shape[2])), *features])
    return graph_of(builder.build(), rows, [(), *[(c,) for c in range(choices)] * length])


def outputs(graph: SearchGraph) -> list[tuple[np.ndarray, Words]]:
    """The features and words of every derivation."""

    def words(edge: int, below: Sequence[Words]) -> Words:
        own = graph.words[graph.word_start[edge] : graph.word_start[edge + 1]].tolist()
        return tuple(word for part in [*below, own] for word in part)

    def features(derivation: Derivation) -> np.ndarray:
        return graph.features[list(derivation.edges())].sum(axis=0)

    return [(features(d), d.fold(words)) for d in enumerate_derivations(graph.forest)]


class Rights:
    """How many words in a hundred are the right ones, which are 0."""

    def statistics(self, sentences: ArrayLike, start: np.ndarray, words: np.ndarray) -> np.ndarray:
        rows = [words[a:b] for a, b in pairwise(start)]
        return np.array([[(row == 0).sum(), row.size] for row in rows], np.int64).reshape(-1, 2)

    def score(self, sums: ArrayLike) -> np.ndarray:
        rights, words = np.moveaxis(np.asarray(sums, float), -1, 0)
        return 100.0 * rights / np.maximum(words, 1)


class Spelled:
    """Gives every output a number of its own: what a space returns can be read back."""

    def __init__(self) -> None:
        self.known: dict[Words, int] = {}

    def statistics(self, sentences: ArrayLike, start: np.ndarray, words: np.ndarray) -> np.ndarray:
        rows = [words[a:b] for a, b in pairwise(start)]
        numbers = [self.known.setdefault(tuple(row.tolist()), len(self.known)) for row in rows]
        return np.array(numbers, np.int64).reshape(-1, 1)

    def score(self, sums: ArrayLike) -> np.ndarray:
        return np.asarray(sums, float)[..., 0]

    def words(self, rows: Iterable[Any]) -> list[Words]:
        spelled = list(self.known)
        return [spelled[int(row[0])] for row in rows]
