"""N-grams in any order, as a file lists them, put into levels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from treewright.arrays import Bools, Floats, Ints, Longs
from treewright.errors import ParseError
from treewright.lm._kernels import find_ngrams
from treewright.lm.arrays import Level, join_levels

LN10 = math.log(10)


@dataclass(frozen=True, eq=False)
class Rows:
    """N-grams of an order, one a row: numbered words, base-10 logarithms, and the line of each.

    A back-off weight that is not given is NaN; so is the probability of an n-gram that was added
    because others need it.
    """

    words: Ints
    log_prob: Floats
    back_off: Floats
    line: Longs

    @classmethod
    def empty(cls, number: int, order: int) -> Rows:
        """Return room for n-grams."""
        words = np.zeros((number, order), np.int32)
        return cls(words, np.zeros(number), np.zeros(number), np.zeros(number, np.int64))

    def __len__(self) -> int:
        return self.line.size

    @property
    def order(self) -> int:
        """How many words each n-gram has."""
        return int(self.words.shape[1])

    def with_added(self, words: Sequence[tuple[int, ...]]) -> Rows:
        """Return these n-grams and others, whose probabilities are left to backing off."""
        added = np.array(words, np.int32).reshape(-1, self.order)
        return Rows(
            np.concatenate([self.words, added]),
            np.concatenate([self.log_prob, np.full(len(words), math.nan)]),
            np.concatenate([self.back_off, np.zeros(len(words))]),
            np.concatenate([self.line, np.zeros(len(words), np.int64)]),
        )

    def check(self, path: str) -> None:
        """Raise a `ParseError` at the first value that is no logarithm of a probability or a
        weight.
        """
        for bad, what in (
            (~(self.log_prob <= 0), "a log-probability is a number not greater than 0"),
            (np.isinf(self.back_off), "a back-off weight is a finite number"),
        ):
            if bad.any():
                raise ParseError(what, where=f"{path}:{self.line[bad.argmax()]}")


def levels_of_rows(sections: Sequence[Rows], num_words: int, path: str) -> list[Level]:
    """Sort the n-grams of all orders, from unigrams up, and connect them.

    A trie can reach an n-gram only if those without its last and without its first word are there
    too. Pruned models lack some: they are added, at what backing off gives them.
    """
    found = _connect(sections, num_words, path)
    if found is None:
        found = _connect(_completed(sections), num_words, path)
        assert found is not None
    return found


def _completed(sections: Sequence[Rows]) -> list[Rows]:
    complete = list(sections)
    for k in range(len(complete) - 2, 0, -1):
        present = set(map(tuple, complete[k].words.tolist()))
        missing: dict[tuple[int, ...], None] = {}
        for words in complete[k + 1].words.tolist():
            for needed in (tuple(words[:-1]), tuple(words[1:])):
                if needed not in present:
                    missing[needed] = None
        complete[k] = complete[k].with_added(list(missing))
    return complete


def _connect(sections: Sequence[Rows], num_words: int, path: str) -> list[Level] | None:
    """Return the levels, or `None` if an n-gram that others need is missing."""
    levels: list[Level] = []
    lines: Longs = np.zeros(0, np.int64)
    has_weight: Bools = np.zeros(0, bool)
    for rows in sections:
        parent, suffix = _places(rows, levels)
        if (parent < 0).any() or (suffix < 0).any():
            return None
        if levels:
            _check_weights(parent, has_weight, lines, path)
        key = parent * num_words + rows.words[:, -1]
        order = np.argsort(key, kind="stable")
        lines = rows.line[order]
        _check_repeated(key[order], lines, path)
        back_off = LN10 * rows.back_off[order]
        has_weight = ~np.isnan(back_off)
        level = Level(
            parent=parent[order].astype(np.int32),
            word=rows.words[order, -1],
            suffix=suffix[order].astype(np.int32),
            log_prob=LN10 * rows.log_prob[order],
            back_off=np.where(has_weight, back_off, 0.0),
        )
        _back_off_added(level, levels[-1] if levels else level)
        levels.append(level)
    return levels


def _places(rows: Rows, levels: Sequence[Level]) -> tuple[Longs, Longs]:
    """Return where n-grams without their last word, and without their first one, are in the level
    below; a negative number for those that are not.
    """
    parent, suffix = np.zeros(len(rows), np.int64), np.zeros(len(rows), np.int64)
    if levels:
        nodes = join_levels(levels)
        for first, place in enumerate((parent, suffix)):
            find_ngrams(nodes, rows.words, first, rows.order - 1, place)
            place -= nodes.size - 1 - len(levels[-1])
    return parent, suffix


def _back_off_added(level: Level, below: Level) -> None:
    """Give n-grams that were added the probability that backing off gives them, at most 1."""
    added = np.isnan(level.log_prob)
    weight = below.back_off[level.parent[added]]
    level.log_prob[added] = np.minimum(weight + below.log_prob[level.suffix[added]], 0)


def _check_weights(parent: Longs, has_weight: Bools, lines: Longs, path: str) -> None:
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
