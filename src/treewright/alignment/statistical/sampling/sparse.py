"""Arrays that are nearly all zero."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Sparse(NamedTuple):
    """An array of one axis without its zeros."""

    size: int
    place: NDArray[np.int64]
    value: NDArray[Any]

    @classmethod
    def of(cls, dense: NDArray[Any]) -> Sparse:
        """Keep what is not zero."""
        place = np.flatnonzero(dense)
        return cls(dense.size, place, dense[place])

    def dense(self) -> NDArray[Any]:
        """Return the whole array."""
        found = np.zeros(self.size, self.value.dtype)
        found[self.place] = self.value
        return found
