"""Needs: words that do not stay without one of others, as a refinement of a forest.

A pronoun stays with one of the words that it may stand for. They may be anywhere in the sentence,
so no edge sees both; the nodes around each are split by whether they keep any of them, up to the
node that covers all.
"""

from __future__ import annotations

from collections.abc import Sequence
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

    In a state, bit `n` says that something wanting is there, in terms of need `n`, and bit
    `n + MOST_NEEDS` that something wanted is. `own` are the bits that an edge sets by its words,
    `settled` those of the needs that nothing beyond the edge has to do with.
    """

    own: NDArray[np.int64]
    settled: NDArray[np.int64]


def obey_needs(forest: CompressionForest, needs: Sequence[Need]) -> CompressionForest:
    """Return the derivations that obey the needs, of many the first, without dead ends."""
    if not needs:
        return forest
    algebra = Algebra(
        _read(forest, needs[:MOST_NEEDS]),
        start=_kernels.own_needs,
        step=_kernels.join_needs,
        finish=_kernels.settle_needs,
    )
    refined = refine(forest.forest, algebra, forest.weights, links=False)
    return forest.carried_to(refined.forest, refined.node, refined.origin)


def _read(forest: CompressionForest, needs: Sequence[Need]) -> Needs:
    source = forest.source
    of_token = np.zeros(len(source.words), dtype=np.int64)
    of_node = np.zeros(len(source) + 1, dtype=np.int64)
    left, right = np.array(source.left), np.array(source.right)
    for bit, need in enumerate(needs):
        of_token[list(need.wanting)] |= 1 << bit
        of_token[list(need.wanted)] |= 1 << (bit + MOST_NEEDS)
        both = need.wanting | need.wanted
        of_node[:-1][(left <= min(both)) & (max(both) < right)] |= 1 << bit
    own = np.zeros(forest.forest.num_edges, dtype=np.int64)
    edges, places = forest.word_edges
    np.bitwise_or.at(own, edges, of_token[places])
    # A walk over gaps goes on, and what is inserted has no node (-1).
    whole = np.where(forest.node_target == WALK, -1, forest.node_source)
    return Needs(own, of_node[whole[forest.forest.head]])
