"""A network's arrays by name: vectors, and matrices with 8 bits a weight and a scale for each row.

A matrix that was read from a file stays as it is there. Most are only multiplied, which takes
nothing else (`codes`), and of the largest, those of words and spellings, a text needs a few rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.compiling import WIDEST
from treewright.modelfile import Part, pack_array, unpack_array

Array = NDArray[np.float32]
_MOST = np.finfo(np.float32).max / 128
"""What a scale is below, or weights would be infinite."""


class Coded(NamedTuple):
    """A matrix as 8-bit codes and the scale of each row."""

    codes: NDArray[np.int8]
    scales: Array

    @classmethod
    def of(cls, matrix: Array) -> Coded:
        """Reduce a matrix to 8 bits a weight."""
        scales = np.maximum(np.abs(matrix).max(axis=1), 1e-8).astype(np.float32) / np.float32(127)
        return cls(np.rint(matrix / scales[:, None]).astype(np.int8), scales)

    @classmethod
    def stack(cls, several: Sequence[Coded]) -> Coded:
        """Put matrices on top of one another."""
        codes, scales = zip(*several, strict=True)
        return cls(np.vstack(codes), np.concatenate(scales))

    def matrix(self) -> Array:
        """Return the matrix that codes and scales stand for."""
        return self.codes * self.scales[:, None]

    def rows(self, numbers: Sequence[int]) -> Array:
        """Return some rows of that matrix."""
        return Coded(self.codes[numbers], self.scales[numbers]).matrix()


class Arrays(Mapping[str, Array]):
    """Arrays by name; a matrix is worked out of its codes when it is looked up."""

    def __init__(self, known: Mapping[str, Array], coded: Mapping[str, Coded]) -> None:
        self._known = dict(known)
        self._coded = dict(coded)

    @classmethod
    def of(cls, arrays: Mapping[str, Array]) -> Arrays:
        """Return the same arrays, which may come from a file or not."""
        return arrays if isinstance(arrays, Arrays) else cls(arrays, {})

    def __getitem__(self, name: str) -> Array:
        if name not in self._known:
            self._known[name] = self._coded[name].matrix()
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter({**self._known, **self._coded})

    def __len__(self) -> int:
        return len({**self._known, **self._coded})

    def __contains__(self, name: object) -> bool:
        return name in self._known or name in self._coded

    def __or__(self, others: Mapping[str, Array]) -> Arrays:
        """Return these arrays and others, which replace those of the same name."""
        kept = self.select(lambda name: name not in others)
        return Arrays({**kept._known, **others}, kept._coded)

    def select(self, wanted: Callable[[str], bool]) -> Arrays:
        """Return the arrays whose names are wanted."""
        return Arrays(
            {name: array for name, array in self._known.items() if wanted(name)},
            {name: coded for name, coded in self._coded.items() if wanted(name)},
        )

    def coded(self, name: str) -> Coded:
        """Return a matrix with 8 bits a weight."""
        if name not in self._coded:
            self._coded[name] = Coded.of(self._known[name])
        return self._coded[name]

    def stacked(self, names: Sequence[str]) -> Coded:
        """Return matrices on top of one another."""
        return Coded.stack([self.coded(name) for name in names])

    def shape(self, name: str) -> tuple[int, ...]:
        """Return the shape of an array."""
        return self._coded[name].codes.shape if name in self._coded else self._known[name].shape

    def is_finite(self, name: str) -> bool:
        """Whether an array holds only numbers."""
        if name in self._coded:
            return bool((np.abs(self._coded[name].scales) < _MOST).all())
        return bool(np.isfinite(self._known[name]).all())


def pack_arrays(arrays: Mapping[str, Array]) -> dict[str, bytes]:
    """Return the parts of a file: vectors unchanged, matrices in 8 bits with one scale per row."""
    parts = {}
    arrays = Arrays.of(arrays)
    for name in arrays:
        if len(arrays.shape(name)) == 1:
            parts[f"{name}.npy"] = pack_array(arrays[name].astype(np.float32))
            continue
        coded = arrays.coded(name)
        parts[f"{name}.codes.npy"] = pack_array(coded.codes)
        parts[f"{name}.scales.npy"] = pack_array(coded.scales)
    return parts


def unpack_arrays(parts: Mapping[str, Part]) -> Arrays:
    """Undo `pack_arrays`, but for the precision that is lost."""
    known: dict[str, Array] = {}
    coded: dict[str, Coded] = {}
    for name in sorted(parts):
        stem, _, kind = name.removesuffix(".npy").partition(".")
        if kind == "scales":
            continue
        array = unpack_array(parts[name])
        if kind == "codes":
            scales = np.asarray(unpack_array(parts[f"{stem}.scales.npy"]), np.float32)
            coded[stem] = _checked(stem, array, scales)
        else:
            known[stem] = np.asarray(array, np.float32)
    return Arrays(known, coded)


def _checked(name: str, codes: NDArray[np.generic], scales: Array) -> Coded:
    if codes.dtype != np.int8 or codes.ndim != 2 or scales.shape != codes.shape[:1]:
        raise ValueError(f"{name} is not a matrix of 8-bit codes with one scale per row")
    return Coded(codes.astype(np.int8, copy=False), scales)


def check_width(inputs: int) -> None:
    """Raise a `ValueError` if matrices have too many inputs for products in whole numbers."""
    if inputs > WIDEST:
        raise ValueError(f"a layer has {inputs} inputs; the most for exact products is {WIDEST}")


def check_shapes(arrays: Arrays, wanted: Mapping[str, tuple[int, ...]]) -> None:
    """Raise a `ValueError` or `KeyError` unless arrays have these shapes and hold only numbers."""
    for name, shape in wanted.items():
        if arrays.shape(name) != shape:
            raise ValueError(f"{name} is {arrays.shape(name)}, expected {shape}")
        if not arrays.is_finite(name):
            raise ValueError(f"{name} has values that are not numbers")
