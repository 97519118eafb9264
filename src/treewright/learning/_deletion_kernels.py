"""Kernels of MIRA for the deletion model: search, features of a compression, and the update."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treewright.arrays import Floats
from treewright.compiling import njit
from treewright.pruning.deletion._kernels import arc_scores, arc_slot


@njit(nogil=True)
def best_path(scores, kept, loss):
    """Return which positions the best compression keeps, including start and end.

    `loss` is added to the score for each token that differs from `kept`. Of equal ones, an earlier
    left neighbour wins.
    """
    size = kept.size
    missed = np.zeros(size + 1)
    for p in range(size):
        missed[p + 1] = missed[p] + loss * kept[p]
    best = np.full(size, -np.inf)
    best[0] = 0.0
    back = np.zeros(size, dtype=np.int32)
    for j in range(1, size):
        for i in range(j):
            score = best[i] + scores[j * (j - 1) // 2 + i] + missed[j] - missed[i + 1]
            if score > best[j]:
                best[j] = score
                back[j] = i
        if not kept[j]:
            best[j] += loss
    path = np.zeros(size, dtype=np.bool_)
    path[0] = True
    j = size - 1
    while j > 0:
        path[j] = True
        j = back[j]
    return path


@njit(nogil=True)
def feature_slots(evidence, path, shift):
    """Return the slots of a compression's features, and how often each occurs there."""
    size, templates = evidence.left.shape
    behind = np.empty(size, dtype=np.int32)  # the first kept position from here on
    following = size
    for p in range(size - 1, -1, -1):
        if path[p]:
            following = p
        behind[p] = following
    arcs = path.sum() - 1
    slots = np.empty(arcs * templates + evidence.key.size, dtype=np.int64)
    values = np.ones(slots.size)
    count = 0
    i = 0
    for j in range(1, size):
        if path[j]:
            for t in range(templates):
                slots[count] = arc_slot(evidence, i, j, t, shift)
                count += 1
            i = j
    for item in range(evidence.key.size):
        if behind[evidence.low[item]] > evidence.high[item]:
            slots[count] = evidence.key[item] >> shift
            values[count] = evidence.sign[item]
            count += 1
    return slots[:count], values[:count]


class State(NamedTuple):
    """Of every slot: its weight, its changes times the time of each, and room that is all zero.

    The second is for the average of the weights over all times.
    """

    weights: Floats
    later: Floats
    scratch: Floats


@njit(nogil=True)
def learn(evidence, kept, state, shift, cost, augment, time):
    """Take one step of MIRA in place, of length at most `cost`; return the number of wrong tokens.

    The step is the smallest after which the gold compression outscores the predicted one by the
    number of wrong tokens.
    """
    weights, later, scratch = state
    path = best_path(arc_scores(evidence, weights, shift), kept, augment)
    wrong = 0
    for p in range(kept.size):
        wrong += path[p] != kept[p]
    if wrong == 0:
        return 0
    gold, gold_values = feature_slots(evidence, kept, shift)
    found, found_values = feature_slots(evidence, path, shift)
    for k in range(gold.size):
        scratch[gold[k]] += gold_values[k]
    for k in range(found.size):
        scratch[found[k]] -= found_values[k]
    touched = np.concatenate((gold, found))
    margin = 0.0
    norm = 0.0
    for k in range(gold.size):
        margin += gold_values[k] * weights[gold[k]]
    for k in range(found.size):
        margin -= found_values[k] * weights[found[k]]
    for k in range(gold.size):
        norm += gold_values[k] * scratch[gold[k]]
    for k in range(found.size):
        norm -= found_values[k] * scratch[found[k]]
    step = 0.0
    if norm > 0.0 and margin < wrong:
        step = min(cost, (wrong - margin) / norm)
    for slot in touched:
        change = step * scratch[slot]
        weights[slot] += change
        later[slot] += time * change
        scratch[slot] = 0.0
    return wrong
