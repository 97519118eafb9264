"""Counters: an algebra of additive counts, such as words kept or true and false positives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treewright.compiling import njit
from treewright.forest.arrays import Pointers
from treewright.forest.refinement.algebra import Algebra


class CounterData(NamedTuple):
    """The code of each edge, and how to recognise a code within the limits."""

    codes: Pointers
    headroom: int
    excess: int


class Counters(Algebra):
    """Adds up `counts` over the edges of a derivation, and rules out what exceeds `limits`.

    `counts` are non-negative integers of shape (E,) or (E, D), one row per edge of the forest;
    `limits` are D inclusive caps. A state holds each sum in a few bits, the first counter leading,
    so states ascend as the sums do lexicographically. A counter has one bit more than its limit
    needs: two states can be added directly, and that bit shows an overflow.
    """

    def __init__(self, counts: ArrayLike, limits: Sequence[int]) -> None:
        if not limits or min(limits) < 0:
            raise ValueError(f"limits must be one or more non-negative numbers, not {list(limits)}")
        widths = [int(limit).bit_length() + 1 for limit in limits]
        if sum(widths) > 63:
            raise ValueError(f"limits {list(limits)} are too large to be counted in 64 bits")
        shifts = [sum(widths[i + 1 :]) for i in range(len(widths))]
        self._limits: Pointers = np.array(limits, dtype=np.int64)
        self._shifts: Pointers = np.array(shifts, dtype=np.int64)
        self._masks: Pointers = (1 << np.array(widths, dtype=np.int64)) - 1
        vectors = checked_counts(counts, dimensions=len(limits))
        codes = (vectors.clip(max=self._limits) << self._shifts).sum(axis=1)
        codes[(vectors > self._limits).any(axis=1)] = -1
        top = [1 << (width - 1) for width in widths]
        data = CounterData(
            codes,
            headroom=sum((t - 1 - n) << s for t, n, s in zip(top, limits, shifts, strict=True)),
            excess=sum(t << s for t, s in zip(top, shifts, strict=True)),
        )
        super().__init__(data, own_code, add_codes, num_edges=len(codes))

    def decode(self, states: Pointers) -> Pointers:
        """Return the sums that states represent, one row per state."""
        return (states[:, None] >> self._shifts) & self._masks


@njit(nogil=True)
def own_code(data: CounterData, edge: int, choice: int) -> int:
    """Start with the counts of the edge itself."""
    code: int = data.codes[edge]
    return code


@njit(nogil=True)
def add_codes(data: CounterData, edge: int, position: int, state: int, tail_state: int) -> int:
    """Add the counts of a tail."""
    total = state + tail_state
    return -1 if (total + data.headroom) & data.excess else total


def checked_counts(counts: ArrayLike, *, dimensions: int, num_edges: int | None = None) -> Pointers:
    """Return non-negative counts as int64 of shape (edges, dimensions)."""
    array: NDArray[np.generic] = np.asarray(counts)
    if array.size and array.dtype.kind not in "iub":
        raise ValueError(f"counts must be integers, not {array.dtype}")
    if array.ndim == 1 and dimensions == 1:
        array = array[:, None]
    rows = len(array) if num_edges is None and array.ndim else num_edges
    if array.shape != (rows, dimensions):
        raise ValueError(
            f"counts have shape {array.shape}; one row per edge and one column per limit, "
            f"{('E' if num_edges is None else num_edges, dimensions)}, expected"
        )
    if array.size and array.min() < 0:
        raise ValueError("counts must not be negative")
    return array.astype(np.int64)
