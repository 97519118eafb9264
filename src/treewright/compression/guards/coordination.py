"""Conjunctions between what they join: no `and` before nothing, no two things without it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treewright.transduction.targets import SourceNodes
from treewright.trees.heads import PUNCTUATION_TAGS, base_label
from treewright.trees.packed import parents_of


def parting_gaps(source: SourceNodes) -> NDArray[np.bool_]:
    """Return which gaps leave a conjunction without one of its sides, or the sides without it.

    A conjunction that begins its phrase in the source may go on to do so. A comma is enough between
    two sides.
    """
    gaps = source.gaps
    labels = np.array([base_label(node.label) for node in source.nodes])
    is_conjunction, is_mark = labels == "CC", np.isin(labels, list(PUNCTUATION_TAGS))
    drops, left = gaps.first >= 0, gaps.left >= 0
    right = (gaps.right >= 0) & ~gaps.pauses
    begins = right & is_conjunction[gaps.right] & ~left
    ends = left & is_conjunction[gaps.left] & (gaps.right < 0)
    parting: NDArray[np.bool_] = drops & (begins | ends)
    sides = drops & left & ~is_mark[gaps.left] & right & ~is_mark[gaps.right]
    parents = parents_of(source.end)
    for node in np.flatnonzero(is_conjunction).tolist():
        dropped = (gaps.parent == parents[node]) & (gaps.first <= node) & (node <= gaps.last)
        parting |= sides & dropped
    return parting
