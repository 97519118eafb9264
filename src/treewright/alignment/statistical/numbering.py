"""Parallel text as arrays: words by number, and the pairs of words that meet somewhere."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.alignment.statistical._kernels import move, number_cells
from treewright.corpora import MAX_SENTENCE, Sentences, Vocabulary, check_size
from treewright.errors import UsageError

_LEAST = 1 << 12


@dataclass(frozen=True, eq=False)
class Text:
    """The numbered words of parallel sentences, and what the numbers stand for."""

    source: Sentences
    target: Sentences
    source_words: Vocabulary = field(default_factory=Vocabulary)
    target_words: Vocabulary = field(default_factory=Vocabulary)

    @classmethod
    def of(
        cls,
        pairs: Iterable[tuple[Sequence[str], Sequence[str]]],
        *,
        lowercase: bool,
        known: tuple[Iterable[str], Iterable[str]] = ((), ()),
    ) -> Text:
        """Number the words of pairs, which may be a stream; in lower case if so wanted.

        The words of each language that are `known` already come first.
        """
        words = array("i"), array("i")
        start = array("q", [0]), array("q", [0])
        vocabularies = Vocabulary(known[0]), Vocabulary(known[1])
        adders = tuple(vocabulary.add for vocabulary in vocabularies)
        for number, pair in enumerate(pairs, start=1):
            for side in (0, 1):
                what, where = f"the {('source', 'target')[side]} sentence", f"pair {number}"
                check_size(pair[side], MAX_SENTENCE, what=what, where=where)
                sentence = map(str.lower, pair[side]) if lowercase else pair[side]
                words[side].extend(map(adders[side], sentence))
                start[side].append(len(words[side]))
        sides = [
            Sentences(np.array(words[side], np.int32), np.array(start[side], np.int64))
            for side in (0, 1)
        ]
        return cls(sides[0], sides[1], *vocabularies)

    def __len__(self) -> int:
        return len(self.source)


class Bitext(NamedTuple):
    """The words of pairs side by side, and the slot of each cell of their matrices.

    The cells of pair `p` begin at `cell_start[p]`, those of a source word side by side. Cells with
    the same two words have the same slot.
    """

    source: NDArray[np.int32]
    source_start: NDArray[np.int64]
    target: NDArray[np.int32]
    target_start: NDArray[np.int64]
    cell: NDArray[np.int32]
    cell_start: NDArray[np.int64]

    @property
    def pairs(self) -> int:
        """How many pairs there are."""
        return self.source_start.size - 1


def join(text: Text) -> tuple[Bitext, NDArray[np.int32]]:
    """Number the pairs of words that meet in the pairs of a text; return the two words of each."""
    source, target = text.source, text.target
    cells = source.lengths * target.lengths
    cell_start = np.concatenate([[0], np.cumsum(cells)]).astype(np.int64)
    bitext = Bitext(
        source.words,
        source.start,
        target.words,
        target.start,
        np.empty(cell_start[-1], np.int32),
        cell_start,
    )
    capacity = _LEAST
    while capacity < 2 * cells.max(initial=0):
        capacity *= 2
    key, slot = _table(capacity)
    first, used = 0, 0
    size = np.int64(max(1, len(text.target_words)))
    while first < len(text):
        first, used = number_cells(bitext, first, size, key, slot, used)
        if first < len(text):
            larger = _table(2 * key.size)
            move(key, slot, *larger)
            key, slot = larger
    slots = np.empty((used, 2), np.int32)
    taken = key >= 0
    slots[slot[taken]] = np.stack(np.divmod(key[taken], size), axis=1)
    return bitext, slots


def _table(capacity: int) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    return np.full(capacity, -1, np.int64), np.empty(capacity, np.int32)


def check_parallel(sources: Sequence[Any], targets: Sequence[Any]) -> None:
    """Raise a `UsageError` if not every sentence has a partner."""
    if len(sources) != len(targets):
        raise UsageError(
            f"{len(sources)} source sentences, but {len(targets)} target sentences; each sentence "
            "must have its partner"
        )
