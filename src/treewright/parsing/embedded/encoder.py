"""Words → states: the lower part of the network, which the parser shares with other models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.arrays import Longs
from treewright.parsing.embedded.arrays import Array, Arrays
from treewright.parsing.embedded.codes import STATE, VECTOR, Codes, Factor, encode
from treewright.parsing.embedded.inventory import END, START, Inventory

_REMEMBERED = 50_000
"""The most word vectors to keep, so a stream of new words cannot fill the memory."""


class Recurrence(NamedTuple):
    """What the gates of an LSTM get: the product of its states with a packed matrix, and a bias."""

    packed: NDArray[np.int8]
    scales: Array
    bias: Array

    @classmethod
    def of(cls, arrays: Arrays, side: str) -> Recurrence:
        """Lay out that of one direction of a layer."""
        return cls(*Factor.of(arrays.coded(f"{side}_state"), STATE), arrays[f"{side}_bias"])


class Batch(NamedTuple):
    """Sentences whose tokens come one after another, the longest sentence first.

    They have a first and a last token; `active` says how many have a token at each place.
    """

    first: Longs
    last: Longs
    active: Longs

    @classmethod
    def of(cls, lengths: Sequence[int]) -> Batch:
        """Lay out sentences of so many tokens."""
        ends = np.cumsum(lengths, dtype=np.int64)
        active = np.searchsorted(np.negative(lengths), -np.arange(lengths[0]))
        return cls(ends - lengths, ends - 1, active)


class _Layer:
    """One layer of the BiLSTM; codes of its inputs have a `step`."""

    def __init__(self, arrays: Arrays, name: str, step: float) -> None:
        sides = (f"{name}_forward", f"{name}_backward")
        self.inputs = Factor.of(arrays.stacked([f"{side}_input" for side in sides]), step)
        self.forward, self.backward = (Recurrence.of(arrays, side) for side in sides)
        self.size: int = len(self.forward.bias) // 4

    def run(self, codes: Codes, index: Longs, batch: Batch) -> Codes:
        """Return the states of both directions side by side, one row per token.

        `index` says which row of `codes` is a token's.
        """
        from treewright.parsing.embedded._encoder_kernels import run_both

        states = np.empty((len(index), 2 * self.size), np.int16)
        run_both(self.inputs.times(codes), index, self.forward, self.backward, batch, states)
        return states


class Encoder:
    """Vectors of words and spellings through a two-layer BiLSTM; states are codes (`codes`)."""

    def __init__(self, inventory: Inventory, arrays: Mapping[str, Array]) -> None:
        self.inventory = inventory
        self.arrays = known = Arrays.of(arrays)
        self.lower = _Layer(known, "lower", VECTOR)
        self.upper = _Layer(known, "upper", STATE)
        self._words, self._spellings = known.coded("words"), known.coded("spellings")
        self._vectors: dict[str, Array] = {}

    @property
    def size(self) -> int:
        """The width of one direction's states."""
        return self.upper.size

    def states(self, words: Sequence[str], treebank: int) -> Codes:
        """Return the states of one sentence, one row per word, between those of start and end."""
        return self.flat_states([words], [0], treebank)

    def batch_states(self, sentences: Sequence[Sequence[str]], treebank: int) -> list[Codes]:
        """Return what `states` returns for each sentence, all processed together."""
        order = by_length(sentences)
        flat = self.flat_states(sentences, order, treebank)
        found: list[Codes] = [flat] * len(sentences)
        first = 0
        for number in order:
            found[number] = flat[first : first + len(sentences[number]) + 2]
            first += len(sentences[number]) + 2
        return found

    def flat_states(
        self, sentences: Sequence[Sequence[str]], order: list[int], treebank: int
    ) -> Codes:
        """Return the states of all tokens, sentence by sentence in an order, longest first."""
        normal_form = self.inventory.normal_form
        forms: list[str] = []
        for number in order:
            forms += (START, *map(normal_form, sentences[number]), END)
        numbers = {form: place for place, form in enumerate(dict.fromkeys(forms))}
        index = np.array([numbers[form] for form in forms])
        # As `np.stack`, which looks at each array several times.
        vectors = np.concatenate([self._vector(form) for form in numbers]).reshape(len(numbers), -1)
        vectors += self.arrays["treebanks"][treebank]
        batch = Batch.of([len(sentences[number]) + 2 for number in order])
        states = self.lower.run(encode(vectors, VECTOR), index, batch)
        return self.upper.run(states, np.arange(len(index)), batch)

    def _vector(self, form: str) -> Array:
        vector = self._vectors.get(form)
        if vector is None:
            if len(self._vectors) >= _REMEMBERED:
                self._vectors.clear()
            [vector] = self._words.rows([self.inventory.word(form)])
            if form not in (START, END):
                vector += self._spellings.rows(self.inventory.spelling(form)).sum(axis=0)
            self._vectors[form] = vector
        return vector


def by_length(sentences: Sequence[Sequence[str]]) -> list[int]:
    """Return the numbers of the sentences, longest first."""
    return sorted(range(len(sentences)), key=lambda number: -len(sentences[number]))
