"""Rows of different lengths side by side in one array, and runs of equal or sorted rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from treewright.arrays import Longs, starts

Columns = TypeVar("Columns", bound=tuple[Any, ...])


def spread(begin: Longs, sizes: Longs) -> tuple[Longs, Longs]:
    """Return where rows start if only these stand side by side, and the places of their elements.

    A row has the elements from `begin` on.
    """
    start = starts(sizes)
    return start, np.arange(start[-1]) + np.repeat(begin - start[:-1], sizes)


def pick(start: Longs, rows: NDArray[Any]) -> tuple[Longs, Longs]:
    """Do the same for some of the rows `start[r] … start[r + 1] - 1`."""
    return spread(start[:-1][rows], np.diff(start)[rows])


def starts_of(*columns: NDArray[Any]) -> Longs:
    """Return where runs of equal rows start."""
    differs = np.zeros(columns[0].size, np.bool_)
    differs[:1] = True
    for column in columns:
        differs[1:] |= column[1:] != column[:-1]
    return np.flatnonzero(differs)


def run_of(first: Longs, size: int) -> Longs:
    """Return the number of the run that each of `size` rows is in, given the first row of each."""
    return np.repeat(np.arange(first.size), np.diff(np.append(first, size)))


def rank_in(first: Longs, size: int) -> Longs:
    """Return how many rows of its run stand before each row."""
    return np.arange(size) - first[run_of(first, size)]


def sums(values: Longs, first: Longs) -> Longs:
    """Add up the values of each run."""
    return np.add.reduceat(values, first) if first.size else np.zeros(0, np.int64)


def stored(columns: Columns, path: Path) -> Columns:
    """Write the arrays of a named tuple to files, and map these into memory."""
    kept = []
    for number, column in enumerate(columns):
        file = path.with_suffix(f".{number}.npy")
        np.save(file, column)
        kept.append(np.load(file, mmap_mode="r"))
    return type(columns)(*kept)


def chunks(keys: Sequence[NDArray[Any]], most: int, low_bits: int = 0) -> Iterator[list[slice]]:
    """Cut sorted columns of keys where the same key ends in all; at least one chunk comes.

    Keys are the same if they are without their `low_bits`. A chunk has about `most` rows.
    """
    at, sizes = [0] * len(keys), [column.size for column in keys]
    while True:
        ends = _ends(keys, at, most, low_bits)
        yield [slice(*bounds) for bounds in zip(at, ends, strict=True)]
        if ends == sizes:
            return
        at = ends


def _ends(keys: Sequence[NDArray[Any]], at: list[int], most: int, low_bits: int) -> list[int]:
    """Return where the next chunk ends in each column."""
    share = max(1, most // len(keys))
    following = [
        int(column[begin + share]) >> low_bits
        for column, begin in zip(keys, at, strict=True)
        if begin + share < column.size
    ]
    if not following:
        return [column.size for column in keys]
    kind = keys[0].dtype.type
    first = min(following) << low_bits
    ends = [int(np.searchsorted(column, kind(first))) for column in keys]
    if ends == at:
        # A single key has more rows than a chunk.
        last = kind(first | ((1 << low_bits) - 1))
        ends = [int(np.searchsorted(column, last, side="right")) for column in keys]
    return ends
