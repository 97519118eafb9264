"""From the arrays of a search to a search graph: a forest with features and words."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.forest import Forest
from treewright.learning.tuning import SearchGraph
from treewright.translation.decoding._kernels import mark_alive
from treewright.translation.decoding.problem import Posed
from treewright.translation.decoding.reordering import distances, moves
from treewright.translation.decoding.skeleton import skeleton_features
from treewright.translation.rows import pick


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
    features[:, local] = np.where(ends, 0, distances(start, before[1]))
    features[:, columns.moves] = moves(options, posed.following, option, (start, end), before)
    features[:, columns.lm] = edge_lm[:, : columns.models]
    if columns.skeleton is not None:
        bone_lm = edge_lm[:, -1] if posed.scored.lm else np.zeros(option.size)
        of_skeleton = skeleton_features(
            posed.places, options, posed.following, nodes, edges, bone_lm, posed.scored
        )
        features[:, columns.lm.stop :] = of_skeleton[:, columns.in_use]
    return features
