"""Whole search graphs, of the last rounds of tuning."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from treewright.arrays import Floats
from treewright.forest import margins, restrict
from treewright.learning.tuning import _kernels
from treewright.learning.tuning.spaces import Columns, Pieces, Scorer, SearchGraph, Space, words_of


class Graphs(Space):
    """The graphs of the last `keep` rounds, each pruned to `density` edges per output word."""

    def __init__(self, scorer: Scorer, *, density: int = 20, keep: int = 3) -> None:
        self.scorer = scorer
        self.density = density
        self.keep = keep
        self._rounds: list[dict[int, SearchGraph]] = [{}]
        self._packed: _kernels.Graphs | None = None
        self._columns = Columns(np.empty((0, 0)))

    def add(self, sentence: int, graph: SearchGraph, weights: Floats) -> None:
        """Keep the best part of a graph."""
        pruned = prune_graph(graph, weights, self.density)
        if not pruned.forest.num_edges:
            raise ValueError(f"the graph of sentence {sentence} has no derivation")
        self._rounds[-1][sentence] = pruned

    def settle(self) -> bool:
        """Join the graphs of each sentence; there is always something new in them."""
        self._rounds = self._rounds[-self.keep :]
        self._packed, features = _pack(
            [round_[sentence] for round_ in self._rounds]
            for sentence in range(len(self._rounds[-1]))
        )
        self._columns = Columns(features)
        self._rounds.append({})
        return True

    def line(self, weights: Floats, direction: Floats, low: float, high: float) -> Pieces:
        """Return the envelope of each sentence's graphs."""
        slopes, intercepts = self._columns.along(direction), self._columns.at(weights)
        assert self._packed is not None
        start, at, word_start, words = _kernels.graph_envelopes(
            self._packed, slopes, intercepts, low, high
        )
        sentences = np.repeat(np.arange(start.size - 1), np.diff(start))
        return Pieces(start, at, self.scorer.statistics(sentences, word_start, words))


def prune_graph(graph: SearchGraph, weights: Floats, density: int) -> SearchGraph:
    """Return a graph of the edges with the best derivations, at most `density` per output word."""
    scores = graph.scores(weights)
    found = margins(graph.forest, scores)
    best = found == 0.0
    words = int(np.diff(graph.word_start)[best].sum())
    most = density * max(words, 1)
    allowed = found < np.inf
    if allowed.sum() > most:
        allowed &= (found <= np.partition(found, most - 1)[most - 1]) | best
    kept = restrict(graph.forest, allowed)
    rows = words_of(graph, np.arange(kept.edges.size + 1), kept.edges)
    return SearchGraph(kept.forest, graph.features[kept.edges], *rows)


def _pack(sentences: Iterable[Sequence[SearchGraph]]) -> tuple[_kernels.Graphs, Floats]:
    """Lay all graphs side by side, those of one sentence under one root; return features too."""
    node_start = [0]
    node_ptr, tail_ptr, tail, word_start, words, features = [], [], [], [], [], []
    nodes = edges = tails = spelled = 0
    for graphs in sentences:
        roots = []
        for graph in graphs:
            forest = graph.forest
            node_ptr.append(forest.node_ptr[:-1] + edges)
            tail_ptr.append(forest.tail_ptr[:-1] + tails)
            tail.append(forest.tail + np.int64(nodes))
            word_start.append(graph.word_start[:-1] + spelled)
            words.append(graph.words)
            features.append(graph.features)
            nodes += forest.num_nodes
            edges += forest.num_edges
            tails += forest.tail.size
            spelled += graph.words.size
            roots.append(nodes - 1)
        node_ptr.append(np.array([edges]))
        tail_ptr.append(tails + np.arange(len(roots)))
        tail.append(np.array(roots))
        word_start.append(np.full(len(roots), spelled))
        features.append(np.zeros((len(roots), graphs[0].num_features)))
        nodes += 1
        edges += len(roots)
        tails += len(roots)
        node_start.append(nodes)
    packed = _kernels.Graphs(
        np.array(node_start),
        np.concatenate([*node_ptr, [edges]]),
        np.concatenate([*tail_ptr, [tails]]),
        np.concatenate(tail),
        np.concatenate([*word_start, [spelled]]),
        np.concatenate(words),
    )
    return packed, np.concatenate(features)
