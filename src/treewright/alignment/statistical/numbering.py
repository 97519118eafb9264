"""Parallel text as arrays: words by number, and the pairs of words that meet somewhere.

Most pairs of words meet in one place only. What is counted of them needs no room of its own, so
their numbers come last; and which words they are is read from the text again rather than kept.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from treewright.alignment.statistical._numbering_kernels import (
    first_cells,
    number_cells,
    number_slots,
)
from treewright.arrays import Ints, Longs, starts
from treewright.corpora import MAX_SENTENCE, Sentences, Vocabulary, check_size
from treewright.errors import UsageError

_PART = 1 << 17
"""Cells whose slots are looked at together, if they are not those of one pair."""


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
    the same two words have the same slot. The first slots, `shared`, have several cells, the others
    one; of each kind, those that come first in the text have the lower numbers.
    """

    source: Ints
    source_start: Longs
    target: Ints
    target_start: Longs
    cell: Ints
    cell_start: Longs
    slots: int
    shared: int

    @property
    def pairs(self) -> int:
        """How many pairs there are."""
        return self.source_start.size - 1


class Slots(NamedTuple):
    """Some slots, and the two words of each."""

    number: Ints
    words: Ints


def join(text: Text) -> Bitext:
    """Number the pairs of words that meet in the pairs of a text."""
    source, target = text.source, text.target
    cells = source.lengths * target.lengths
    cell_start = starts(cells)
    sides = source.words, source.start, target.words, target.start
    bitext = Bitext(*sides, np.empty(cell_start[-1], np.int32), cell_start, 0, 0)
    tokens = np.argsort(source.words, kind="stable").astype(np.int32)
    pair = np.repeat(np.arange(len(text), dtype=np.int32), source.lengths)
    slots = number_cells(bitext, tokens, pair)
    return bitext._replace(slots=int(slots), shared=int(number_slots(bitext.cell, slots)))


def slots_of(bitext: Bitext) -> Iterator[Slots]:
    """Stream the slots of a text, in parts, in the order of their first cells."""
    first, next_shared = 0, 0
    while first < bitext.pairs:
        begin = bitext.cell_start[first]
        last = int(np.searchsorted(bitext.cell_start, begin + _PART, "right")) - 1
        last = max(first + 1, last)
        room = int(bitext.cell_start[last] - begin)
        number, words = np.empty(room, np.int32), np.empty((room, 2), np.int32)
        count = first_cells(bitext, first, last, next_shared, number, words)
        next_shared += int((number[:count] < bitext.shared).sum())
        yield Slots(number[:count], words[:count])
        first = last


def check_parallel(sources: Sequence[Any], targets: Sequence[Any]) -> None:
    """Raise a `UsageError` if not every sentence has a partner."""
    if len(sources) != len(targets):
        raise UsageError(
            f"{len(sources)} source sentences, but {len(targets)} target sentences; each sentence "
            "must have its partner"
        )
