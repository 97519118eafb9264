"""Names for the array types of the room, and the check that every weight array passes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treewright.arrays import Bools, Floats, Ints
from treewright.arrays import Longs as Pointers

__all__ = ["Bools", "Floats", "Ints", "Pointers", "aligned", "checked_weights"]


def aligned(array: NDArray[Any]) -> NDArray[Any]:
    """Return an array in the one layout that kernels are compiled for, itself if it has that."""
    return array if array.flags.carray else np.require(array, None, ["C", "A", "W"])


def checked_weights(weights: ArrayLike, num_edges: int) -> Floats:
    """Return `weights` as the kernels take them: one log-weight per edge, no NaN and no +inf."""
    array = aligned(np.asarray(weights, np.float64))
    if array.shape != (num_edges,):
        raise ValueError(
            f"weights have shape {array.shape}; one per edge, ({num_edges},), expected"
        )
    # A NaN is the greatest of all, and not below infinity.
    if not np.maximum.reduce(array, initial=-np.inf) < np.inf:
        edge = int(np.flatnonzero(~(array < np.inf))[0])
        raise ValueError(f"weight of edge {edge} is {array[edge]}; a log-weight is finite or -inf")
    return array
