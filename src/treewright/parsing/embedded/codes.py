"""Whole numbers for the network's values: its products are then fast, and the same everywhere.

A state of the encoder, from −1 to 1, is a code up to 8192; other values have coarser steps, and
room to be larger. A weight is a code of 8 bits, as in the model file, times the scale of its row.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.compiling import LARGEST, pack_codes
from treewright.parsing.embedded.arrays import Array, Coded, check_width

Codes = NDArray[np.int16]

STATE = 1.0 / LARGEST
"""The step of states."""
VECTOR = 1.0 / 512
"""The step of words' vectors; what is beyond 16 is cut off."""
SPAN = 1.0 / 128
"""The step of the hidden units of spans; what is beyond 64 is cut off."""


class Factor(NamedTuple):
    """A matrix with a row for each output, as kernels take it; both arrays are padded."""

    packed: NDArray[np.int8]
    scales: Array

    @classmethod
    def of(cls, matrix: Coded, step: float) -> Factor:
        """Lay out a matrix for codes of this step; one too wide is a `ValueError`."""
        codes, scales = matrix
        check_width(codes.shape[1])
        packed = pack_codes(codes)
        padded = np.zeros(packed.shape[0] * packed.shape[2] // 2, np.float32)
        padded[: len(scales)] = scales * np.float32(step)
        return cls(packed, padded)

    def times(self, codes: Codes) -> Array:
        """Return the product with each row of codes; columns are padded with zeros."""
        from treewright.parsing.embedded._encoder_kernels import multiply

        rows, inputs = len(codes), 2 * self.packed.shape[1]
        if codes.shape[1] < inputs:
            given, codes = codes, np.zeros((rows, inputs), np.int16)
            codes[:, : given.shape[1]] = given
        out = np.empty((rows, len(self.scales)), np.float32)
        multiply(np.ascontiguousarray(codes), self, out)
        return out


def encode(values: Array, step: float) -> Codes:
    """Return the codes of values."""
    whole = np.rint(values * np.float32(1.0 / step))
    codes: Codes = np.clip(whole, -LARGEST, LARGEST).astype(np.int16)
    return codes


def decode(codes: Codes, step: float = STATE) -> Array:
    """Return what codes stand for: states, unless they have another step."""
    return codes * np.float32(step)
