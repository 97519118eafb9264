"""Conjunctions stay between what they join, and commas stay in pairs.

No `and` before nothing, no two conjuncts without it, no comma that opens and never closes.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from treewright.pruning.gaps import Gaps
from treewright.trees import TreeTable
from treewright.trees.heads import PUNCTUATION_TAGS, base_label


def parting_gaps(source: TreeTable, gaps: Gaps) -> NDArray[np.bool_]:
    """Return which gaps leave a conjunction without one of its sides, or the sides without it.

    A conjunction that begins its phrase in the source may still do so. A comma is enough between
    two sides. Gaps that leave only one of the two commas around an aside are included too.
    """
    labels = np.array([base_label(node.label) for node in source.nodes])
    is_conjunction = np.isin(labels, ["CC", "CONJP"])
    is_mark = np.isin(labels, list(PUNCTUATION_TAGS))
    drops, left = gaps.first >= 0, gaps.left >= 0
    right = (gaps.right >= 0) & ~gaps.pauses
    begins = right & is_conjunction[gaps.right] & ~left
    ends = left & is_conjunction[gaps.left] & (gaps.right < 0)
    parting: NDArray[np.bool_] = drops & (begins | ends)
    sides = drops & left & ~is_mark[gaps.left] & right & ~is_mark[gaps.right]
    for node in np.flatnonzero(is_conjunction).tolist():
        dropped = (gaps.parent == source.parent[node]) & (gaps.first <= node) & (node <= gaps.last)
        parting |= sides & dropped
    for before, aside, behind in _asides(source, labels):
        drops_one = (gaps.right == aside) & (gaps.first <= before) & (before <= gaps.last)
        drops_one |= (gaps.left == aside) & (gaps.first <= behind) & (behind <= gaps.last)
        parting |= drops & drops_one
    return parting


def _asides(source: TreeTable, labels: NDArray[np.str_]) -> Iterator[tuple[int, int, int]]:
    """Yield what lies between the two commas of a phrase that has two and no conjunction."""
    for node in range(len(source)):
        children = source.children[node]
        commas = [place for place, x in enumerate(children) if labels[x] == ","]
        joined = any(labels[x] == "CC" for x in children)
        if len(commas) == 2 and commas[1] - commas[0] == 2 and not joined:
            before, aside, behind = children[commas[0] : commas[1] + 1]
            yield before, aside, behind
