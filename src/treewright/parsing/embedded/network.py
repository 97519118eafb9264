"""The network at run time: the same numbers that `training.network` gives, without torch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.parsing.embedded._kernels import parse_sentence, run_lstm, score_spans
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
        self.inputs = np.ascontiguousarray(np.hstack([arrays[f"{s}_input"].T for s in sides]))
        self.bias = np.concatenate([arrays[f"{s}_bias"] for s in sides])
        self.states = [np.ascontiguousarray(arrays[f"{s}_state"].T) for s in sides]
        self.size = self.states[0].shape[0]

    def run(
        self,
        vectors: Array,
        index: NDArray[np.int64],
        starts: NDArray[np.int64],
        lengths: NDArray[np.int64],
    ) -> Array:
        """Return the states of both directions side by side, one row a token."""
        projected = vectors @ self.inputs + self.bias
        states = np.empty((len(index), 2 * self.size), np.float32)
        gates = 4 * self.size
        for side, weights in enumerate(self.states):
            given = np.ascontiguousarray(projected[:, side * gates : (side + 1) * gates])
            run_lstm(given, index, starts, lengths, weights, side == 1, states, side * self.size)
        return states


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
            left, right = self._ends(places, first, n)
            spans = np.empty((2 * n, 3), np.int32)
            count = parse_sentence(
                left, right, self.labels, self.label_bias, np.float32(threshold), spans
            )
            found[number] = Analysis(tags[first + 1 : first + n + 1], spans[:count])
            first += n + 2
        return [analysis for analysis in found if analysis is not None]

    def span_scores(self, words: Sequence[str], treebank: int) -> Array:
        """Return the scores of all labels of all spans of one sentence."""
        _, _, places = self._encode([words], treebank)
        return np.asarray(
            score_spans(*self._ends(places, 0, len(words)), self.labels, self.label_bias)
        )

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

    def _ends(self, places: Array, first: int, n: int) -> tuple[Array, Array]:
        """Return what the places of one sentence give to spans that start and that end there."""
        rows = places[first : first + n + 1]
        half = rows.shape[1] // 2
        return np.ascontiguousarray(rows[:, :half]), np.ascontiguousarray(rows[:, half:])

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
