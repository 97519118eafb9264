"""Seams: places where two kept tokens become neighbours, as an algebra of both ends of a node."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.forest import Algebra
from treewright.pruning.acceptance import _kernels
from treewright.pruning.acceptance.neighbours import Ints, Neighbours, Table
from treewright.pruning.forests import CompressionForest

Floats = NDArray[np.float64]

SEAM_FEATURES = (
    "joined",
    "joined after",
    "joined - was",
    "joined after - was",
    "strain",
    "strain after",
    "joined - expected",
)
"""How likely the right side is after the left one, and the next token after it: in itself, against
what it stood behind in the source (doubled beyond some slack), and against what was to come."""


class Ends(NamedTuple):
    """What the algebra of seams knows about a forest; `known` and `features` are its own."""

    token: Ints
    is_root: NDArray[np.bool_]
    base: int
    trust: float
    weights: Floats
    bias: Floats
    tags: Ints
    classes: Ints
    table: Table
    known: Floats
    features: Floats


def seams_of(kept: Sequence[int], size: int) -> list[tuple[int, int]]:
    """Return the tokens on both sides of every seam; -1 and `size` are the ends of the sentence."""
    return [(left, right) for left, right in pairwise([-1, *kept, size]) if right != left + 1]


def seam_features(
    neighbours: Neighbours, classes: Ints, seams: Sequence[tuple[int, int]]
) -> Floats:
    """Return the features of every seam, a row each."""
    pairs = np.array(seams, dtype=np.int64).reshape(-1, 2)
    features: Floats = _kernels.describe_seams(neighbours.table, classes, pairs)
    return features


class SeamWeights(NamedTuple):
    """The weights of `SEAM_FEATURES` and a constant, and those of parts of speech side by side.

    `bias[a, b]` is for tags `a` and `b`, numbered as in `tags` from 1; 0 is beyond either end, and
    any other tag.
    """

    features: Floats
    tags: tuple[str, ...]
    bias: Floats
    pairs: Mapping[tuple[str, str], float]

    @classmethod
    def of(cls, features: Floats, pairs: Mapping[tuple[str, str], float]) -> SeamWeights:
        """Lay out the weights of pairs of tags; an empty one is beyond an end."""
        tags = tuple(sorted({tag for pair in pairs for tag in pair if tag}))
        number = {tag: at for at, tag in enumerate(tags, start=1)}
        bias = np.zeros((len(tags) + 1, len(tags) + 1))
        for (left, right), weight in pairs.items():
            bias[number.get(left, 0), number.get(right, 0)] = weight
        return cls(features, tags, bias, pairs)

    def number(self, tags: Sequence[str]) -> Ints:
        """Return the numbers of a sentence's tags, with its ends."""
        known = {tag: at for at, tag in enumerate(self.tags, start=1)}
        return np.array([0, *[known.get(tag, 0) for tag in tags], 0], dtype=np.int32)

    def odds(self, features: Floats, tags: Ints, seams: Sequence[tuple[int, int]]) -> Floats:
        """Return the log-odds that each seam is acceptable, from its features and tags."""
        places = np.array(seams, dtype=np.int64).reshape(-1, 2) + 1
        bias = self.bias[tags[places[:, 0]], tags[places[:, 1]]]
        odds: Floats = features @ self.features[:-1] + self.features[-1] + bias
        return odds


def seam_algebra(
    forest: CompressionForest,
    table: Table,
    classes: Ints,
    tags: Ints,
    weights: SeamWeights,
    trust: float,
) -> Algebra:
    """Return the algebra that splits a forest by the first and last token that each node keeps.

    A seam weighs `trust` times the log of the probability that it is acceptable. For forests
    without rules: an edge keeps one token at most.
    """
    edges, places = forest.word_edges
    token = np.full(forest.forest.num_edges, -1, dtype=np.int32)
    token[edges] = places
    size = len(forest.is_word)
    data = Ends(
        token,
        forest.forest.head == forest.forest.num_nodes - 1,
        size + 2,
        trust,
        weights.features,
        weights.bias,
        tags,
        classes,
        table,
        np.ones((size + 2, size + 2)),
        np.zeros(len(SEAM_FEATURES)),
    )
    return Algebra(
        data,
        start=_kernels.start_with_word,
        step=_kernels.join_ends,
        finish=_kernels.close_ends,
        weighted=True,
        num_edges=forest.forest.num_edges,
    )
