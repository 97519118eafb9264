"""Phrase pairs as they occur in a text, sorted and counted; on disk where memory does not do.

An occurrence is two numbers: the key, which names both phrases, and the info, the links inside and
the orientations. What a run of extraction found is sorted, and equal occurrences are counted. A
single run stays in memory; several go to files, which are merged.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.corpora import Links
from treewright.translation.phrases._kernels import (
    MOST_TARGETS,
    ORIENTATION_BITS,
    extract,
)
from treewright.translation.phrases.ngrams import Ints, Longs, NGrams

_BYTES = 48
"""What an occurrence takes while a run is sorted."""
_CHUNK = 1 << 18
"""How many occurrences are merged and scored at a time, if memory allows."""


class LinkColumns(NamedTuple):
    """The arrays of `Links`."""

    source: Ints
    target: Ints
    start: Longs


class Side(NamedTuple):
    """What extraction needs of one language: where sentences start, names of phrases, counts."""

    start: Longs
    first: Ints
    counts: Ints


class Occurrences(NamedTuple):
    """Different occurrences in ascending order, and how often each was found."""

    key: Longs
    info: Longs
    times: Longs


class PairCounts(NamedTuple):
    """Phrase pairs in ascending order of their keys, and what was counted of each.

    `links` are the most frequent ones inside, as bits; `orientations` are of the previous phrase,
    then of the following one: monotone, swap, discontinuous.
    """

    key: Longs
    links: Longs
    joint: Longs
    orientations: Longs

    @property
    def source(self) -> Longs:
        """The names of the source phrases."""
        return self.key >> 32

    @property
    def target(self) -> Longs:
        """The names of the target phrases."""
        return self.key & 0xFFFFFFFF

    def take(self, rows: Longs) -> PairCounts:
        """Return some of the pairs."""
        return PairCounts._make(column[rows] for column in self)


@dataclass(frozen=True, eq=False)
class Extracted:
    """The phrase pairs of a text, in runs to be merged.

    How often each phrase occurs in pairs is counted by length and rank, orientations by
    (previous, following) × (monotone, swap, discontinuous).
    """

    runs: Sequence[Occurrences]
    source_count: Ints
    target_count: Ints
    orientations: Longs
    chunk: int

    def pairs(self) -> Iterator[PairCounts]:
        """Yield the pairs in chunks; those of one source phrase come together."""
        return map(_count_pairs, self._chunks())

    def _chunks(self) -> Iterator[Occurrences]:
        """Merge the runs; at least one chunk comes, if an empty one."""
        at, sizes = [0] * len(self.runs), [run.key.size for run in self.runs]
        while True:
            ends = self._ends(at)
            pieces = [
                Occurrences(*(np.asarray(column[start:end]) for column in run))
                for run, start, end in zip(self.runs, at, ends, strict=True)
            ]
            yield pieces[0] if len(pieces) == 1 else _merged(pieces)
            if ends == sizes:
                return
            at = ends

    def _ends(self, at: list[int]) -> list[int]:
        """Return where the next chunk ends in each run: before the same source phrase."""
        share = max(1, self.chunk // len(self.runs))
        following = [
            int(run.key[start + share]) >> 32
            for run, start in zip(self.runs, at, strict=True)
            if start + share < run.key.size
        ]
        if not following:
            return [run.key.size for run in self.runs]
        ends = [int(np.searchsorted(run.key, min(following) << 32)) for run in self.runs]
        if ends == at:
            # A single phrase has more occurrences than a chunk.
            ends = [int(np.searchsorted(run.key, (min(following) + 1) << 32)) for run in self.runs]
        return ends


@contextmanager
def extraction(
    source: NGrams,
    target: NGrams,
    links: Links,
    *,
    by_phrases: bool,
    memory: int,
    folder: str | Path | None = None,
) -> Iterator[Extracted]:
    """Extract all phrase pairs of a text; within it, files hold those beyond `memory` bytes."""
    sides = [Side(s.text.start, s.first, np.zeros_like(s.first)) for s in (source, target)]
    spans = source.text.lengths * int(source.first.shape[0])
    most = min(int(spans.sum()) * MOST_TARGETS, memory // _BYTES)
    room = max(1, most, int(spans.max(initial=0)) * MOST_TARGETS)
    keys, infos = np.empty(room, np.int64), np.empty(room, np.int64)
    columns = LinkColumns(links.source, links.target, links.start)
    orientations = np.zeros((2, 3), np.int64)
    runs: list[Occurrences] = []
    sentence = 0
    with tempfile.TemporaryDirectory(prefix="treewright-phrases-", dir=folder) as place:
        while not runs or sentence < len(links):
            sentence, found = extract(
                *sides, columns, sentence, by_phrases, keys, infos, orientations
            )
            run = count_occurrences(keys[:found], infos[:found], np.ones(found, np.int64))
            is_only = not runs and sentence == len(links)
            runs.append(run if is_only else _stored(run, Path(place) / str(len(runs))))
        del keys, infos
        chunk = max(1, min(_CHUNK, room // 4))
        yield Extracted(runs, sides[0].counts, sides[1].counts, orientations, chunk)


def _stored(run: Occurrences, path: Path) -> Occurrences:
    """Write a run to files, and map these into memory."""
    columns = []
    for name, column in run._asdict().items():
        file = path.with_suffix(f".{name}.npy")
        np.save(file, column)
        columns.append(np.load(file, mmap_mode="r"))
    return Occurrences(*columns)


def _merged(pieces: Sequence[Occurrences]) -> Occurrences:
    return count_occurrences(*(np.concatenate(columns) for columns in zip(*pieces, strict=True)))


def count_occurrences(key: Longs, info: Longs, count: Longs) -> Occurrences:
    """Sort occurrences, and add up the counts of equal ones."""
    order = np.lexsort((info, key))
    key, info = key[order], info[order]
    starts = starts_of(key, info)
    return Occurrences(key[starts], info[starts], sums(count[order], starts))


def starts_of(*columns: NDArray[Any]) -> Longs:
    """Return where runs of equal rows start."""
    differs = np.zeros(columns[0].size, np.bool_)
    differs[:1] = True
    for column in columns:
        differs[1:] |= column[1:] != column[:-1]
    return np.flatnonzero(differs)


def sums(values: Longs, starts: Longs) -> Longs:
    """Add up the values of each run."""
    return np.add.reduceat(values, starts) if starts.size else np.zeros(0, np.int64)


def _count_pairs(chunk: Occurrences) -> PairCounts:
    """Count what occurrences tell about each pair."""
    starts = starts_of(chunk.key)
    inside = chunk.info >> ORIENTATION_BITS
    oriented = [
        sums(chunk.times * (((chunk.info >> shift) & 3) == orientation), starts)
        for shift in (0, 2)
        for orientation in range(3)
    ]
    return PairCounts(
        chunk.key[starts],
        _most_frequent(chunk.key, inside, chunk.times),
        sums(chunk.times, starts),
        np.stack(oriented, axis=1),
    )


def _most_frequent(key: Longs, values: Longs, count: Longs) -> Longs:
    """Return for each key the value with the greatest count; the least of several."""
    starts = starts_of(key, values)
    count = sums(count, starts)
    key, values = key[starts], values[starts]
    order = np.lexsort((values, -count, key))
    return values[order][starts_of(key[order])]
