"""The network at run time: the same numbers as `training.network`, without torch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.parsing.embedded.arrays import Array, Coded
from treewright.parsing.embedded.codes import SPAN, STATE, Codes, Factor
from treewright.parsing.embedded.encoder import Encoder, by_length
from treewright.parsing.embedded.weights import Weights


class Analysis(NamedTuple):
    """A sentence's tags and the labelled spans of its best tree, as numbers."""

    tags: NDArray[np.int64]
    spans: NDArray[np.int32]


class Network:
    """Tags and best spans for batches of sentences in the style of one treebank."""

    def __init__(self, weights: Weights) -> None:
        self.inventory = weights.inventory
        self.encoder = Encoder(weights.inventory, weights.arrays)
        self.arrays = arrays = self.encoder.arrays
        places = arrays.stacked(["start_weight", "end_weight"])
        # What two positions contribute to a span is rounded to codes: steps are its unit.
        self.places = Factor.of(places, STATE / SPAN)
        width = len(arrays["start_bias"])
        self.place_bias: Array = np.pad(arrays["start_bias"], (0, width)) / np.float32(SPAN)
        self.tag_scores = Factor.of(arrays.coded("tags_weight"), STATE)
        # Label 0, "no constituent", scores 0 whatever the span.
        nothing = Coded.of(np.zeros((1, width), np.float32))
        self.labels = Factor.of(Coded.stack([nothing, arrays.coded("label_weight")]), SPAN)
        self.label_bias = np.pad(arrays["label_bias"], (1, 0))

    def analyse(
        self, sentences: Sequence[Sequence[str]], treebank: int, threshold: float = 0.5
    ) -> list[Analysis]:
        """Return tags and spans of non-empty sentences, in order."""
        from treewright.parsing.embedded._kernels import best_spans

        order, tags, places = self._encode(sentences, treebank)
        found: list[Analysis | None] = [None] * len(sentences)
        first = 0
        for number in order:
            n = len(sentences[number])
            scores = self._span_scores(places[first : first + n + 1])
            spans = np.empty((2 * n, 3), np.int32)
            count = best_spans(scores, n, np.float32(threshold), self.inventory.whole, spans)
            found[number] = Analysis(tags[first + 1 : first + n + 1], spans[:count])
            first += n + 2
        return [analysis for analysis in found if analysis is not None]

    def tags(self, sentences: Sequence[Sequence[str]], treebank: int) -> list[NDArray[np.int64]]:
        """Return the tags of non-empty sentences, in order."""
        found = self.encoder.batch_states(sentences, treebank)
        return [self._tags(states[1:-1]) for states in found]

    def _tags(self, states: Codes) -> NDArray[np.int64]:
        bias = self.arrays["tags_bias"]
        scores = self.tag_scores.times(states)[:, : len(bias)] + bias
        best: NDArray[np.int64] = scores.argmax(axis=1)
        return best

    def _encode(
        self, sentences: Sequence[Sequence[str]], treebank: int
    ) -> tuple[list[int], NDArray[np.int64], Array]:
        """Return the order by length, the tags of all tokens, and projections of the positions
        between them.
        """
        order = by_length(sentences)
        states = self.encoder.flat_states(sentences, order, treebank)
        size = self.encoder.size
        # A position between two words sees everything before it and everything after it.
        between = np.hstack([states[:-1, :size], states[1:, size:]])
        places = self.places.times(between)[:, : len(self.place_bias)] + self.place_bias
        return order, self._tags(states), places

    def _span_scores(self, places: Array) -> Array:
        """Return the scores of all spans between the positions of one sentence."""
        from treewright.parsing.embedded._kernels import score_spans

        scores: Array = score_spans(places, self.labels, self.label_bias)
        return scores
