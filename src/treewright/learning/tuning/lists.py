"""Lists of the best derivations, gathered over the rounds of tuning."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treewright.arrays import Floats, Ints, Longs, starts
from treewright.forest import best_derivations
from treewright.forest._listing_kernels import symbol_keys
from treewright.learning.tuning import _kernels
from treewright.learning.tuning.spaces import (
    Columns,
    Pieces,
    Rows,
    Scorer,
    SearchGraph,
    Space,
    words_of,
)


class Lists(Space):
    """The `most` best derivations of each graph, with those of earlier graphs; none twice.

    Entries `start[s]:start[s + 1]` belong to sentence `s`; they have `features` and statistics
    (`rows`). With `distinct`, derivations of one graph have different words.
    """

    def __init__(self, scorer: Scorer, *, most: int = 100, distinct: bool = True) -> None:
        self.scorer = scorer
        self.most = most
        self.distinct = distinct
        self.start: Longs = np.zeros(1, np.int64)
        self.features: Floats = np.empty((0, 0))
        self.rows: Rows = np.empty((0, 0))
        self._columns = Columns(self.features)
        self._sentence = np.empty(0, np.int64)
        self._keys = np.empty(0, np.uint64)
        self._added: list[tuple[int, Floats, Longs, Ints]] = []

    def add(self, sentence: int, graph: SearchGraph, weights: Floats) -> None:
        """List the best derivations of a graph."""
        symbols = (graph.word_start, graph.words) if self.distinct else None
        listed = best_derivations(graph.forest, graph.scores(weights), self.most, symbols=symbols)
        if not listed.scores.size:
            raise ValueError(f"the graph of sentence {sentence} has no derivation")
        features = np.add.reduceat(graph.features[listed.edges], listed.start[:-1], axis=0)
        self._added.append((sentence, features, *words_of(graph, listed.start, listed.edges)))

    def settle(self) -> bool:
        """Count the statistics of new entries and sort them to their sentences."""
        sentence = np.repeat(
            [number for number, _, _, _ in self._added],
            [len(features) for _, features, _, _ in self._added],
        )
        features = np.concatenate([features for _, features, _, _ in self._added])
        start = _side_by_side([start for _, _, start, _ in self._added])
        words = np.concatenate([words for _, _, _, words in self._added])
        self._added.clear()
        keys = _keys(sentence, features, start, words)
        _, first = np.unique(keys, return_index=True)
        new = np.sort(first[~np.isin(keys[first], self._keys)])
        rows = self.scorer.statistics(sentence, start, words)[new]
        if not self._sentence.size:
            self.features, self.rows = features[:0], rows[:0]
        self._keys = np.concatenate([self._keys, keys[new]])
        self._sentence = np.concatenate([self._sentence, sentence[new]])
        order = np.argsort(self._sentence, kind="stable")
        self._sentence, self._keys = self._sentence[order], self._keys[order]
        self.features = np.concatenate([self.features, features[new]])[order]
        self._columns = Columns(self.features)
        self.rows = np.concatenate([self.rows, rows])[order]
        sentences = int(self._sentence.max()) + 1
        self.start = np.searchsorted(self._sentence, np.arange(sentences + 1)).astype(np.int64)
        return new.size > 0

    def line(self, weights: Floats, direction: Floats, low: float, high: float) -> Pieces:
        """Return the envelope of each list."""
        slopes, intercepts = self._columns.along(direction), self._columns.at(weights)
        start, at, entries = _kernels.list_envelopes(self.start, slopes, intercepts, low, high)
        return Pieces(start, at, self.rows[entries])

    def best(self, weights: Floats) -> Rows:
        """Return the statistics of the best entry of each list."""
        best: Longs = _kernels.best_in_lists(self.start, self._columns.at(weights))
        rows: Rows = self.rows[best]
        return rows

    def gains(self, weights: Floats) -> Floats:
        """Return what each entry would add to the corpus score, in units of one sentence.

        That is the score with the entry in place of its sentence's best output, minus the score
        with the best outputs, times the number of sentences; 1 is a perfect score more. Unlike a
        score of the sentence alone, this knows whether outputs as a whole are too short.
        """
        best = self.best(weights)
        total = best.sum(axis=0)
        rest = np.repeat(total - best, np.diff(self.start), axis=0)
        gained = self.scorer.score(rest + self.rows) - self.scorer.score(total)
        return gained * (len(best) / 100.0)


def _keys(sentence: Longs, features: Floats, start: Longs, words: Ints) -> NDArray[np.uint64]:
    """Return keys of entries that are equal if sentence, words and rounded features are."""
    rounded = np.round(features * 1e6).astype(np.int64).view(np.int32)
    bounds = np.arange(len(features) + 1, dtype=np.int64) * rounded.shape[1]
    of_features, _ = symbol_keys(bounds, rounded.ravel())
    of_words, shift = symbol_keys(start, words)
    # Both products wrap around, as hashes may.
    of_sentence = (sentence + 1).astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    keys: NDArray[np.uint64] = (of_sentence * shift + of_words) * np.uint64(31) + of_features
    return keys


def _side_by_side(groups: list[Longs]) -> Longs:
    """Return bounds of rows that follow one another, from bounds of groups of rows."""
    return starts(np.concatenate([np.diff(start) for start in groups]))
