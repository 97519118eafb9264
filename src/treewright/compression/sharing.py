"""Dividing one limit among many sentences.

Sentence `i` has a curve: `curve[n]` is the score of its best output with exactly `n` words, -inf if
there is none. We choose lengths `n_i` that maximise the sum of scores with `Σ n_i` at most a total,
or as close below it as possible (`exactly`), which is how systems are compared at a matched rate. A
cap on each sentence (`cap_budget`) is different and harsher.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.errors import choose

Curve = NDArray[np.float64]
Lengths = NDArray[np.integer[Any]]

METHODS = ("auto", "exact", "lagrange")

EXACT_CELLS = 100_000_000
"""Sentences × total beyond which `auto` leaves the exact method: it keeps two bytes for each."""

EXACT_WORK = 4_000_000_000
"""Lengths of all curves × total beyond which `auto` leaves the exact method: some ten seconds."""


@dataclass(frozen=True, slots=True)
class Allocation:
    """The chosen lengths, their sum and score; `met` is whether the sum is within the budget.

    If even the shortest outputs exceed the budget, they are chosen, and `met` is false.
    """

    counts: tuple[int, ...]
    total: int
    score: float
    met: bool


def share_budget(
    curves: Sequence[Curve],
    total: int,
    *,
    least: int = 0,
    exactly: bool = False,
    method: str = "auto",
) -> Allocation:
    """Choose a length for each sentence, at most `total` words in all, with the best sum of scores.

    The sum is `least` or more if one within `total` is. With `exactly`, it is the largest that can
    be reached within `total`, whatever that costs in score. `exact` is a dynamic program in
    O(total · Σ lengths); ties go to fewer words in all, then to fewer in the last sentence, the one
    before it, and so on. `lagrange` prices words and fills what remains greedily: quick for any
    size, only near the best, and perhaps short of the total or of `least` if lengths have gaps.
    """
    choose(method, METHODS, "method")
    curves = [_checked(number, curve) for number, curve in enumerate(curves)]
    shortest = [int(np.isfinite(curve).argmax()) for curve in curves]
    if sum(shortest) > total:
        return _allocation(curves, shortest, total)
    if method == "auto":
        method = "exact" if _is_small(curves, total) else "lagrange"
    if method == "lagrange":
        counts = _share_by_slope(curves, shortest, total, exactly)
        if sum(counts) < least:
            counts = _share_by_slope(curves, shortest, min(least, total), exactly=True)
        return _allocation(curves, counts, total)
    return _allocation(curves, _share_exactly(curves, total, least, exactly), total)


def cap_budget(curve: Curve, limit: int) -> int:
    """Return the best length of one sentence within `limit`, or its shortest if none is.

    Ties go to fewer words.
    """
    curve = _checked(0, curve)
    shortest = int(np.isfinite(curve).argmax())
    return shortest if shortest > limit else int(curve[: limit + 1].argmax())


def leave_words(curve: Curve) -> Curve:
    """Return a curve without length 0, unless that is all there is: an empty text is not
    an output.
    """
    if not np.isfinite(curve[1:]).any():
        return curve
    longer = curve.copy()
    longer[0] = -np.inf
    return longer


def share_words(curves: Sequence[Curve], total: int) -> Allocation:
    """Divide exactly `total` words, at least one for each sentence if possible."""
    shared = share_budget([leave_words(curve) for curve in curves], total, exactly=True)
    return shared if shared.met else share_budget(curves, total, exactly=True)


def _checked(number: int, curve: Curve) -> Curve:
    curve = np.asarray(curve, dtype=np.float64)
    # A NaN is the greatest of all.
    greatest = curve.max(initial=-np.inf)
    if curve.ndim != 1 or greatest == -np.inf or np.isnan(greatest):
        raise ValueError(f"curve {number} has no finite score, or one that is not a number")
    if greatest == np.inf:
        raise ValueError(f"curve {number} has an infinite score")
    return curve


def _is_small(curves: Sequence[Curve], total: int) -> bool:
    total = min(total, sum(len(curve) - 1 for curve in curves))
    work = sum(len(curve) for curve in curves) * total
    return work <= EXACT_WORK and len(curves) * total <= EXACT_CELLS


def _allocation(curves: Sequence[Curve], counts: Sequence[int], total: int) -> Allocation:
    score = float(sum(curve[n] for curve, n in zip(curves, counts, strict=True)))
    return Allocation(tuple(counts), sum(counts), score, sum(counts) <= total)


def _share_exactly(curves: Sequence[Curve], total: int, least: int, exactly: bool) -> list[int]:
    """Max-plus convolution of the curves, one after another, keeping the choices."""
    if not curves:
        return []
    best = curves[0][: total + 1]
    choices: list[Lengths] = []
    for curve in curves[1:]:
        best, choice = _convolve(best, curve, total)
        choices.append(choice)
    place = _best_total(best, least, exactly)
    counts = []
    for choice in reversed(choices):
        counts.append(int(choice[place]))
        place -= counts[-1]
    return [place, *reversed(counts)]


def _best_total(best: Curve, least: int, exactly: bool) -> int:
    """Return the sum with the best score, `least` or more, or the greatest if that is asked for or
    no sum is large enough.
    """
    greatest = int(np.flatnonzero(np.isfinite(best))[-1])
    return greatest if exactly or greatest < least else least + int(best[least:].argmax())


def _convolve(best: Curve, curve: Curve, total: int) -> tuple[Curve, Lengths]:
    """Add a sentence: the best score for each sum up to `total`, and the sentence's part of it."""
    size = min(total, len(best) + len(curve) - 2) + 1
    kind = np.uint16 if len(curve) <= 1 << 16 else np.int32
    after: Curve = np.full(size, -np.inf)
    choice: Lengths = np.zeros(size, dtype=kind)
    for n in np.flatnonzero(np.isfinite(curve)).tolist():
        end = min(size, n + len(best))
        if end <= n:
            break
        scores = best[: end - n] + curve[n]
        better = scores > after[n:end]
        after[n:end][better] = scores[better]
        choice[n:end][better] = n
    return after, choice


def _share_by_slope(
    curves: Sequence[Curve], shortest: Sequence[int], total: int, exactly: bool
) -> list[int]:
    """Return a length for each sentence, starting from the shortest ones.

    A price per word makes each sentence choose a corner of its curve's upper hull. Lowering the
    price from infinity passes the hulls' segments in order of slope, so taking segments from the
    steepest down is Lagrange's method without any search for the multiplier. Without `exactly`, no
    words are added that do not raise the score.
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
