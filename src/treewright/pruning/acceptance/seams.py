"""Seams: places where two kept tokens become neighbours, as an algebra of both ends of a node."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.forest import Algebra, Forest, Refinement, refine
from treewright.pruning.acceptance import _kernels
from treewright.pruning.acceptance.neighbours import Ints, Neighbours, Table
from treewright.pruning.forests import CompressionForest

Floats = NDArray[np.float64]

BEAM = 24
"""States of a node that the search keeps in a large forest; a state is the first and last token
that stay.
"""
SMALL = 250
"""Edges up to which the search is exact, which is quicker there."""
SURPRISE, CHANCE, CLASH = "surprise", "chance", "clash"
SEAM_FEATURES = (
    "joined",
    "joined after",
    "joined - was",
    "joined after - was",
    "strain",
    "strain after",
    "joined - expected",
    SURPRISE,
    CHANCE,
    CLASH,
)
"""How likely the right side is after the left one, and the next token after it: in itself, against
what it stood behind in the source (doubled beyond some slack), and against what was to come; how
much less expected it is there, as the model learned from a language model; how probable the model
finds it that the two become neighbours; and the log-odds that readers mind, as it learned from
them."""
_LEAST = 1e-5
"""A chance below this is as good as none."""
_UNKNOWN: Floats = np.zeros((0, 0))


class Told(NamedTuple):
    """What a model says of every two tokens of a sentence, and its ends, as neighbours."""

    surprises: Floats = _UNKNOWN
    chances: Floats = _UNKNOWN
    clashes: Floats = _UNKNOWN

    @classmethod
    def of(cls, forest: CompressionForest) -> Told:
        """Return what the forest of a sentence tells, as far as its model knows it."""
        chances = _UNKNOWN
        if forest.joint is not None:
            chances = np.log(forest.joint.sum.chances + _LEAST)
        surprises, clashes = (
            _UNKNOWN if known is None else known for known in (forest.surprises, forest.clashes)
        )
        return cls(surprises, chances, clashes)


NOTHING_TOLD = Told()


class Ends(NamedTuple):
    """What the algebra of seams knows about a forest; `known` and `features` are its own."""

    token: Ints
    is_root: NDArray[np.bool_]
    base: int
    care: float
    weights: Floats
    bias: Floats
    tags: Ints
    classes: Ints
    table: Table
    told: Told
    added: Floats
    known: Floats
    features: Floats


def seams_of(kept: Sequence[int], size: int) -> list[tuple[int, int]]:
    """Return the tokens on both sides of every seam; -1 and `size` are the ends of the sentence."""
    return [(left, right) for left, right in pairwise([-1, *kept, size]) if right != left + 1]


def seam_features(
    neighbours: Neighbours,
    classes: Ints,
    seams: Sequence[tuple[int, int]],
    told: Told = NOTHING_TOLD,
) -> Floats:
    """Return the features of every seam, a row each."""
    pairs = np.array(seams, dtype=np.int64).reshape(-1, 2)
    features: Floats = _kernels.describe_seams(neighbours.table, classes, told, pairs)
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
    numbers: Mapping[str, int]

    @classmethod
    def of(cls, features: Floats, pairs: Mapping[tuple[str, str], float]) -> SeamWeights:
        """Lay out the weights of pairs of tags; an empty one is beyond an end."""
        tags = tuple(sorted({tag for pair in pairs for tag in pair if tag}))
        number = {tag: at for at, tag in enumerate(tags, start=1)}
        bias = np.zeros((len(tags) + 1, len(tags) + 1))
        for (left, right), weight in pairs.items():
            bias[number.get(left, 0), number.get(right, 0)] = weight
        return cls(features, tags, bias, pairs, number)

    def number(self, tags: Sequence[str]) -> Ints:
        """Return the numbers of a sentence's tags, with its ends."""
        known = self.numbers.get
        return np.array([0, *[known(tag, 0) for tag in tags], 0], dtype=np.int32)

    def odds(self, features: Floats, tags: Ints, seams: Sequence[tuple[int, int]]) -> Floats:
        """Return the log-odds that each seam is acceptable, from its features and tags."""
        places = np.array(seams, dtype=np.int64).reshape(-1, 2) + 1
        bias = self.bias[tags[places[:, 0]], tags[places[:, 1]]]
        odds: Floats = features @ self.features[:-1] + self.features[-1] + bias
        return odds


class Seen(NamedTuple):
    """What tells how acceptable the seams of one sentence are."""

    weights: SeamWeights
    table: Table
    classes: Ints
    tags: Ints
    told: Told


_NO_WEIGHTS = SeamWeights.of(np.zeros(len(SEAM_FEATURES) + 1), {})
_NO_TABLE = Table(
    np.zeros((1, 1), np.float32),
    np.zeros(2, np.int32),
    np.zeros(0, np.int32),
    np.zeros(0, np.float32),
    np.zeros(1, np.float32),
)
_NOTHING = Seen(_NO_WEIGHTS, _NO_TABLE, np.zeros(0, np.int32), np.zeros(0, np.int32), NOTHING_TOLD)


def split_by_seams(
    forest: CompressionForest,
    weights: Floats,
    seen: Seen | None = None,
    care: float = 0.0,
    added: Floats | None = None,
) -> tuple[CompressionForest, Floats]:
    """Return the forest split by the ends of what nodes keep, and `weights` with the seams'.

    A seam weighs `care` times the log of the probability that it is acceptable, and what is `added`
    for its tokens. In a large forest, where a node has more states than the beam, the worst are
    left out.
    """
    if added is None:
        added = np.zeros((len(forest.source.leaves) + 2,) * 2)
    algebra = _algebra(forest, added, seen or _NOTHING, care if seen is not None else 0.0)
    # What was split for the model's scores of neighbours is split already.
    found = _weighed(forest.forest, algebra.data, weights)
    if found is not None:
        return forest, found
    refined = _refined(forest, weights, algebra)
    return forest.carried_to(refined.forest, refined.node, refined.origin), refined.weights


def _refined(forest: CompressionForest, weights: Floats, algebra: Algebra) -> Refinement:
    beam = None if forest.forest.num_edges <= SMALL else BEAM
    return refine(forest.forest, algebra, weights, beam, links=False)


def _weighed(forest: Forest, data: Ends, weights: Floats) -> Floats | None:
    """Return `weights` with the seams', if a split would leave the forest as it is.

    Edges of the root that the beam of a split would leave out weigh -inf.
    """
    beam = forest.num_edges if forest.num_edges <= SMALL else BEAM
    found = weights.copy()
    arrays = (forest.node_ptr, forest.tail_ptr, forest.tail)
    return found if _kernels.weigh_seams(data, *arrays, found, beam) else None


def join_neighbours(
    forest: CompressionForest, impossible: NDArray[np.bool_] | None = None
) -> CompressionForest:
    """Return the forest with the model's scores of neighbours among its weights, if it has any, and
    without derivations that make neighbours of two tokens where that is `impossible`.

    For forests without rules. It is exact up to `SMALL` edges; in larger forests, what the beam
    leaves out is missing.
    """
    if forest.joint is None and impossible is None:
        return forest
    size = len(forest.source.leaves) + 2
    added = np.zeros((size, size)) if forest.joint is None else forest.joint.seams
    if impossible is not None:
        added = np.where(impossible, -np.inf, added)
    refined = _refined(forest, forest.weights, _algebra(forest, added, _NOTHING, 0.0))
    joined = forest.carried_to(
        refined.forest, refined.node, refined.origin, weights=refined.weights, joint=None
    )
    closed = joined.weights == -np.inf
    return joined.without(closed) if closed.any() else joined


def _algebra(forest: CompressionForest, added: Floats, seen: Seen, care: float) -> Algebra:
    """Return the algebra that splits a forest by the first and last token that each node keeps.

    For forests without rules: an edge keeps one token at most.
    """
    edges, places = forest.word_edges
    token = np.full(forest.forest.num_edges, -1, dtype=np.int32)
    token[edges] = places
    size = len(forest.source.leaves)
    data = Ends(
        token,
        forest.forest.head == forest.forest.num_nodes - 1,
        size + 2,
        care,
        seen.weights.features,
        seen.weights.bias,
        seen.tags,
        seen.classes,
        seen.table,
        seen.told,
        added,
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
