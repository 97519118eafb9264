"""Sharing a word budget by price: one Lagrange multiplier, and the remainder filled greedily.

A price per word makes each sentence choose a corner of its curve's upper hull. Lowering the price
from infinity passes the hulls' segments in order of slope, so taking segments from the steepest
down is that method without any search for the multiplier.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Curve = NDArray[np.float64]


def share_by_slope(
    curves: Sequence[Curve], shortest: Sequence[int], total: int, exactly: bool
) -> list[int]:
    """Return a length for each sentence, starting from the shortest ones.

    Without `exactly`, no words are added that do not raise the score.
    """
    counts = list(shortest)
    room = total - sum(counts)
    segments = []
    for number, curve in enumerate(curves):
        corners = upper_hull(curve)
        for before, after in pairwise(corners):
            slope = (curve[after] - curve[before]) / (after - before)
            segments.append((-slope, number, after))
    for price, number, after in sorted(segments):
        if (price >= 0 and not exactly) or after - counts[number] > room:
            break
        room -= after - counts[number]
        counts[number] = after
    return _fill(curves, counts, room, exactly)


def upper_hull(curve: Curve) -> list[int]:
    """Return the lengths at the corners of the curve's upper concave hull, from left to right."""
    hull: list[int] = []
    for n in np.flatnonzero(np.isfinite(curve)).tolist():
        while len(hull) > 1 and _slope(curve, hull[-2], hull[-1]) <= _slope(curve, hull[-1], n):
            hull.pop()
        hull.append(n)
    return hull


def _slope(curve: Curve, before: int, after: int) -> float:
    return float((curve[after] - curve[before]) / (after - before))


def _fill(curves: Sequence[Curve], counts: list[int], room: int, exactly: bool) -> list[int]:
    """Lengthen sentences, best gain per word first, while any move still fits."""
    moves: list[tuple[float, int, int]] = []

    def offer(number: int) -> None:
        move = _best_move(curves[number], counts[number], room, exactly)
        if move is not None:
            heapq.heappush(moves, (-move[0], number, move[1]))

    for number in range(len(curves)):
        offer(number)
    while moves and room > 0:
        _, number, after = heapq.heappop(moves)
        if after - counts[number] <= room:
            room -= after - counts[number]
            counts[number] = after
        offer(number)
    return counts


def _best_move(curve: Curve, now: int, room: int, exactly: bool) -> tuple[float, int] | None:
    """Return the gain per word and the new length of the best way to lengthen one sentence."""
    ahead = curve[now + 1 : now + room + 1]
    if not len(ahead):
        return None
    gains = (ahead - curve[now]) / np.arange(1, len(ahead) + 1)
    best = int(gains.argmax())
    gain = float(gains[best])
    return (gain, now + 1 + best) if gain > (-np.inf if exactly else 0.0) else None
