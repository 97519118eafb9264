"""From the arrays of a search to a search graph: a forest with features and words."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.forest import Forest
from treewright.learning.tuning import SearchGraph
from treewright.translation.decoding._kernels import (
    APART,
    CROSSED,
    CROSSING,
    MONOTONE,
    SWAP,
    mark_alive,
)
from treewright.translation.decoding.problem import Posed
from treewright.translation.rows import pick

Ints = NDArray[Any]


def assemble(
    posed: Posed,
    num_words: int,
    nodes: NDArray[Any],
    edges: NDArray[Any],
    edge_lm: NDArray[np.float64],
) -> tuple[SearchGraph, NDArray[np.int32]]:
    """Return the search graph, without its dead ends, and the option of each edge.

    The first edge is that of the beginning; it and the edges that end the sentence have option -1.
    """
    options = posed.options
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
    features = np.zeros((edges.size + 1, len(posed.features.names)))
    features[1:] = _features(posed, num_words, nodes, edges, edge_lm)
    # Edges without an option add no words: those of the empty row behind the last.
    rows = np.append(options.word_start, options.word_start[-1])
    word_start, places = pick(rows, np.where(option < 0, len(options), option))
    return SearchGraph(forest, features, word_start, options.words[places]), option


def _features(
    posed: Posed,
    num_words: int,
    nodes: NDArray[Any],
    edges: NDArray[Any],
    edge_lm: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the features of the edges of a search."""
    options, columns = posed.options, posed.features
    option, tail = edges["option"], edges["tail"]
    ends = option < 0
    start = np.where(ends, num_words, options.start[option])
    end = np.where(ends, num_words, options.end[option])
    before = nodes["start"][tail], nodes["end"][tail], nodes["behind"][tail]
    local = columns.local
    features = np.zeros((option.size, len(columns.names)))
    features[:, :local] = np.where(ends[:, None], 0.0, options.features[option])
    features[:, local] = np.where(ends, 0, -np.abs(start - before[1]))
    features[:, columns.moves] = _moves(posed, option, (start, end), before)
    features[:, columns.lm] = edge_lm[:, : columns.models]
    if columns.skeleton is not None:
        bone_lm = edge_lm[:, -1] if posed.scored.lm else np.zeros(option.size)
        of_skeleton = _skeleton_features(posed, nodes, edges, bone_lm)
        features[:, columns.lm.stop :] = of_skeleton[:, columns.in_use]
    return features


def _skeleton_features(
    posed: Posed, nodes: NDArray[Any], edges: NDArray[Any], lm: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the features of edges on the skeleton's derivation d' (Xiao et al. 2014, equation 7).

    The columns are `SkeletonColumns`. `lm` has the scores of the skeletal language model. What is
    not scored is zero.
    """
    options, places, columns = posed.options, posed.places, posed.features.columns
    option, tail = edges["option"], edges["tail"]
    ends = option < 0
    inside = ~ends & places.touched[option]
    features = np.zeros((option.size, columns.size))
    features[:, : columns.local] = np.where(inside[:, None], options.features[option], 0.0)
    if posed.scored.moves:
        start = np.where(ends, places.num_words, places.start[option])
        end = np.where(ends, places.num_words, places.end[option])
        before = nodes["bone_start"][tail], nodes["bone_end"][tail], nodes["bone_behind"][tail]
        features[:, columns.distance] = np.where(inside, -np.abs(start - before[1]), 0)
        moves = _moves(posed, option, (start, end), before)
        features[:, columns.moves] = np.where((inside | ends)[:, None], moves, 0.0)
    features[:, columns.lm] = lm
    crosses = ~ends & (places.kind[option] == CROSSING)
    features[:, columns.crossing] = -1.0 * crosses
    if posed.scored.marked:
        features[:, columns.consistent] = -1.0 * (crosses & (nodes["marks"][tail] & CROSSED == 0))
    return features


def _moves(
    posed: Posed, option: Ints, span: tuple[Ints, Ints], before: tuple[Ints, Ints, Ints]
) -> NDArray[np.float64]:
    """Return the six reordering features of edges, whose `option` is -1 at the end of a sentence.

    `before` has the span translated before that of an edge, and its class.
    """
    start, end = span
    start_before, end_before, behind = before
    way = np.where(start == end_before, MONOTONE, np.where(end == start_before, SWAP, APART))
    rows = np.arange(option.size)
    features = np.zeros((option.size, 6))
    features[rows, way] = np.where(option < 0, 0.0, posed.options.reordering[option, way])
    features[rows, 3 + way] = posed.following[behind, way]
    return features
