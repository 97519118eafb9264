"""Several sparse vectors in one set of arrays, as kernels and checkpoints take them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.arrays import Floats, Ints, Longs
from treewright.learning.margin import _kernels


class Rows:
    """Sparse vectors end to end; row `r` is at `pointer[r] : pointer[r + 1]` of both arrays."""

    def __init__(self, pointer: Longs, indices: Ints, values: Floats) -> None:
        self.pointer = pointer
        self.indices = indices
        self.values = values

    @classmethod
    def of(cls, vectors: Sequence[tuple[Ints, Floats]]) -> Rows:
        """Put vectors in a row."""
        lengths = [len(indices) for indices, _ in vectors]
        return cls(
            np.append(0, np.cumsum(lengths, dtype=np.int64)).astype(np.int64),
            np.concatenate([np.empty(0, np.int32), *(indices for indices, _ in vectors)]),
            np.concatenate([np.empty(0), *(values for _, values in vectors)]),
        )

    def __len__(self) -> int:
        return len(self.pointer) - 1

    def row(self, number: int) -> tuple[Ints, Floats]:
        """Return one vector: its indices and values."""
        run = slice(self.pointer[number], self.pointer[number + 1])
        return self.indices[run], self.values[run]

    def vectors(self) -> list[tuple[Ints, Floats]]:
        """Return all vectors."""
        return [self.row(number) for number in range(len(self))]

    def scores(self, weights: Floats) -> Floats:
        """Return each row's dot product with the weights."""
        out: Floats = _kernels.rows_dense(self.pointer, self.indices, self.values, weights)
        return out

    def products(self, indices: Ints, values: Floats) -> Floats:
        """Return each row's dot product with a sparse vector."""
        out: Floats = _kernels.rows_sparse(self.pointer, self.indices, self.values, indices, values)
        return out

    def add_to(self, weights: Floats, factors: Floats) -> None:
        """Add all rows, each times its factor, to the weights in place."""
        _kernels.add_rows(self.pointer, self.indices, self.values, factors, weights)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the parts of a checkpoint that hold the rows."""
        return {"pointer": self.pointer, "indices": self.indices, "values": self.values}

    @classmethod
    def restored(cls, arrays: Mapping[str, NDArray[Any]], num_features: int) -> Rows:
        """Return the rows of a checkpoint; raise a `ValueError` if kernels could not trust them."""
        pointer, indices, values = arrays["pointer"], arrays["indices"], arrays["values"]
        types = [part.dtype.name for part in (pointer, indices, values)]
        if types != ["int64", "int32", "float64"] or pointer.ndim != 1 or values.ndim != 1:
            raise ValueError("sparse rows of unknown types")
        ends = len(pointer) > 0 and pointer[0] == 0 and pointer[-1] == len(indices)
        if not ends or (np.diff(pointer) < 0).any() or indices.shape != values.shape:
            raise ValueError("sparse rows that do not fit together")
        if len(indices) and (indices.min() < 0 or indices.max() >= num_features):
            raise ValueError("sparse rows with features out of bounds")
        rises = np.ones(len(indices), dtype=bool)
        rises[1:] = indices[1:] > indices[:-1]
        rises[pointer[:-1][pointer[:-1] < len(indices)]] = True
        if not rises.all() or not np.isfinite(values).all():
            raise ValueError("sparse rows out of order, or with values that are not numbers")
        return cls(pointer, indices, values)
