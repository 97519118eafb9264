"""Options: every way to translate a span of one sentence, in arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.arrays import Bools, Floats, Ints, Longs
from treewright.translation.decoding.features import COUNTED
from treewright.translation.rows import pick

if TYPE_CHECKING:
    from treewright.translation.phrases.table import PhraseTable

COPIED, GIVEN = -1, -2
"""In place of a row of the table: a word that it lacks, a translation that the user gave."""

UNSEEN = -10.0
"""The logarithm that stands for the probabilities of a pair that the table lacks."""

Allowed = Callable[[Ints, Ints], Bools]
"""Tells of spans, by where they start and end, whether the table may translate them."""


@dataclass(frozen=True, eq=False)
class Options:
    """Spans and their translations, one per row; words beyond the vocabulary are in `extra`."""

    start: Ints
    end: Ints
    row: Longs
    word_start: Longs
    words: Ints
    features: Floats
    reordering: Floats
    extra: tuple[str, ...] = ()

    def __len__(self) -> int:
        return self.start.size

    def take(self, order: NDArray[Any]) -> Options:
        """Return these rows, in this order."""
        word_start, places = pick(self.word_start, order)
        return Options(
            self.start[order],
            self.end[order],
            self.row[order],
            word_start,
            self.words[places],
            self.features[order],
            self.reordering[order],
            self.extra,
        )


@dataclass(frozen=True)
class Fixed:
    """A span whose translation the user gave."""

    start: int
    end: int
    words: tuple[str, ...]


def gather(
    table: PhraseTable,
    sentence: Sequence[str],
    fixed: Sequence[Fixed] = (),
    *,
    copy: bool = True,
    spelled: Sequence[str] | None = None,
    allowed: Allowed | None = None,
) -> Options:
    """Return the options of a sentence: the table's, and one for each word that it lacks.

    A word that is not translated is copied, or left out if not `copy`; if the target language has
    no such word, as the user `spelled` it. Within a fixed span there is
    no other option. `allowed` tells which spans the table may translate.
    """
    numbers = table.source.numbers(sentence)
    spans = table.spans(numbers)
    first, row = pick(table.trie.option_start, spans.node)
    count = np.diff(first)
    start, end = np.repeat(spans.start, count), np.repeat(spans.end, count)
    if fixed:
        taken = np.zeros(len(sentence) + 1, np.int64)
        for part in fixed:
            taken[part.start + 1 : part.end + 1] = 1
        total = np.cumsum(taken)
        free = total[end] == total[start]
        row, start, end = row[free], start[free], end[free]
    if allowed is not None:
        chosen = allowed(start, end)
        row, start, end = row[chosen], start[chosen], end[chosen]
    own = _own(table, sentence, spelled or sentence, start, end, fixed, copy)
    return _join(_from_table(table, row, start, end), own)


def _from_table(table: PhraseTable, row: Longs, start: Ints, end: Ints) -> Options:
    word_start, places = pick(table.target_start, row)
    columns = len(table.feature_names)
    features = np.zeros((row.size, columns + len(COUNTED)))
    features[:, :columns] = table.features[row]
    features[:, columns] = 1.0
    features[:, columns + 1] = np.diff(word_start)
    return Options(
        start,
        end,
        row,
        word_start,
        table.target_words[places],
        features,
        table.reordering[row].astype(np.float64),
    )


def _own(
    table: PhraseTable,
    sentence: Sequence[str],
    spelled: Sequence[str],
    start: Ints,
    end: Ints,
    fixed: Sequence[Fixed],
    copy: bool,
) -> Options:
    """Return the options that the table lacks: untranslated words, and what the user gave."""
    known = _translated(len(sentence), start, end, fixed)
    made: list[tuple[int, int, tuple[str, ...], int]] = []
    for place in np.flatnonzero(~known).tolist():
        word = sentence[place] if sentence[place] in table.target else spelled[place]
        made.append((place, place + 1, (word,) if copy else (), COPIED))
    made += [(part.start, part.end, part.words, GIVEN) for part in fixed]
    extra: dict[str, int] = {}
    words: list[int] = []
    word_start = [0]
    for _, _, texts, _ in made:
        for text in texts:
            number = table.target.find(text)
            if number < 0:
                number = extra.setdefault(text, len(table.target) + len(extra))
            words.append(number)
        word_start.append(len(words))
    columns = len(table.feature_names)
    features = np.full((len(made), columns + len(COUNTED)), UNSEEN)
    features[:, columns] = 1.0
    features[:, columns + 1] = np.diff(word_start)
    # How an unknown word moves is unknown.
    reordering = np.full((len(made), 6), np.log(1 / 3))
    return Options(
        np.array([start for start, *_ in made], np.int32),
        np.array([end for _, end, *_ in made], np.int32),
        np.array([kind for *_, kind in made], np.int64),
        np.array(word_start, np.int64),
        np.array(words, np.int32),
        features,
        reordering,
        tuple(extra),
    )


def _translated(size: int, start: Ints, end: Ints, fixed: Sequence[Fixed]) -> Bools:
    """Mark the words that need not be copied: all that some phrase covers, if phrases can be
    chosen that cover them all; otherwise only those that are phrases by themselves.
    """
    alone = np.zeros(size, np.bool_)
    alone[start[end - start == 1]] = True
    change = np.zeros(size + 1, np.int64)
    np.add.at(change, start, 1)
    np.add.at(change, end, -1)
    covered = np.cumsum(change)[:-1] > 0
    for part in fixed:
        alone[part.start : part.end] = covered[part.start : part.end] = True
    if (alone == covered).all():
        return covered
    spans = {*zip(start.tolist(), end.tolist(), strict=True)}
    spans |= {(part.start, part.end) for part in fixed}
    spans |= {(place, place + 1) for place in np.flatnonzero(~covered).tolist()}
    reached = [True] + [False] * size
    for first, last in sorted(spans):
        reached[last] |= reached[first]
    return covered if reached[size] else alone


def _join(one: Options, other: Options) -> Options:
    parts: dict[str, Any] = {
        field.name: np.concatenate([getattr(one, field.name), getattr(other, field.name)])
        for field in fields(Options)
        if field.name not in ("word_start", "extra")
    }
    word_start = np.concatenate([one.word_start, other.word_start[1:] + one.word_start[-1]])
    return Options(**parts, word_start=word_start, extra=one.extra + other.extra)
