"""Wide edges taken apart: the search looks at combinations of a few tails at a time."""

from __future__ import annotations

import numpy as np

from treewright.arrays import starts
from treewright.forest import Forest
from treewright.transduction import Yields
from treewright.translation.syntax._narrow_kernels import Given, Narrowed, narrow_edges
from treewright.translation.syntax.forest import PART, TranslationForest

MOST = 4
"""How many tails an edge may have; composed rules have no more variables unless asked for."""


def narrow(given: TranslationForest, most: int = MOST) -> TranslationForest:
    """Return a forest of the same translations whose edges have at most `most` tails (2 or more).

    A wider edge begins with a node of its own: what it writes up to some tail, in the order of the
    target.
    """
    forest = given.forest
    if np.diff(forest.tail_ptr).max(initial=0) <= most:
        return given
    arrays = Given(forest.node_ptr, forest.tail_ptr, forest.tail, *given.yields)
    found = Narrowed(*narrow_edges(arrays, most))
    label = np.where(found.is_part, PART, forest.label[found.source]).astype(np.int32)
    node_ptr = starts(np.bincount(found.head, minlength=found.origin.size))
    return TranslationForest(
        given.grammar,
        Forest(found.head, found.tail_ptr, found.tail, node_ptr, label),
        given.places.take(found.origin),
        Yields(found.ptr, found.item),
        np.where(found.is_part[:, None], 0.0, given.features[found.source]),
        given.extra,
    )
