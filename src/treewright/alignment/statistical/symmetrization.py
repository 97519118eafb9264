"""One alignment of what two directions say about a pair."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np

from treewright.alignment.statistical import _symmetrization_kernels as _kernels
from treewright.alignment.statistical.numbering import Text
from treewright.arrays import Longs, Singles, starts
from treewright.corpora import Links
from treewright.errors import choose

_BATCH = 1_000

SYMMETRIZATIONS = {
    "posterior": _kernels.POSTERIOR,
    "intersection": _kernels.INTERSECTION,
    "union": _kernels.UNION,
    "grow-diag": _kernels.GROW,
    "grow-diag-final-and": _kernels.GROW_FINAL_AND,
    "forward": _kernels.FORWARD,
    "reverse": _kernels.REVERSE,
}
"""The methods by name: links whose probability, averaged over both directions, exceeds a threshold;
what both or either of the directions choose, or something between; or the choices of one."""


def symmetrize(
    forward: Singles,
    reverse: Singles,
    source_lengths: Longs,
    target_lengths: Longs,
    *,
    method: str,
    threshold: float,
) -> Links:
    """Return the links of pairs whose matrices of probabilities are side by side, row by row.

    `forward` is the probability that the target word of a cell chooses its source word, `reverse`
    that the source word chooses the target word.
    """
    code = SYMMETRIZATIONS[choose(method, SYMMETRIZATIONS, "symmetrization")]
    marks = _kernels.symmetrize(
        forward, reverse, source_lengths, target_lengths, code, np.float32(threshold)
    )
    cells = np.flatnonzero(marks)
    begin = starts(source_lengths * target_lengths)
    start = np.searchsorted(cells, begin)
    pair = np.repeat(np.arange(source_lengths.size), np.diff(start))
    inside = cells - begin[pair]
    width = target_lengths[pair]
    return Links(
        (inside // width).astype(np.int32),
        (inside % width).astype(np.int32),
        start.astype(np.int64),
    )


class Aligned(Protocol):
    """A model that has learned from a text."""

    def posteriors(self, first: int, last: int) -> tuple[Singles, Singles]:
        """Return the probabilities of the cells of some pairs, in both directions."""
        ...


def links_of(
    aligned: Aligned, text: Text, wanted: int, method: str, threshold: float
) -> Iterator[Links]:
    """Stream the links of the first `wanted` pairs of a text, in batches."""
    for first in range(0, wanted, _BATCH):
        last = min(first + _BATCH, wanted)
        yield symmetrize(
            *aligned.posteriors(first, last),
            text.source.lengths[first:last],
            text.target.lengths[first:last],
            method=method,
            threshold=threshold,
        )
