"""Products of integer codes: a matrix of 8-bit weights and vectors of 16-bit codes.

    weights = laid_out(packed)
    multiply_codes(codes, weights, scales, out)

The sums are exact, so every processor finds the same, compiled or not.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from treewright.compiling.elementwise import Twins

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

COLUMNS = 32
"""Outputs whose weights are laid out side by side."""
ROUND = 8
"""The number of inputs is made a multiple of this."""
LARGEST = 2**13
"""The largest code."""
WIDEST = 2_000
"""The most inputs for which 32 bits hold every sum."""


def pack_codes(codes: NDArray[np.int8]) -> NDArray[np.int8]:
    """Lay out a matrix, one row for each output, as blocks of `COLUMNS` outputs × pairs of inputs.

    Of each pair, the two weights of an output are neighbours: processors multiply and add such
    pairs in one instruction. Outputs and inputs beyond those of the matrix have zeros.
    """
    import numpy as np

    blocks, pairs = -(-codes.shape[0] // COLUMNS), -(-codes.shape[1] // ROUND) * ROUND // 2
    whole = np.zeros((blocks * COLUMNS, 2 * pairs), np.int8)
    whole[: codes.shape[0], : codes.shape[1]] = codes
    packed = whole.reshape(blocks, COLUMNS, pairs, 2).transpose(0, 2, 1, 3)
    return packed.reshape(blocks, pairs, 2 * COLUMNS)


def _unpacked(packed: NDArray[np.int8]) -> NDArray[np.float64]:
    blocks, pairs, _ = packed.shape
    whole = packed.reshape(blocks, pairs, COLUMNS, 2).transpose(1, 3, 0, 2)
    return whole.reshape(2 * pairs, blocks * COLUMNS).astype("float64")


def _multiply(codes: Any, weights: Any, scales: Any, out: Any) -> None:
    # BLAS multiplies no integers, and double precision holds these exactly.
    assert codes.dtype == "int16", "other numbers would not be added up exactly"
    out[:] = (codes.astype("float64") @ weights).astype("float32") * scales


def _same() -> Any:
    from treewright.compiling import integer_instructions

    return integer_instructions.same


def _instructions() -> Any:
    from treewright.compiling import integer_instructions

    return integer_instructions.multiply_codes


_SOURCES = (Path(__file__), Path(__file__).with_name("integer_instructions.py"))

laid_out = Twins(_same, _unpacked, _SOURCES)
"""Returns a packed matrix as `multiply_codes` wants it, which takes time in uncompiled kernels."""
multiply_codes = Twins(_instructions, _multiply, _SOURCES)
"""Puts the products of rows of codes with a matrix into `out`, each column times its scale.

Arrays are contiguous; rows of `codes` and `out` are as long as the packed matrix says.
"""
