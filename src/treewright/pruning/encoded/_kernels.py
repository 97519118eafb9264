"""Kernels of prices: what the network looks at, and the layers above the encoder."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.compiling import greatest, lanes, njit
from treewright.pruning.gaps import Gaps
from treewright.trees import TreeArrays

Array = NDArray[np.float32]

START, END = 1, 2
"""Labels of the edges of a node."""


NEAR = 5
"""Distances up to which each has a row of its own."""
FAR = np.array([7, 10, 15, 23], dtype=np.int64)
"""Where further rows of distances begin."""
DISTANCES = NEAR + 1 + len(FAR)


class NodeTables(NamedTuple):
    """What a layer of nodes adds to the states of words."""

    label: Array
    parent_label: Array
    is_head: Array
    length: Array
    bias: Array


class GapTables(NamedTuple):
    """What the layer of gaps adds to the states of words."""

    left_label: Array
    right_label: Array
    label: Array
    kind: Array
    bias: Array


class SeamTables(NamedTuple):
    """What a layer of neighbours adds to the states of words."""

    left_label: Array
    right_label: Array
    distance: Array
    bias: Array


@njit(nogil=True)
def look(tree, heads, label, gaps):
    """Return the columns of `Places`: those of nodes, then those of gaps.

    `heads` are the places of head words from 0, and `label` the numbers of labels.
    """
    tree, gaps = TreeArrays(*tree), Gaps(*gaps)
    of_nodes = np.empty((7, len(label)), dtype=np.int32)
    for x in range(len(label)):
        # The root is its own parent.
        parent = max(tree.parent[x], 0)
        of_nodes[0, x] = heads[x] + 1
        of_nodes[1, x] = heads[parent] + 1
        of_nodes[2, x] = tree.left[x] + 1
        of_nodes[3, x] = tree.right[x]
        of_nodes[4, x] = label[x]
        of_nodes[5, x] = label[parent]
        of_nodes[6, x] = heads[x] == heads[parent]
    of_gaps = np.empty((6, len(gaps.parent)), dtype=np.int32)
    for g in range(len(gaps.parent)):
        parent, left, right = gaps.parent[g], gaps.left[g], gaps.right[g]
        of_gaps[0, g] = tree.left[parent] if left < 0 else tree.right[left]
        of_gaps[1, g] = (tree.right[parent] if right < 0 else tree.left[right]) + 1
        of_gaps[2, g] = START if left < 0 else label[left]
        of_gaps[3, g] = END if right < 0 else label[right]
        of_gaps[4, g] = label[parent]
        of_gaps[5, g] = (
            (left < 0)
            + 2 * (right < 0)
            + 4 * (gaps.first[g] < 0)
            + 8 * gaps.pauses[g]
            + 16 * (gaps.resumes[g] > 0)
        )
    return of_nodes, of_gaps


@njit(nogil=True)
def hidden_nodes(seen, start, places, nodes):
    """Return the hidden units of all nodes.

    `seen` has, from column `start` on, what the states of words give to a node of which they are
    the head, the parent's head, the first and the last word.
    """
    width = len(nodes.bias)
    zero = np.float32(0.0)
    of_nodes = np.empty((len(places.head), width), dtype=np.float32)
    # Few arrays a loop, or the compiler cannot tell that they do not overlap.
    for x in range(len(of_nodes)):
        units = of_nodes[x]
        head = seen[places.head[x], start : start + width]
        above = seen[places.parent_head[x], start + width : start + 2 * width]
        first = seen[places.first[x], start + 2 * width : start + 3 * width]
        last = seen[places.last[x], start + 3 * width : start + 4 * width]
        for k in lanes(width):
            units[k] = head[k] + above[k] + first[k] + last[k]
        label, parent = nodes.label[places.label[x]], nodes.parent_label[places.parent_label[x]]
        is_head = nodes.is_head[places.is_head[x]]
        for k in lanes(width):
            units[k] = units[k] + label[k] + parent[k] + is_head[k]
        size = places.last[x] - places.first[x] + 1
        tenth, log = np.float32(size / 10.0), np.float32(math.log(size))
        linear, logarithmic = nodes.length[0], nodes.length[1]
        for k in lanes(width):
            units[k] = units[k] + (tenth * linear[k] + log * logarithmic[k])
        for k in lanes(width):
            units[k] = greatest(units[k] + nodes.bias[k], zero)
    return of_nodes


@njit(nogil=True)
def hidden_gaps(seen, start, places, gaps):
    """Return the hidden units of all gaps, from what the words before and behind them give."""
    width = len(gaps.bias)
    zero = np.float32(0.0)
    of_gaps = np.empty((len(places.gap_left), width), dtype=np.float32)
    for g in range(len(of_gaps)):
        units = of_gaps[g]
        left = seen[places.gap_left[g], start : start + width]
        right = seen[places.gap_right[g], start + width : start + 2 * width]
        before = gaps.left_label[places.gap_left_label[g]]
        behind = gaps.right_label[places.gap_right_label[g]]
        for k in lanes(width):
            units[k] = left[k] + right[k] + before[k] + behind[k]
        label, kind = gaps.label[places.gap_label[g]], gaps.kind[places.gap_kind[g]]
        for k in lanes(width):
            units[k] = greatest(units[k] + label[k] + kind[k] + gaps.bias[k], zero)
    return of_gaps


@njit(nogil=True)
def sum_prices(own, between, tokens, first, last, node_bias, gap_bias, token_bias):
    """Return the prices of gaps and of nodes: a node's own, and those of its words.

    `tokens` are the prices of words, between those of the ends of the sentence.
    """
    of_gaps = np.empty(len(between))
    for g in range(len(between)):
        of_gaps[g] = between[g] + gap_bias
    up_to = np.empty(len(tokens))
    # Uncompiled, a plain 0.0 would become single precision.
    total = np.float64(0.0)
    for word in range(len(tokens)):
        total += tokens[word] + token_bias
        up_to[word] = total
    of_nodes = np.empty(len(own))
    for x in range(len(own)):
        of_nodes[x] = np.float64(own[x] + node_bias) + up_to[last[x]] - up_to[first[x] - 1]
    return of_gaps, of_nodes


@njit(nogil=True)
def score_neighbours(left, right, tables, labels, out, out_bias):
    """Return the score of every pair of tokens, and ends of the sentence, as neighbours.

    `left` and `right` are what the states of words and ends give to the layer, `labels` the numbers
    of the labels of tokens.
    """
    size, width = left.shape
    zero = np.float32(0.0)
    before, behind = np.empty((size, width), np.float32), np.empty((size, width), np.float32)
    for i in range(size):
        label = START if i == 0 else END if i == size - 1 else labels[i - 1]
        own, other = tables.left_label[label], tables.right_label[label]
        for k in lanes(width):
            before[i, k] = left[i, k] + own[k] + tables.bias[k]
        for k in lanes(width):
            behind[i, k] = right[i, k] + other[k]
    scores = np.zeros((size, size))
    units = np.empty(width, np.float32)
    for i in range(size):
        row = before[i]
        for j in range(i + 1, size):
            apart = j - i
            place = apart - 1 if apart <= NEAR else NEAR + np.searchsorted(FAR, apart, side="right")
            far, other = tables.distance[place], behind[j]
            for k in lanes(width):
                units[k] = greatest(row[k] + other[k] + far[k], zero) * out[k]
            total = np.float64(0.0)
            for k in range(width):
                total += units[k]
            scores[i, j] = total + out_bias
    return scores
