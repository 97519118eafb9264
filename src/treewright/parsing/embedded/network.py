"""The network at run time: the same numbers that `training.network` gives, without torch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.parsing.embedded._kernels import best_spans, combine_ends, step_lstm
from treewright.parsing.embedded.inventory import END, START
from treewright.parsing.embedded.weights import Array, Weights
from treewright.parsing.embedded.wordforms import normal_form, spelling

_REMEMBERED = 50_000
"""Word vectors kept; a stream of ever new words must not fill the memory."""


class Analysis(NamedTuple):
    """A sentence's tags and the labelled spans of its best tree, as numbers."""

    tags: NDArray[np.int64]
    spans: NDArray[np.int32]


class _Layer:
    """One layer of the BiLSTM, its matrices laid out as the kernel wants them."""

    def __init__(self, weights: Weights, name: str) -> None:
        arrays = weights.arrays
        sides = [f"{name}_{side}" for side in ("forward", "backward")]
        self.inputs = [np.ascontiguousarray(arrays[f"{side}_input"].T) for side in sides]
        self.states = [np.ascontiguousarray(arrays[f"{side}_state"].T) for side in sides]
        self.biases = [arrays[f"{side}_bias"] for side in sides]
        self.size = self.states[0].shape[0]

    def run(
        self,
        vectors: Array,
        index: NDArray[np.int64],
        starts: NDArray[np.int64],
        lengths: NDArray[np.int64],
    ) -> Array:
        """Return the states of both directions side by side, one row a token."""
        states = np.empty((len(index), 2 * self.size), np.float32)
        for side, weights in enumerate(self.states):
            given = vectors @ self.inputs[side]
            given += self.biases[side]
            first, step = (starts, 1) if side == 0 else (starts + lengths - 1, -1)
            self._scan(given, index, first, step, lengths, weights, states, side * self.size)
        return states

    def _scan(
        self,
        given: Array,
        index: NDArray[np.int64],
        first: NDArray[np.int64],
        step: int,
        lengths: NDArray[np.int64],
        weights: Array,
        states: Array,
        column: int,
    ) -> None:
        """Run over sentences, longest first, from their `first` tokens on in steps of `step`."""
        count = len(lengths)
        cells = np.zeros((count, self.size), np.float32)
        hidden = np.zeros((count, self.size), np.float32)
        gates = np.zeros((count, 4 * self.size), np.float32)
        for place in range(int(lengths[0])):
            active = int(np.searchsorted(-lengths, -place))
            if place:
                np.matmul(hidden[:active], weights, out=gates[:active])
            tokens = first[:active] + place * step
            step_lstm(gates, given, index, tokens, cells, hidden, states, column)


class Network:
    """Tags and best spans for batches of sentences of one treebank's style."""

    def __init__(self, weights: Weights) -> None:
        self.inventory = weights.inventory
        self.arrays = arrays = weights.arrays
        self.lower, self.upper = _Layer(weights, "lower"), _Layer(weights, "upper")
        heads = (arrays["start_weight"].T, arrays["end_weight"].T)
        self.places = np.ascontiguousarray(np.hstack(heads))
        self.place_bias = np.pad(arrays["start_bias"], (0, heads[1].shape[1]))
        # Label 0, "no constituent", scores 0 whatever the span.
        self.labels = np.ascontiguousarray(np.pad(arrays["label_weight"].T, ((0, 0), (1, 0))))
        self.label_bias = np.pad(arrays["label_bias"], (1, 0))
        self._vectors: dict[str, Array] = {}

    def analyse(
        self, sentences: Sequence[Sequence[str]], treebank: int, threshold: float = 0.5
    ) -> list[Analysis]:
        """Return tags and spans of the sentences, each of one word or more, in their order."""
        order, tags, places = self._encode(sentences, treebank)
        found: list[Analysis | None] = [None] * len(sentences)
        first = 0
        for number in order:
            n = len(sentences[number])
            scores = self._span_scores(places[first : first + n + 1])
            spans = np.empty((2 * n, 3), np.int32)
            count = best_spans(scores, n, np.float32(threshold), spans)
            found[number] = Analysis(tags[first + 1 : first + n + 1], spans[:count])
            first += n + 2
        return [analysis for analysis in found if analysis is not None]

    def span_scores(self, words: Sequence[str], treebank: int) -> Array:
        """Return the scores of all labels of all spans of one sentence."""
        _, _, places = self._encode([words], treebank)
        return self._span_scores(places[: len(words) + 1])

    def states(self, words: Sequence[str], treebank: int) -> Array:
        """Return the upper layer's states, one row a word: what the encoder knows of each."""
        return self._states([words], [0], treebank)[1:-1]

    def _encode(
        self, sentences: Sequence[Sequence[str]], treebank: int
    ) -> tuple[list[int], NDArray[np.int64], Array]:
        """Return the order by length, tags of all tokens and projections of places between them."""
        order = sorted(range(len(sentences)), key=lambda number: -len(sentences[number]))
        states = self._states(sentences, order, treebank)
        tags = states @ self.arrays["tags_weight"].T + self.arrays["tags_bias"]
        size = self.upper.size
        # A place between two words sees all before it and all after it.
        between = np.hstack([states[:-1, :size], states[1:, size:]])
        return order, tags.argmax(axis=1), between @ self.places + self.place_bias

    def _states(self, sentences: Sequence[Sequence[str]], order: list[int], treebank: int) -> Array:
        numbers: dict[str, int] = {}
        index: list[int] = []
        for number in order:
            forms = (START, *map(normal_form, sentences[number]), END)
            index.extend([numbers.setdefault(form, len(numbers)) for form in forms])
        vectors = np.stack([self._vector(form) for form in numbers])
        vectors += self.arrays["treebanks"][treebank]
        lengths = np.array([len(sentences[number]) + 2 for number in order])
        starts = np.cumsum(lengths) - lengths
        states = self.lower.run(vectors, np.array(index), starts, lengths)
        return self.upper.run(states, np.arange(len(index)), starts, lengths)

    def _span_scores(self, places: Array) -> Array:
        """Return the scores of all spans between the places of one sentence."""
        half = places.shape[1] // 2
        n = len(places) - 1
        hidden = np.empty((n * (n + 1) // 2, half), np.float32)
        combine_ends(places[:, :half], places[:, half:], hidden)
        scores: Array = hidden @ self.labels
        scores += self.label_bias
        return scores

    def _vector(self, form: str) -> Array:
        vector = self._vectors.get(form)
        if vector is None:
            if len(self._vectors) >= _REMEMBERED:
                self._vectors.clear()
            vector = self.arrays["words"][self.inventory.word(form)]
            if form not in (START, END):
                vector = vector + self.arrays["spellings"][spelling(form)].sum(axis=0)
            self._vectors[form] = vector
        return vector
