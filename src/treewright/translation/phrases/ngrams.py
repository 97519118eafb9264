"""All n-grams of a text, numbered by one sort of its positions.

Positions are sorted by the words that follow them in their sentence. The positions where an n-gram
occurs are then neighbours, so the first of them and the length name it. Sorting needs memory for
the text, not for its n-grams; and names are in alphabetical order, an n-gram right before those
that continue it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treewright.arrays import Ints, Longs
from treewright.corpora import Sentences
from treewright.errors import DataError
from treewright.translation.rows import spread

LONGEST = 7
"""How many words an n-gram may have."""
LENGTH_BITS = 3
"""A name is the rank of the first position, then this many bits for the length less one."""
MAX_TEXT = 1 << 28
"""How many words a text may have, so that two names fit into one 64-bit number."""


@dataclass(frozen=True, eq=False)
class NGrams:
    """The positions of a text in the order of the words that follow.

    `order[rank]` is a position, `rank[position]` the inverse. `first[n - 1, position]` is the least
    rank with the same n words, defined where the sentence has as many.
    """

    text: Sentences
    order: Ints
    rank: Ints
    first: Ints

    @classmethod
    def of(cls, text: Sentences, longest: int = LONGEST) -> NGrams:
        """Sort the positions of a text by the next seven words, and compare neighbours."""
        size = text.words.size
        if size >= MAX_TEXT:
            raise DataError(f"a text of {size} words; phrases are counted in at most {MAX_TEXT}")
        left = np.repeat(text.start[1:], text.lengths) - np.arange(size)
        order = _sorted_positions(text.words, left)
        rank = np.empty(size, np.int32)
        rank[order] = np.arange(size, dtype=np.int32)
        first = np.empty((longest, size), np.int32)
        starts = np.zeros(size, np.bool_)
        starts[:1] = True
        for n in range(longest):
            word = _shifted(text.words + 1, n, left)[order]
            starts[1:] |= (word[1:] != word[:-1]) | (word[1:] == 0)
            firsts = np.maximum.accumulate(np.where(starts, np.arange(size, dtype=np.int32), 0))
            first[n, order] = firsts
        return cls(text, order, rank, first)

    def where(self, names: Longs) -> tuple[Longs, Longs]:
        """Return a position and the length of each n-gram."""
        position = self.order[names >> LENGTH_BITS].astype(np.int64)
        return position, (names & ((1 << LENGTH_BITS) - 1)) + 1

    def spelled(self, names: Longs) -> tuple[Longs, Ints]:
        """Return the words of n-grams side by side, after where each starts."""
        start, places = spread(*self.where(names))
        return start, self.text.words[places]


def _shifted(values: Ints, by: int, left: Longs) -> Ints:
    """Return for each position the value `by` words later, 0 beyond the end of its sentence."""
    later = np.zeros(values.size, np.int32)
    later[: max(0, values.size - by)] = values[by:]
    later[left <= by] = 0
    return later


def _sorted_positions(words: Ints, left: Longs) -> Ints:
    """Sort positions by seven words: ranks of two words give those of four, these of seven."""
    ranks = words + np.int32(1)
    for step in (1, 2):
        ranks = _dense(_joined(ranks, _shifted(ranks, step, left)))
    # Words 4 and 1 to 4 overlap; that neither splits equal sequences nor changes their order.
    return np.argsort(_joined(ranks, _shifted(ranks, 3, left)), kind="stable").astype(np.int32)


def _joined(one: Ints, other: Ints) -> Longs:
    return (one.astype(np.int64) << 32) | other


def _dense(values: Longs) -> Ints:
    """Replace values by their places among the different ones, from 1."""
    order = np.argsort(values)
    ordered = values[order]
    places = np.ones(values.size, np.int32)
    places[order[1:]] = 1 + np.cumsum(ordered[1:] != ordered[:-1], dtype=np.int32)
    return places
