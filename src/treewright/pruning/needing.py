"""Needs: words that do not stay without one of others, as a refinement of a forest.

A pronoun stays with one of the words that it may stand for. They may be anywhere in the sentence,
so no edge sees both; the nodes around each are split by whether they keep any of them, up to the
node that covers all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.forest import Algebra, refine
from treewright.pruning import _kernels
from treewright.pruning._kernels import MOST_NEEDS, WALK
from treewright.pruning.forests import CompressionForest


class Need(NamedTuple):
    """Tokens, numbered from 0, none of which stays unless one of others does."""

    wanting: frozenset[int]
    wanted: frozenset[int]


class Needs(NamedTuple):
    """What the kernels of the algebra know about the edges of a forest.

    In a state, bit `n` says that something wanting of need `n` is there and unmet, and bit
    `n + MOST_NEEDS` that something wanted is there, as long as that matters to the rest of the
    sentence. `own` are the bits that an edge sets by its words; `wanting` and `wanted` have a bit
    for each need all of whose tokens of that kind are where the edge ends, or were dropped there.
    """

    own: NDArray[np.int64]
    wanting: NDArray[np.int64]
    wanted: NDArray[np.int64]


def obey_needs(forest: CompressionForest, needs: Iterable[Need]) -> CompressionForest:
    """Return the derivations that obey the needs, without dead ends.

    Each need may double the states of the nodes between its words, so of many only those are heeded
    whose words are nearest to one another.
    """
    chosen = sorted(needs, key=_width)[:MOST_NEEDS]
    if not chosen:
        return forest
    algebra = Algebra(
        _read(forest, chosen),
        start=_kernels.own_needs,
        step=_kernels.join_needs,
        finish=_kernels.settle_needs,
    )
    refined = refine(forest.forest, algebra, forest.weights, links=False)
    return forest.carried_to(refined.forest, refined.node, refined.origin)


def _width(need: Need) -> int:
    both = need.wanting | need.wanted
    return max(both) - min(both)


def _read(forest: CompressionForest, needs: Sequence[Need]) -> Needs:
    of_token = np.zeros(len(forest.source.words), dtype=np.int64)
    left, right = _reach(forest)
    around = [np.zeros(len(left), dtype=np.int64) for _ in range(2)]
    for bit, need in enumerate(needs):
        of_token[list(need.wanting)] |= 1 << bit
        of_token[list(need.wanted)] |= 1 << (bit + MOST_NEEDS)
        for covers, tokens in zip(around, (need.wanting, need.wanted), strict=True):
            covers[(left <= min(tokens)) & (max(tokens) < right)] |= 1 << bit
    own = np.zeros(len(left), dtype=np.int64)
    edges, places = forest.word_edges
    np.bitwise_or.at(own, edges, of_token[places])
    return Needs(own, *around)


def _reach(forest: CompressionForest) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the tokens, from the first to before the second, that are decided where an edge ends.

    Those are all of its node, in a walk those up to the child where it stands.
    """
    source, head = forest.source, forest.forest.head
    node, walks = forest.node_source[head], forest.node_target[head] == WALK
    left, right = np.array(source.left), np.array(source.right)
    last = np.where(walks, forest.gaps.right[forest.edges.gap], node) if walks.any() else node
    # What is inserted has no node, and decides nothing.
    inserted = node < 0
    return np.where(inserted, 0, left[node]), np.where(inserted, 0, right[last])
