"""Features of the order in which phrases are translated, for many edges at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.translation.decoding._kernels import APART, MONOTONE, SWAP
from treewright.translation.decoding.options import Options

Ints = NDArray[Any]


def distances(start: Ints, end_before: Ints) -> Ints:
    """Return minus the number of words that are jumped over."""
    jumped: Ints = -np.abs(start - end_before)
    return jumped


def moves(
    options: Options,
    following: NDArray[np.float64],
    option: Ints,
    span: tuple[Ints, Ints],
    before: tuple[Ints, Ints, Ints],
) -> NDArray[np.float64]:
    """Return the six reordering features of edges, whose `option` is -1 at the end of a sentence.

    `before` has the span translated before that of an edge, and its class, a row of `following`.
    """
    start, end = span
    start_before, end_before, behind = before
    way = np.where(start == end_before, MONOTONE, np.where(end == start_before, SWAP, APART))
    rows = np.arange(option.size)
    features = np.zeros((option.size, 6))
    features[rows, way] = np.where(option < 0, 0.0, options.reordering[option, way])
    features[rows, 3 + way] = following[behind, way]
    return features
