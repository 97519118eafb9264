"""Rules as they occur in pairs, sorted and counted; on disk where memory does not do.

An occurrence is a record of numbers and three keys, hashes of its source, its target and its word
alignment. What a run of extraction found is sorted by these, and equal occurrences are counted.
A single run stays in memory; several go to files, which are merged.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from treewright.arrays import Bools, Ints, Longs, starts
from treewright.compiling import expect_work
from treewright.translation.ghkm._kernels import Limits
from treewright.translation.ghkm._record_kernels import gather
from treewright.translation.ghkm._rule_kernels import Buffer, Keys, extract
from treewright.translation.ghkm.packing import Batch
from treewright.translation.rows import chunks, starts_of, stored, sums

_BYTES = 16
"""What a number of a record takes while a run is sorted, with its share of the keys."""
_NUMBERS = 12
"""How many numbers a record has at least; most have more."""
_CHUNK = 1 << 18
"""How many occurrences are merged and scored at a time, if memory allows."""


class Occurrences(NamedTuple):
    """Different occurrences in ascending order of their keys, and how often each was found.

    Record `i` is `numbers[start[i] : start[i + 1]]`.
    """

    source_key: Keys
    target_key: Keys
    alignment_key: Keys
    times: Longs
    minimal: Bools
    start: Longs
    numbers: Ints

    def part(self, own: slice) -> Occurrences:
        """Return neighbouring occurrences."""
        columns = [np.asarray(column[own]) for column in self[:5]]
        start = np.asarray(self.start[own.start : own.stop + 1])
        numbers = self.numbers[start[0] : start[-1]]
        return Occurrences._make([*columns, start - start[0], numbers])


@dataclass(frozen=True, eq=False)
class Runs:
    """What extraction found, in runs to be merged."""

    runs: Sequence[Occurrences]
    chunk: int

    def chunks(self) -> Iterator[Occurrences]:
        """Merge the runs; those with the same source come together. At least one chunk comes."""
        for cut in chunks([run.source_key for run in self.runs], self.chunk):
            pieces = [run.part(own) for run, own in zip(self.runs, cut, strict=True)]
            yield pieces[0] if len(pieces) == 1 else _merged(pieces)


@contextmanager
def extraction(
    batches: Iterable[Batch], limits: Limits, *, memory: int, folder: str | Path | None = None
) -> Iterator[Runs]:
    """Extract the rules of all pairs; within it, files hold those beyond `memory` bytes."""
    buffer = _room(max(1 << 10, memory // _BYTES))
    runs: list[Occurrences] = []
    with tempfile.TemporaryDirectory(prefix="treewright-rules-", dir=folder) as place:
        for batch in batches:
            pair, size = 0, batch.links.start.size - 1
            expect_work(size)
            while (pair := extract(*batch, limits, pair, buffer)) < size:
                if buffer.fill[0]:
                    runs.append(stored(_sorted(buffer), Path(place) / str(len(runs))))
                    buffer.fill[:] = 0
                else:
                    # Not even one pair fits.
                    buffer = _room(2 * buffer.numbers.size)
        chunk = max(1, min(_CHUNK, buffer.start.size // 4))
        last = _sorted(buffer)
        del buffer
        runs.append(last if not runs else stored(last, Path(place) / str(len(runs))))
        yield Runs(runs, chunk)


def _room(numbers: int) -> Buffer:
    records = numbers // _NUMBERS + 1
    keys = [np.empty(records, np.uint64) for _ in range(3)]
    start = np.zeros(records + 1, np.int64)
    return Buffer(np.zeros(2, np.int64), np.empty(numbers, np.int32), start, *keys)


def _sorted(buffer: Buffer) -> Occurrences:
    """Return what is in a buffer, each occurrence counted once."""
    rows, numbers = buffer.fill.tolist()
    start = buffer.start[: rows + 1]
    return counted(
        Occurrences(
            buffer.source_key[:rows],
            buffer.target_key[:rows],
            buffer.alignment_key[:rows],
            np.ones(rows, np.int64),
            buffer.numbers[start[:-1] + 1] == 0,
            start,
            buffer.numbers[:numbers],
        )
    )


def _merged(pieces: Sequence[Occurrences]) -> Occurrences:
    columns = [np.concatenate(column) for column in zip(*[p[:5] for p in pieces], strict=True)]
    sizes = np.concatenate([np.diff(piece.start) for piece in pieces])
    start = starts(sizes)
    numbers = np.concatenate([piece.numbers for piece in pieces])
    return counted(Occurrences._make([*columns, start, numbers]))


def counted(found: Occurrences) -> Occurrences:
    """Sort occurrences, and add up the counts of equal ones."""
    order = np.lexsort((found.alignment_key, found.target_key, found.source_key))
    keys = [key[order] for key in found[:3]]
    first = starts_of(*keys)
    rows = order[first]
    begin, end = found.start[rows], found.start[rows + 1]
    return Occurrences._make(
        [
            *[key[first] for key in keys],
            sums(found.times[order], first),
            sums(found.minimal[order].astype(np.int64), first) > 0,
            starts(end - begin),
            gather(found.numbers, begin, end),
        ]
    )
