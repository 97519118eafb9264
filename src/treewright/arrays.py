"""What nearly every room has to say of arrays: names for their types, rows side by side."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Bools: TypeAlias = NDArray[np.bool_]
Ints: TypeAlias = NDArray[np.int32]
Longs: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
Singles: TypeAlias = NDArray[np.float32]


def starts(sizes: ArrayLike) -> Longs:
    """Return where rows of these sizes start side by side, and where the last one ends."""
    return np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
