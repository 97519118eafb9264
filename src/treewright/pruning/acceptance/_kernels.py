"""Kernels: neighbours, seams and the algebra that puts seams into the search."""

import math

import numpy as np

from treewright.compiling import njit
from treewright.pruning.gaps import Gaps

NUM_FEATURES = 10
SLACK = 1.5
"""How many nats less likely a neighbour may be before it counts double."""


@njit(nogil=True, borrows=True)
def log_probability(table, a, b, c):
    """Return the log-probability of class `c` after `a` and `b`."""
    context = a * table.pair.shape[0] + b
    low, high = table.row[context], table.row[context + 1]
    while low < high:
        middle = (low + high) // 2
        if table.classes[middle] < c:
            low = middle + 1
        else:
            high = middle
    if low < table.row[context + 1] and table.classes[low] == c:
        return table.values[low]
    return table.rest[context] + table.pair[b, c]


@njit(nogil=True, borrows=True)
def describe_seam(table, classes, told, left, right, features):
    """Write the features of the seam where tokens `left` and `right` become neighbours.

    Tokens are numbered from 0; -1 and their number are the ends. `classes` has two edges before
    the first, what is `told` of the sentence one. How likely is the right side after the left one,
    in itself, against what stood before it, and against what stood behind the left side? How much
    less expected is it there? At the ends of a sentence that is not known, and counts as 0. How
    probable does the model find it that the two become neighbours, and what are the log-odds that
    readers mind?
    """
    i, j = left + 2, right + 2
    a, b, c = classes[i - 1], classes[i], classes[j]
    joined = log_probability(table, a, b, c)
    was = log_probability(table, classes[j - 2], classes[j - 1], c)
    features[0] = joined
    features[1] = features[3] = features[5] = 0.0
    if j < len(classes) - 2:
        after = log_probability(table, b, c, classes[j + 1])
        features[1] = after
        features[3] = after - log_probability(table, classes[j - 1], c, classes[j + 1])
        features[5] = max(0.0, -features[3] - SLACK)
    features[2] = joined - was
    features[4] = max(0.0, -features[2] - SLACK)
    features[6] = joined - log_probability(table, a, b, classes[i + 1])
    inside = left >= 0 and j < len(classes) - 2
    features[7] = told.surprises[left + 1, right + 1] if inside and len(told.surprises) else 0.0
    features[8] = told.chances[left + 1, right + 1] if len(told.chances) else 0.0
    features[9] = told.clashes[left + 1, right + 1] if len(told.clashes) else 0.0


@njit(nogil=True)
def describe_seams(table, classes, told, pairs):
    """Return the features of several seams, a row each."""
    features = np.zeros((len(pairs), NUM_FEATURES))
    for k in range(len(pairs)):
        describe_seam(table, classes, told, pairs[k, 0], pairs[k, 1], features[k])
    return features


@njit(nogil=True, borrows=True, forceinline=True)
def weigh_seam(data, left, right):
    """Return the weight of a seam, found once for every two tokens."""
    added = data.added[left + 1, right + 1]
    if right == left + 1 or data.care == 0.0:
        return added
    known = data.known[left + 1, right]
    if known <= 0.0:
        return known + added
    describe_seam(data.table, data.classes, data.told, left, right, data.features)
    odds = data.weights[NUM_FEATURES] + data.bias[data.tags[left + 1], data.tags[right + 1]]
    for k in range(NUM_FEATURES):
        odds += data.weights[k] * data.features[k]
    weight = -data.care * (math.log1p(math.exp(-odds)) if odds > -30.0 else -odds)
    data.known[left + 1, right] = weight
    return weight + added


@njit(nogil=True, borrows=True, forceinline=True)
def start_with_word(data, edge, choice):
    """Begin with the token that an edge keeps itself; a state holds both ends of what is kept."""
    token = data.token[edge]
    state = 0 if token < 0 else (token + 1) * data.base + token + 1
    return state, 0.0


@njit(nogil=True, borrows=True, forceinline=True)
def join_ends(data, edge, position, state, tail_state):
    """Join what is kept so far with what a tail keeps."""
    if tail_state == 0:
        return state, 0.0
    if state == 0:
        return tail_state, 0.0
    last, first = state % data.base - 1, tail_state // data.base - 1
    joined = state // data.base * data.base + tail_state % data.base
    return joined, weigh_seam(data, last, first)


@njit(nogil=True, borrows=True, forceinline=True)
def close_ends(data, edge, state):
    """Weigh the seams with both ends of the sentence at the root."""
    if not data.is_root[edge] or state == 0:
        return state, 0.0
    first, last = state // data.base - 1, state % data.base - 1
    size = data.base - 2
    return state, weigh_seam(data, -1, first) + weigh_seam(data, last, size)


@njit(nogil=True)
def weigh_seams(data, node_ptr, tail_ptr, tail, weights, beam):
    """Add its seams to the weight of every edge, if that can be done without splitting nodes.

    It can if all derivations of a node keep the same first and last token, and if there is no dead
    end and no edge that weighs -inf, which a split would leave out. The root has a state for each
    of its ends; those beyond the beam are left out as a split does it: their edges weigh -inf.
    Returns whether it could; otherwise some weights may have changed.
    """
    root = len(node_ptr) - 2
    states = np.empty(root + 1, np.int64)
    best = np.full(root + 1, -np.inf)
    first_of_root = node_ptr[root]
    ends = np.empty(node_ptr[root + 1] - first_of_root, np.int64)
    scores = np.empty(len(ends))
    for node in range(root + 1):
        known = -1
        for edge in range(node_ptr[node], node_ptr[node + 1]):
            if weights[edge] == -np.inf:
                return False
            first = tail_ptr[edge]
            state, total = start_with_word(data, edge, 0)
            score = 0.0
            for position in range(tail_ptr[edge + 1] - first):
                child = tail[first + position]
                state, weight = join_ends(data, edge, position, state, states[child])
                total += weight
                score += best[child]
            state, weight = close_ends(data, edge, state)
            weights[edge] = total + (weight + weights[edge])
            score += weights[edge]
            best[node] = max(best[node], score)
            if node == root:
                ends[edge - first_of_root] = state
                scores[edge - first_of_root] = score
            elif known >= 0 and state != known:
                return False
            known = state
        if known < 0 and node < root:
            return False
        states[node] = known
    leave_out(weights[first_of_root:], ends, scores, beam)
    return True


@njit(nogil=True)
def leave_out(weights, states, scores, beam):
    """Set weights to -inf from the best-scored edge on that reaches a state beyond the beam."""
    reached = np.empty(min(beam, len(states)), np.int64)
    count = 0
    is_full = False
    for edge in np.argsort(-scores, kind="mergesort"):
        is_known = False
        for k in range(count):
            is_known |= reached[k] == states[edge]
        is_full |= not is_known and count == beam
        if is_full:
            weights[edge] = -np.inf
        elif not is_known:
            reached[count] = states[edge]
            count += 1


@njit(nogil=True)
def odds_of_dropping(gaps, end, uses, bound):
    """Return the log-odds that each node is dropped if its parent stays, by how often gaps are
    used.
    """
    gaps = Gaps(*gaps)
    size = len(end)
    kept = np.zeros(size)
    dropped = np.zeros(size)
    for g in range(len(uses)):
        if gaps.left[g] < 0 and gaps.resumes[g] == 0:
            kept[gaps.parent[g]] += uses[g]
        child = gaps.first[g]
        while child >= 0:
            dropped[child] += uses[g]
            child = end[child] if child != gaps.last[g] else -1
    odds = np.full(size, -bound)
    for x in range(size):
        child = x + 1
        while child < end[x]:
            if kept[x] > 0.0:
                share = dropped[child] / kept[x]
                if share >= 1.0:
                    odds[child] = bound
                elif share > 0.0:
                    odds[child] = min(max(math.log(share / (1.0 - share)), -bound), bound)
            child = end[child]
    return odds


@njit(nogil=True)
def dropped_anywhere(gaps, end, used):
    """Return which nodes are dropped by some gap that is used (-1: none)."""
    gaps = Gaps(*gaps)
    dropped = np.zeros(len(end), dtype=np.bool_)
    for g in used:
        child = gaps.first[g] if g >= 0 else -1
        while child >= 0:
            dropped[child] = True
            child = end[child] if child != gaps.last[g] else -1
    return dropped


@njit(nogil=True)
def sum_by_edge(gaps, end, used, values):
    """Return the sum of the values of all nodes that the gap of each edge drops (-1: none)."""
    gaps = Gaps(*gaps)
    sums = np.zeros(len(used))
    for edge in range(len(used)):
        g = used[edge]
        child = gaps.first[g] if g >= 0 else -1
        while child >= 0:
            sums[edge] += values[child]
            child = end[child] if child != gaps.last[g] else -1
    return sums
