"""N-grams in any order, as a file lists them, put into levels."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from treewright.errors import ParseError
from treewright.lm.arrays import Ints, Level

Longs = NDArray[np.int64]
LN10 = math.log(10)


@dataclass
class Rows:
    """N-grams of an order: numbered words, base-10 logarithms, and the line of each.

    A back-off weight that is not given is NaN; so is the probability of an n-gram that was added
    because others need it.
    """

    order: int
    words: array[int] = field(default_factory=lambda: array("i"))
    log_prob: array[float] = field(default_factory=lambda: array("d"))
    back_off: array[float] = field(default_factory=lambda: array("d"))
    line: array[int] = field(default_factory=lambda: array("q"))

    def __len__(self) -> int:
        return len(self.line)

    def add(self, words: Sequence[int], log_prob: float, back_off: float, line: int) -> None:
        """Add an n-gram."""
        self.words.extend(words)
        self.log_prob.append(log_prob)
        self.back_off.append(back_off)
        self.line.append(line)

    def extend(
        self,
        columns: Sequence[Sequence[int]],
        log_prob: Sequence[float],
        back_off: Sequence[float],
        lines: Sequence[int],
    ) -> None:
        """Add n-grams; `columns` has the first words of all, then the second ones, and so on."""
        self.words.frombytes(np.array(columns, np.int32).T.tobytes())
        self.log_prob.extend(log_prob)
        self.back_off.extend(back_off)
        self.line.extend(lines)

    def matrix(self) -> Ints:
        """Return the words, an n-gram on each row."""
        return np.array(self.words, np.int32).reshape(-1, self.order)

    def check(self, path: str) -> None:
        """Raise a `ParseError` at the first value that is no logarithm of a probability or a
        weight.
        """
        log_prob, back_off = np.array(self.log_prob), np.array(self.back_off)
        for bad, what in (
            (~(log_prob <= 0), "a log-probability is a number not greater than 0"),
            (np.isinf(back_off), "a back-off weight is a finite number"),
        ):
            if bad.any():
                raise ParseError(what, where=f"{path}:{self.line[int(bad.argmax())]}")


def levels_of_rows(sections: Sequence[Rows], num_words: int, path: str) -> list[Level]:
    """Sort the n-grams of all orders, from unigrams up, and connect them.

    A trie can reach an n-gram only if those without its last and without its first word are there
    too. Pruned models lack some: they are added, at what backing off gives them.
    """
    found = _connect(sections, num_words, path)
    return found if found is not None else _complete_and_connect(sections, num_words, path)


def _complete_and_connect(sections: Sequence[Rows], num_words: int, path: str) -> list[Level]:
    sections = [_copied(rows) for rows in sections]
    for rows, above in zip(sections[-2:0:-1], sections[:1:-1], strict=True):
        present = {tuple(words) for words in rows.matrix().tolist()}
        for words in above.matrix().tolist():
            for needed in (tuple(words[:-1]), tuple(words[1:])):
                if needed not in present:
                    present.add(needed)
                    rows.add(needed, math.nan, 0.0, 0)
    levels = _connect(sections, num_words, path)
    assert levels is not None
    return levels


def _copied(rows: Rows) -> Rows:
    return Rows(rows.order, rows.words[:], rows.log_prob[:], rows.back_off[:], rows.line[:])


def _connect(sections: Sequence[Rows], num_words: int, path: str) -> list[Level] | None:
    """Return the levels, or `None` if an n-gram that others need is missing."""
    levels: list[Level] = []
    keys: list[Longs] = []
    has_weight: NDArray[np.bool_] = np.zeros(0, bool)
    lines: Longs = np.zeros(0, np.int64)
    for rows in sections:
        words = rows.matrix()
        parent, suffix = _find(words[:, :-1], keys, num_words), _find(words[:, 1:], keys, num_words)
        if (parent < 0).any() or (suffix < 0).any():
            return None
        if levels:
            _check_weights(parent, has_weight, lines, path)
        key = parent * num_words + words[:, -1]
        order = np.argsort(key, kind="stable")
        keys.append(key[order])
        lines = np.array(rows.line, np.int64)[order]
        _check_repeated(keys[-1], lines, path)
        back_off = LN10 * np.array(rows.back_off)[order]
        has_weight = ~np.isnan(back_off)
        level = Level(
            parent=parent[order].astype(np.int32),
            word=words[order, -1],
            suffix=suffix[order].astype(np.int32),
            log_prob=LN10 * np.array(rows.log_prob)[order],
            back_off=np.where(has_weight, back_off, 0.0),
        )
        _back_off_added(level, levels[-1] if levels else level)
        levels.append(level)
    return levels


def _find(words: Ints, keys: Sequence[Longs], num_words: int) -> Longs:
    """Return where n-grams are in their level, -1 for those that are not; 0 for empty ones."""
    place = np.zeros(len(words), np.int64)
    for column, known in zip(words.T, keys, strict=False):
        key = place * num_words + column
        found = np.searchsorted(known, key)
        is_known = np.append(known, -1)[found] == key
        place = np.where((place >= 0) & is_known, found, -1)
    return place


def _back_off_added(level: Level, below: Level) -> None:
    """Give n-grams that were added the probability that backing off gives them."""
    added = np.isnan(level.log_prob)
    weight = below.back_off[level.parent[added]]
    level.log_prob[added] = weight + below.log_prob[level.suffix[added]]


def _check_weights(parent: Longs, has_weight: NDArray[np.bool_], lines: Longs, path: str) -> None:
    lacking = ~has_weight[parent]
    if lacking.any():
        line = int(lines[parent[lacking]].min())
        raise ParseError(
            "the n-gram has no back-off weight, but longer ones begin with it",
            where=f"{path}:{line}",
        )


def _check_repeated(keys: Longs, lines: Longs, path: str) -> None:
    again = np.flatnonzero(keys[1:] == keys[:-1])
    if again.size:
        line = int(lines[again + 1].min())
        raise ParseError("the n-gram is in the file twice", where=f"{path}:{line}")
