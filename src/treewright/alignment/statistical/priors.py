"""What is expected of two words before any links are counted, from their letters.

Words that look alike may translate each other. So may words whose parts (the characters of Chinese
words, the first letters of others) do so in other words: a rare word is told by its relatives.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from treewright.alignment.statistical._priors_kernels import (
    Parts,
    add_parts,
    expect,
    move,
    resemble,
)
from treewright.arrays import Floats, Ints, Longs, Singles
from treewright.corpora import Vocabulary

_IDEOGRAPH = re.compile("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U000323af]")
_PREFIX = 4
_MOST_LETTERS = 40
"""What is longer is hardly a word; comparing all its letters would take for ever."""

_LEAST = 1 << 12
"""Room for twice as many pairs of parts as two words can have, at least."""

Ragged = tuple[Ints, Longs]


class Priors:
    """What the letters of words say, given the words of both sides."""

    def __init__(self, words: Sequence[Vocabulary]) -> None:
        self._spelled = [_ragged(map(_codes, side.words)) for side in words]
        self._parts = [_parts(side.words) for side in words]

    def alike(self, pairs: Ints) -> Singles:
        """Return how alike the two words of each pair are, from 0 to 1."""
        found = np.zeros(len(pairs), np.float32)
        resemble(pairs, *self._spelled[0], *self._spelled[1], found)
        return found

    def relatives(self, pairs: Ints, count: Floats) -> Relatives:
        """Return what links of these pairs of words count for others."""
        return Relatives(self._parts, pairs, count)


class Relatives:
    """How often the parts of words are linked, given links of words."""

    def __init__(self, parts: Sequence[Ragged], pairs: Ints, count: Floats) -> None:
        self._words, self._masses = [], []
        for side, (part, start) in enumerate(parts):
            width = np.diff(start)
            self._words.append(np.bincount(pairs[:, side], count, minlength=width.size))
            self._masses.append(np.bincount(part, np.repeat(self._words[side], width)))
        self._numbered = Parts(*parts[0], *parts[1], self._masses[1].size)
        key, mass = _table(_LEAST)
        done, used = 0, 0
        while done < len(pairs):
            done, used = add_parts(pairs, count, self._numbered, key, mass, done, used)
            if done < len(pairs):
                larger = _table(2 * key.size)
                move(key, mass, *larger)
                key, mass = larger
        self._table = key, mass

    def expect(self, pairs: Ints, count: Floats) -> Singles:
        """Return the probability of pairs of words, of the target word given the source word and
        the reverse, by what links of other words, not their own `count`, say of their parts.
        """
        expected = np.zeros((len(pairs), 2), np.float32)
        sums = tuple(self._words), tuple(self._masses)
        expect(pairs, count, self._numbered, *self._table, *sums, expected)
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


def _table(capacity: int) -> tuple[Longs, Floats]:
    return np.full(capacity, -1, np.int64), np.zeros(capacity, np.float64)
