"""Counters: vectors of small counts, encoded so that adding two is adding two integers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treewright.forest.arrays import Pointers


class CounterCode:
    """A mixed-radix code for vectors that stay within `limits`, the first digit leading.

    Each radix is one more than twice the limit, so that the sum of two vectors within the limits
    has its own code, without a carry: `code(a) + code(b) == code(a + b)`. Codes ascend as the
    vectors do lexicographically.
    """

    def __init__(self, limits: Sequence[int]) -> None:
        if not limits or min(limits) < 0:
            raise ValueError(f"limits must be one or more non-negative numbers, not {list(limits)}")
        strides = [1]
        for limit in reversed(limits):
            strides.append(strides[-1] * (2 * limit + 1))
        if strides[-1] > np.iinfo(np.int64).max:
            raise ValueError(f"limits {list(limits)} are too large to be counted in 64 bits")
        self.limits: Pointers = np.array(limits, dtype=np.int64)
        self.strides: Pointers = np.array(strides[-2::-1], dtype=np.int64)

    def encode(self, vectors: Pointers) -> Pointers:
        """Return the code of each row, -1 for a row beyond the limits."""
        codes = vectors.clip(max=self.limits) @ self.strides
        codes[(vectors > self.limits).any(axis=1)] = -1
        return codes

    def decode(self, codes: Pointers) -> Pointers:
        """Return the vector of each code, one per row."""
        return codes[:, None] // self.strides % (2 * self.limits + 1)


def checked_counts(counts: ArrayLike, num_edges: int, dimensions: int) -> Pointers:
    """Return non-negative counts as int64 of shape (num_edges, dimensions)."""
    array: NDArray[np.generic] = np.asarray(counts)
    if array.size and array.dtype.kind not in "iub":
        raise ValueError(f"counts must be integers, not {array.dtype}")
    if array.ndim == 1 and dimensions == 1:
        array = array[:, None]
    if array.shape != (num_edges, dimensions):
        raise ValueError(
            f"counts have shape {array.shape}; one row per edge and one column per limit, "
            f"{(num_edges, dimensions)}, expected"
        )
    if array.size and array.min() < 0:
        raise ValueError("counts must not be negative")
    return array.astype(np.int64)
