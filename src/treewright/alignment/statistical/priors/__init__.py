"""What is expected of two words before any links are counted, from their letters.

Words that look alike may translate each other. So may words whose parts (the characters of Chinese
words, the first letters of others) do so in other words: a rare word is told by its relatives.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from treewright.alignment.statistical.priors._kernels import add_parts, expect, resemble
from treewright.corpora import Vocabulary

_IDEOGRAPH = re.compile("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U000323af]")
_PREFIX = 4
_MOST_LETTERS = 40
"""What is longer is hardly a word; comparing all its letters would take for ever."""

Ragged = tuple[NDArray[np.int32], NDArray[np.int64]]


class Priors:
    """The prior of each slot, given the two words of each (slot, side)."""

    def __init__(self, slots: NDArray[np.int32], words: Sequence[Vocabulary]) -> None:
        self.slots = slots
        self.alike = np.zeros(len(slots), np.float32)
        spelled = [_ragged(map(_codes, side.words)) for side in words]
        resemble(slots, *spelled[0], *spelled[1], self.alike)
        self._parts = [_parts(side.words) for side in words]

    def by_parts(self, count: NDArray[np.float64]) -> NDArray[np.float32]:
        """Return the probability of each slot's words, of the target word given the source word
        and the reverse, by what links of other words count for their parts.
        """
        parts, start = zip(*self._parts, strict=True)
        words, masses, widths = [], [], []
        for side in (0, 1):
            width = np.diff(start[side])
            words.append(np.bincount(self.slots[:, side], count, minlength=width.size))
            masses.append(np.bincount(parts[side], np.repeat(words[side], width)))
            widths.append(width[self.slots[count > 0, side]])
        pairs = int((widths[0] * widths[1]).sum())
        capacity = 1 << (2 * pairs + 16).bit_length()
        key, mass = np.full(capacity, -1, np.int64), np.zeros(capacity, np.float64)
        size = np.int64(masses[1].size)
        table = (*self._parts[0], *self._parts[1], size, key, mass)
        add_parts(self.slots, count, *table)
        expected = np.zeros((len(self.slots), 2), np.float32)
        expect(self.slots, count, *table, tuple(words), tuple(masses), expected)
        return expected


def parts_of(word: str) -> Iterator[str]:
    """Yield the parts of a word: the first characters of one with ideographs, the first four
    letters of another, or a short word itself.
    """
    if _IDEOGRAPH.search(word):
        yield from dict.fromkeys(word[:_MOST_LETTERS])
    elif len(word) > _PREFIX and word.isalpha():
        yield f"{word[:_PREFIX]}-"
    else:
        yield word


def _parts(words: Iterable[str]) -> Ragged:
    names = Vocabulary()
    return _ragged(map(names.add, parts_of(word)) for word in words)


def _codes(word: str) -> list[int]:
    return list(map(ord, word[:_MOST_LETTERS]))


def _ragged(rows: Iterable[Iterable[int]]) -> Ragged:
    flat: list[int] = []
    start = [0]
    for row in rows:
        flat.extend(row)
        start.append(len(flat))
    return np.array(flat, np.int32), np.array(start, np.int64)
