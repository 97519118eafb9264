"""Charts over spans: inside and outside sums, and the tree with the highest expected score.

Sentences come one after another. The spans of a sentence of `n` tokens are rows ordered by start,
then end: span `(i, j)` is row `i * n - i * (i - 1) // 2 + j - i - 1` of the sentence.
"""

from __future__ import annotations

import math

import numpy as np

from treewright.compiling import LARGEST, greatest, laid_out, lanes, least, multiply_codes, njit


@njit(cache=True, nogil=True, inline="always")
def _row(n, i, j):
    return i * n - i * (i - 1) // 2 + j - i - 1


@njit(cache=True, nogil=True)
def sum_labels(scores, totals):
    """Put the log-sum over the labels of each row (label 0 scores 0) into `totals`."""
    rows, labels = scores.shape
    for row in range(rows):
        highest = np.float32(0.0)
        for label in range(1, labels):
            highest = max(highest, scores[row, label])
        total = np.float32(math.exp(-highest))
        for label in range(1, labels):
            difference = scores[row, label] - highest
            if difference > np.float32(-20.0):
                total += np.exp(difference)
        totals[row] = highest + math.log(total)


@njit(cache=True, nogil=True)
def inside_outside(totals, n, posterior):
    """Return the log-sum over all binary bracketings; put each span's probability in `posterior`.

    `totals` and `posterior` are the rows of one sentence of `n` tokens.
    """
    # inside[i, j] and its transpose [j, i] are in one array, so both runs are contiguous.
    inside = np.full((n + 1, n + 1), -np.inf)
    for i in range(n):
        inside[i, i + 1] = inside[i + 1, i] = totals[_row(n, i, i + 1)]
    for width in range(2, n + 1):
        for i in range(n - width + 1):
            j = i + width
            highest = -np.inf
            for k in range(i + 1, j):
                highest = max(highest, inside[i, k] + inside[j, k])
            total = 0.0
            for k in range(i + 1, j):
                difference = inside[i, k] + inside[j, k] - highest
                if difference > -30.0:
                    total += math.exp(difference)
            value = highest + math.log(total) + totals[_row(n, i, j)]
            inside[i, j] = inside[j, i] = value
    # From the top down, a span passes its probability on to the parts of its splits.
    shares = np.zeros((n + 1, n + 1))
    shares[0, n] = 1.0
    for width in range(n, 1, -1):
        for i in range(n - width + 1):
            j = i + width
            share = shares[i, j]
            if share < 1e-9:
                continue
            without = inside[i, j] - totals[_row(n, i, j)]
            for k in range(i + 1, j):
                difference = inside[i, k] + inside[j, k] - without
                if difference > -20.0:
                    part = share * math.exp(difference)
                    shares[i, k] += part
                    shares[k, j] += part
    for i in range(n):
        for j in range(i + 1, n + 1):
            posterior[_row(n, i, j)] = shares[i, j]
    return inside[0, n]


@njit(cache=True, nogil=True)
def expectations(scores, lengths, marginals):
    """Fill `marginals` with each labelled span's probability; return the sum of log-partitions.

    Column 0 of `marginals` stays 0, because the score of "no constituent" is constant.
    """
    totals = np.empty(scores.shape[0], np.float32)
    sum_labels(scores, totals)
    posterior = np.empty(scores.shape[0], np.float32)
    labels = scores.shape[1]
    whole = 0.0
    first = 0
    for n in lengths:
        last = first + n * (n + 1) // 2
        whole += inside_outside(totals[first:last], n, posterior[first:last])
        for row in range(first, last):
            marginals[row, 0] = 0.0
            if posterior[row] < 1e-9:
                marginals[row, 1:] = 0.0
                continue
            for label in range(1, labels):
                difference = scores[row, label] - totals[row]
                if difference > np.float32(-20.0):
                    marginals[row, label] = posterior[row] * np.exp(difference)
                else:
                    marginals[row, label] = 0.0
        first = last
    return whole


@njit(cache=True, nogil=True)
def best_spans(scores, n, threshold, whole, spans):
    """Fill `spans` with the (start, end, label) of the tree of least risk; return their number.

    The tree maximises the sum of `probability - threshold` over its labelled spans: minimum Bayes
    risk for bracket scores. With `whole`, the whole sentence always has a label. `scores` holds the
    rows of one sentence of `n` tokens.
    """
    rows = scores.shape[0]
    totals = np.empty(rows, np.float32)
    sum_labels(scores, totals)
    posterior = np.empty(rows, np.float32)
    inside_outside(totals, n, posterior)
    gains = np.zeros(rows, np.float32)
    chosen = np.zeros(rows, np.int32)
    for row in range(rows):
        if posterior[row] <= threshold or scores.shape[1] < 2:
            continue
        label = 1 + np.argmax(scores[row, 1:])
        gain = posterior[row] * math.exp(scores[row, label] - totals[row]) - threshold
        if gain > 0.0 or (whole and row == n - 1):
            gains[row] = gain
            chosen[row] = label
    return best_bracketing(gains, chosen, n, spans)


@njit(cache=True, nogil=True)
def best_bracketing(gains, chosen, n, spans):
    """Fill `spans` with the labelled spans of the bracketing of highest total gain."""
    best = np.zeros((n + 1, n + 1), np.float32)
    split = np.zeros((n + 1, n + 1), np.int32)
    for i in range(n):
        best[i, i + 1] = best[i + 1, i] = gains[_row(n, i, i + 1)]
    for width in range(2, n + 1):
        for i in range(n - width + 1):
            j = i + width
            top = np.float32(-1.0)
            place = i + 1
            for k in range(i + 1, j):
                value = best[i, k] + best[j, k]
                if value > top:
                    top = value
                    place = k
            value = top + gains[_row(n, i, j)]
            best[i, j] = best[j, i] = value
            split[i, j] = place
    count = 0
    stack = np.empty((n + 1, 2), np.int32)
    stack[0, 0] = 0
    stack[0, 1] = n
    height = 1
    while height:
        height -= 1
        i, j = stack[height]
        row = _row(n, i, j)
        if chosen[row]:
            spans[count, 0] = i
            spans[count, 1] = j
            spans[count, 2] = chosen[row]
            count += 1
        if j - i > 1:
            stack[height, 0] = split[i, j]
            stack[height, 1] = j
            stack[height + 1, 0] = i
            stack[height + 1, 1] = split[i, j]
            height += 2
    return count


@njit(cache=True, nogil=True)
def score_spans(places, labels, bias):
    """Return the score of every label, a column each, for all spans of one sentence.

    `places` are what the positions between its tokens contribute (see `combine_ends`); `labels` is
    a `Factor`.
    """
    rows = len(places) * (len(places) - 1) // 2
    hidden = np.zeros((rows, 2 * labels.packed.shape[1]), np.int16)
    combine_ends(places, hidden)
    products = np.empty((rows, len(labels.scales)), np.float32)
    multiply_codes(hidden, laid_out(labels.packed), labels.scales, products)
    scores = np.empty((rows, len(bias)), np.float32)
    for row in range(rows):
        own, given = scores[row], products[row]
        for k in lanes(len(bias)):
            own[k] = given[k] + bias[k]
    return scores


@njit(cache=True, nogil=True)
def combine_ends(places, hidden):
    """Fill `hidden`, one row per span, with the positive part of what its two ends contribute,
    rounded to codes.

    What a place contributes as the start of a span comes first, then what it does as the end. More
    columns of `hidden` stay as they are.
    """
    n, width = len(places) - 1, places.shape[1] // 2
    zero, most = np.float32(0.0), np.float32(LARGEST)
    row = 0
    for i in range(n):
        start = places[i, :width]
        for j in range(i + 1, n + 1):
            end, codes = places[j, width:], hidden[row]
            for k in lanes(width):
                value = least(greatest(start[k] + end[k], zero), most)
                codes[k] = np.int16(np.rint(value))
            row += 1
