"""Words → states: the lower part of the network, which the parser shares with other models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from treewright.parsing.embedded.inventory import END, START, Inventory
from treewright.parsing.embedded.weights import Array

_REMEMBERED = 50_000
"""The most word vectors to keep, so a stream of new words cannot fill the memory."""


class _Layer:
    """One layer of the BiLSTM, with its matrices laid out as the kernel needs them."""

    def __init__(self, arrays: Mapping[str, Array], name: str) -> None:
        sides = [f"{name}_{side}" for side in ("forward", "backward")]
        self.inputs = [np.ascontiguousarray(arrays[f"{side}_input"].T) for side in sides]
        self.states = [np.ascontiguousarray(arrays[f"{side}_state"].T) for side in sides]
        self.biases = [arrays[f"{side}_bias"] for side in sides]
        self.size: int = self.states[0].shape[0]

    def run(
        self,
        vectors: Array,
        index: NDArray[np.int64],
        starts: NDArray[np.int64],
        lengths: NDArray[np.int64],
    ) -> Array:
        """Return the states of both directions side by side, one row per token."""
        states = np.empty((len(index), 2 * self.size), np.float32)
        # How many sentences have a token at each place.
        active = np.searchsorted(-lengths, -np.arange(lengths[0])).tolist()
        given = np.empty((len(vectors), 4 * self.size), np.float32)
        for side in range(2):
            np.matmul(vectors, self.inputs[side], out=given)
            first, step = (starts, 1) if side == 0 else (starts + lengths - 1, -1)
            self._scan(side, given, index, first, step, active, states)
        return states

    def _scan(
        self,
        side: int,
        given: Array,
        index: NDArray[np.int64],
        first: NDArray[np.int64],
        step: int,
        active: list[int],
        states: Array,
    ) -> None:
        """Process sentences, longest first, from their `first` tokens on in steps of `step`.

        `active` says how many of them have a token at each place.
        """
        from treewright.parsing.embedded._kernels import step_lstm

        weights, bias, column = self.states[side], self.biases[side], side * self.size
        count = active[0]
        cells = np.zeros((count, self.size), np.float32)
        hidden = np.zeros((count, self.size), np.float32)
        gates = np.zeros((count, 4 * self.size), np.float32)
        for place, number in enumerate(active):
            if place:
                np.matmul(hidden[:number], weights, out=gates[:number])
            tokens = first[:number] + place * step
            step_lstm(gates, given, bias, index, tokens, cells, hidden, states, column)


class Encoder:
    """Vectors of words and spellings through a two-layer BiLSTM."""

    def __init__(self, inventory: Inventory, arrays: Mapping[str, Array]) -> None:
        self.inventory = inventory
        self.arrays = arrays
        self.lower, self.upper = _Layer(arrays, "lower"), _Layer(arrays, "upper")
        self._vectors: dict[str, Array] = {}

    @property
    def size(self) -> int:
        """The width of one direction's states."""
        return self.upper.size

    def states(self, words: Sequence[str], treebank: int) -> Array:
        """Return the states of one sentence, one row per word, between those of start and end."""
        return self.flat_states([words], [0], treebank)

    def batch_states(self, sentences: Sequence[Sequence[str]], treebank: int) -> list[Array]:
        """Return what `states` returns for each sentence, all processed together."""
        order = by_length(sentences)
        flat = self.flat_states(sentences, order, treebank)
        found: list[Array] = [flat] * len(sentences)
        first = 0
        for number in order:
            found[number] = flat[first : first + len(sentences[number]) + 2]
            first += len(sentences[number]) + 2
        return found

    def flat_states(
        self, sentences: Sequence[Sequence[str]], order: list[int], treebank: int
    ) -> Array:
        """Return the states of all tokens, sentence by sentence in an order, longest first."""
        numbers: dict[str, int] = {}
        index: list[int] = []
        normal_form = self.inventory.normal_form
        for number in order:
            forms = (START, *map(normal_form, sentences[number]), END)
            index.extend([numbers.setdefault(form, len(numbers)) for form in forms])
        # As `np.stack`, which looks at each array several times.
        vectors = np.concatenate([self._vector(form) for form in numbers]).reshape(len(numbers), -1)
        vectors += self.arrays["treebanks"][treebank]
        lengths = np.array([len(sentences[number]) + 2 for number in order])
        starts = np.cumsum(lengths) - lengths
        states = self.lower.run(vectors, np.array(index), starts, lengths)
        return self.upper.run(states, np.arange(len(index)), starts, lengths)

    def _vector(self, form: str) -> Array:
        vector = self._vectors.get(form)
        if vector is None:
            if len(self._vectors) >= _REMEMBERED:
                self._vectors.clear()
            vector = self.arrays["words"][self.inventory.word(form)]
            if form not in (START, END):
                buckets = self.inventory.spelling(form)
                vector = vector + self.arrays["spellings"][buckets].sum(axis=0)
            self._vectors[form] = vector
        return vector


def by_length(sentences: Sequence[Sequence[str]]) -> list[int]:
    """Return the numbers of the sentences, longest first."""
    return sorted(range(len(sentences)), key=lambda number: -len(sentences[number]))
