"""From the arrays of a search to a search graph: a forest with features and words."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.forest import Forest
from treewright.learning.tuning import SearchGraph
from treewright.translation.decoding._kernels import APART, MONOTONE, SWAP, mark_alive
from treewright.translation.decoding.options import Options, pick


def assemble(
    options: Options,
    following: NDArray[np.float64],
    num_words: int,
    nodes: NDArray[Any],
    edges: NDArray[Any],
    edge_lm: NDArray[np.float64],
) -> tuple[SearchGraph, NDArray[np.int32]]:
    """Return the search graph, without its dead ends, and the option of each edge.

    `following` has the reordering features of each class of options, relative to the phrase behind.
    The first edge is that of the beginning; it and the edges that end the sentence have option -1.
    """
    keep = mark_alive(len(nodes), edges["head"].copy(), edges["tail"].copy())
    edges, edge_lm = edges[keep], edge_lm[keep]
    order = np.argsort(edges["head"], kind="stable")
    edges, edge_lm = edges[order], edge_lm[order]
    option = np.concatenate([[-1], edges["option"]]).astype(np.int32)
    used = np.unique(edges["head"])
    number = np.zeros(len(nodes) + 1, np.int32)
    number[used] = np.arange(1, used.size + 1)
    forest = Forest.from_arrays(
        head=np.concatenate([[0], number[edges["head"]]]),
        tail_ptr=np.concatenate([[0], np.arange(edges.size + 1)]),
        tail=number[edges["tail"]],
        label=option,
        num_nodes=used.size + 1,
    )
    features = np.zeros((edges.size + 1, options.features.shape[1] + 7 + edge_lm.shape[1]))
    features[1:] = _features(options, following, num_words, nodes, edges, edge_lm)
    # Edges without an option add no words: those of the empty row behind the last.
    rows = np.append(options.word_start, options.word_start[-1])
    word_start, places = pick(rows, np.where(option < 0, len(options), option))
    return SearchGraph(forest, features, word_start, options.words[places]), option


def _features(
    options: Options,
    following: NDArray[np.float64],
    num_words: int,
    nodes: NDArray[Any],
    edges: NDArray[Any],
    edge_lm: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the features of the edges of a search."""
    option, tail = edges["option"], edges["tail"]
    ends = option < 0
    start = np.where(ends, num_words, options.start[option])
    end = np.where(ends, num_words, options.end[option])
    before_start, before_end = nodes["start"][tail], nodes["end"][tail]
    way = np.where(start == before_end, MONOTONE, np.where(end == before_start, SWAP, APART))
    local = options.features.shape[1]
    features = np.zeros((option.size, local + 7 + edge_lm.shape[1]))
    rows = np.arange(option.size)
    features[:, :local] = np.where(ends[:, None], 0.0, options.features[option])
    features[:, local] = np.where(ends, 0, -np.abs(start - before_end))
    features[rows, local + 1 + way] = np.where(ends, 0.0, options.reordering[option, way])
    features[rows, local + 4 + way] = following[nodes["behind"][tail], way]
    features[:, local + 7 :] = edge_lm
    return features
