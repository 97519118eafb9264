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
from typing import NamedTuple

import numpy as np

from treewright.arrays import Ints, Longs
from treewright.corpora import Links
from treewright.translation.phrases._kernels import (
    MOST_TARGETS,
    ORIENTATION_BITS,
    LinkColumns,
    extract,
)
from treewright.translation.phrases.ngrams import NGrams
from treewright.translation.rows import chunks, starts_of, stored, sums

_BYTES = 48
"""What an occurrence takes while a run is sorted."""
_CHUNK = 1 << 18
"""How many occurrences are merged and scored at a time, if memory allows."""


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
        for cut in chunks([run.key for run in self.runs], self.chunk, low_bits=32):
            pieces = [
                Occurrences(*(np.asarray(column[part]) for column in run))
                for run, part in zip(self.runs, cut, strict=True)
            ]
            yield pieces[0] if len(pieces) == 1 else _merged(pieces)


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
            runs.append(run if is_only else stored(run, Path(place) / str(len(runs))))
        del keys, infos
        chunk = max(1, min(_CHUNK, room // 4))
        yield Extracted(runs, sides[0].counts, sides[1].counts, orientations, chunk)


def _merged(pieces: Sequence[Occurrences]) -> Occurrences:
    return count_occurrences(*(np.concatenate(columns) for columns in zip(*pieces, strict=True)))


def count_occurrences(key: Longs, info: Longs, count: Longs) -> Occurrences:
    """Sort occurrences, and add up the counts of equal ones."""
    order = np.lexsort((info, key))
    key, info = key[order], info[order]
    starts = starts_of(key, info)
    return Occurrences(key[starts], info[starts], sums(count[order], starts))


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
