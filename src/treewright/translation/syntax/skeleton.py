"""Skeletons and rules: which rules translate words of the skeleton together with others."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from treewright.arrays import Bools
from treewright.translation.decoding.skeleton import ranks
from treewright.translation.syntax.forest import TranslationForest
from treewright.trees import Tree


class OutlinedTree(NamedTuple):
    """The tree of a sentence and, for models that score it, whether each word is of its
    skeleton.
    """

    tree: Tree
    kept: Bools | None = None


def with_crossings(given: TranslationForest, kept: Bools) -> TranslationForest:
    """Return a forest with one more feature: -1 for each edge that crosses the skeleton.

    The words of an edge itself are those below its node that are not below its tails.
    """
    forest, places = given.forest, given.places
    before = ranks(kept)
    size = places.right - places.left
    inside = before[places.right] - before[places.left]
    edge = np.repeat(np.arange(forest.num_edges), np.diff(forest.tail_ptr))
    own, bones = (
        count[forest.head] - np.bincount(edge, count[forest.tail], forest.num_edges)
        for count in (size, inside)
    )
    crosses = (bones > 0) & (bones < own)
    return replace(given, features=np.column_stack([given.features, -1.0 * crosses]))
