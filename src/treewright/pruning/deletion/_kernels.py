"""Kernels of the deletion model: the score of every arc.

A feature is identified by a 64-bit hash, and its weight is in the slot given by the hash's first
bits. Two features may share a slot; with a few hundred thousand of them in four million slots, few
do, and learning copes.
"""

from __future__ import annotations

import numpy as np

from treewright.compiling import njit
from treewright.pruning.features._kernels import mix

_GAPS = np.array([0, 1, 2, 3, 4, 5, 5, 6, 6, 6, 6, 7])


@njit(cache=True, nogil=True)
def arc_slot(evidence, i, j, t, shift):
    """Return the slot of a template's feature for the arc from kept token i to kept token j."""
    kind = evidence.kind[t]
    if kind == 0:
        known = int(j == i + 1)
    elif kind == 1:
        known = _GAPS[min(j - i - 1, _GAPS.size - 1)]
    elif evidence.governor[j] == i:
        known = 1
    else:
        known = 2 * int(evidence.governor[i] == j)
    key = mix(mix(evidence.left[i, t], evidence.right[j, t]), np.uint64(known))
    return key >> shift


@njit(cache=True, nogil=True)
def gap_scores(evidence, weights, shift):
    """Return, for each arc (i, j), the sum over what lies between: from > i and to < j."""
    size = evidence.left.shape[0]
    spans = np.zeros((size, size))
    for item in range(evidence.key.size):
        slot = evidence.key[item] >> shift
        spans[evidence.low[item], evidence.high[item]] += evidence.sign[item] * weights[slot]
    scores = np.zeros((size, size))
    ending = np.zeros(size)
    for i in range(size - 2, -1, -1):
        ending += spans[i + 1]
        total = 0.0
        for j in range(i + 2, size):
            total += ending[j - 1]
            scores[i, j] = total
    return scores


@njit(cache=True, nogil=True)
def arc_scores(evidence, weights, shift):
    """Return the score of every arc (i, j), i < j, at `j (j - 1) / 2 + i`.

    Arcs with the same j are adjacent. The one from start to end, which keeps nothing, is -inf.
    """
    size, templates = evidence.left.shape
    gaps = gap_scores(evidence, weights, shift)
    scores = np.empty(size * (size - 1) // 2)
    for j in range(1, size):
        for i in range(j):
            score = gaps[i, j]
            for t in range(templates):
                score += weights[arc_slot(evidence, i, j, t, shift)]
            scores[j * (j - 1) // 2 + i] = score
    scores[(size - 1) * (size - 2) // 2] = -np.inf
    return scores
