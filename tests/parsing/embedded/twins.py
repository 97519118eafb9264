"""Plain-Python twins of the embedded parser's kernels: all bracketings, one by one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

Span = tuple[int, int]
Rows = Sequence[Sequence[float]]


def spans(n: int) -> list[Span]:
    """Return the spans of a sentence in the order of their rows."""
    return [(i, j) for i in range(n) for j in range(i + 1, n + 1)]


@cache
def bracketings(i: int, j: int) -> list[frozenset[Span]]:
    """Return every binary bracketing of the tokens from `i` to `j`, as sets of spans."""
    if j == i + 1:
        return [frozenset({(i, j)})]
    return [
        left | right | {(i, j)}
        for k in range(i + 1, j)
        for left in bracketings(i, k)
        for right in bracketings(k, j)
    ]


def log_sum(values: Sequence[float]) -> float:
    highest = max(values)
    return highest + math.log(math.fsum(math.exp(value - highest) for value in values))


def sum_labels(scores: Rows) -> list[float]:
    return [log_sum([0.0, *row[1:]]) for row in scores]


def log_partition(totals: Sequence[float], n: int) -> float:
    value = dict(zip(spans(n), totals, strict=True))
    return log_sum([math.fsum(value[span] for span in tree) for tree in bracketings(0, n)])


def posteriors(totals: Sequence[float], n: int) -> list[float]:
    value = dict(zip(spans(n), totals, strict=True))
    whole = log_partition(totals, n)
    share = dict.fromkeys(spans(n), 0.0)
    for tree in bracketings(0, n):
        for span in tree:
            share[span] += math.exp(math.fsum(value[part] for part in tree) - whole)
    return list(share.values())


def marginals(scores: Rows, n: int) -> list[list[float]]:
    totals = sum_labels(scores)
    return [
        [0.0, *(share * math.exp(score - total) for score in row[1:])]
        for row, total, share in zip(scores, totals, posteriors(totals, n), strict=True)
    ]


def slopes(scores: Rows, n: int, step: float = 1e-5) -> list[list[float]]:
    """Return the gradient of the log-partition by central differences."""
    found = []
    for number, row in enumerate(scores):
        found.append([0.0])
        for label in range(1, len(row)):
            sides = []
            for change in (step, -step):
                moved = [list(other) for other in scores]
                moved[number][label] += change
                sides.append(log_partition(sum_labels(moved), n))
            found[-1].append((sides[0] - sides[1]) / (2 * step))
    return found


def best_gain(gains: Sequence[float], n: int) -> float:
    gain = dict(zip(spans(n), gains, strict=True))
    return max(math.fsum(gain[span] for span in tree) for tree in bracketings(0, n))


def sigmoid(x: float) -> float:
    return 0.5 * math.tanh(0.5 * x) + 0.5


def in_eight_bits(matrix: Rows) -> list[list[float]]:
    """Return a matrix whose rows have at most 255 different weights."""
    scales = [max(map(abs, row)) / 127 for row in matrix]
    return [
        [scale * round(weight / scale) for weight in row]
        for scale, row in zip(scales, matrix, strict=True)
    ]


def lstm(inputs: Rows, weights: Rows) -> list[list[float]]:
    """Return the states of one sentence, given what each token adds to the gates.

    A row of `weights` is what the state before contributes to a gate; states are rounded.
    """
    size = len(weights) // 4
    cell, hidden = [0.0] * size, [0.0] * size
    states = []
    for given in inputs:
        gates = [
            start + math.fsum(h * w for h, w in zip(hidden, row, strict=True))
            for start, row in zip(given, weights, strict=True)
        ]
        into, kept, new, out = (gates[part * size : (part + 1) * size] for part in range(4))
        cell = [
            sigmoid(kept[k]) * cell[k] + sigmoid(into[k]) * math.tanh(new[k]) for k in range(size)
        ]
        hidden = [round(8192 * sigmoid(out[k]) * math.tanh(cell[k])) / 8192 for k in range(size)]
        states.append(hidden)
    return states


def combine_ends(starts: Rows, ends: Rows) -> list[list[float]]:
    return [
        [max(a + b, 0.0) for a, b in zip(starts[i], ends[j], strict=True)]
        for i, j in spans(len(starts) - 1)
    ]
