"""Interpolated modified Kneser–Ney smoothing (Chen and Goodman 1998, section 3).

The probability of a word `w` after a context `h` is

    p(w | h) = (a(hw) - D(a(hw))) / Σ_v a(hv) + γ(h) p(w | h'),

where `h'` is `h` without its first word. The *adjusted count* `a` is the count for the highest
order and for n-grams that begin a sentence; for others it is the number of words seen before
the n-gram. The discount `D` depends on the order and on whether the adjusted count is 1, 2 or more
(equation 26), and `γ(h)` returns what was discounted. Below unigrams is the uniform distribution
over the vocabulary, all that `<unk>` has. Everything follows KenLM's `lmplz`, so estimates agree.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from treewright.arrays import Bools, Floats, Ints, Longs
from treewright.lm.arrays import BEGIN, Level
from treewright.lm.counting import Counted

FALLBACK = (0.5, 1.0, 1.5)
"""Discounts of an order whose counts are too few to estimate them."""

Discounts = tuple[float, float, float]


@dataclass(frozen=True)
class Estimate:
    """The n-grams of each order and their counts, the discounts, and the orders whose discounts are
    `FALLBACK`.
    """

    levels: list[Level]
    counts: list[Ints]
    discounts: list[Discounts]
    fallback: list[int]


def estimate(counted: Sequence[Counted], cutoffs: Sequence[int]) -> Estimate:
    """Estimate a model from counts; n-grams that occur at most `cutoffs[k]` times are left out.

    `cutoffs` has a number for each order, the first 0, none below the one before. What the
    n-grams left out had goes to the back-off weights of their contexts.
    """
    discounts: list[Discounts] = []
    fallback: list[int] = []
    smoothed: list[_Smoothed] = []
    for k, level in enumerate(counted):
        adjusted = _adjusted(counted, k)
        kept = level.count > cutoffs[k] if k else np.ones(len(level), bool)
        found = find_discounts(adjusted)
        if found is None:
            fallback.append(k + 1)
        discounts.append(found or FALLBACK)
        below = smoothed[-1] if smoothed else None
        smoothed.append(_smooth(level, adjusted, kept, discounts[-1], below))
    counts = [level.count[own.kept] for level, own in zip(counted, smoothed, strict=True)]
    return Estimate(list(_levels(counted, smoothed)), counts, discounts, fallback)


def _adjusted(counted: Sequence[Counted], k: int) -> Longs:
    """Return the adjusted counts of the n-grams of order `k + 1`."""
    level = counted[k]
    if k == len(counted) - 1:
        adjusted = level.count.astype(np.int64)
    else:
        types = np.bincount(counted[k + 1].suffix, minlength=len(level))
        adjusted = np.where(level.begins, level.count, types)
    if k == 0:
        adjusted[BEGIN] = 0
    return adjusted


def find_discounts(adjusted: Longs) -> Discounts | None:
    """Return the discounts of adjusted counts 1, 2 and more, or `None` if too few n-grams have
    them.
    """
    n = [int(number) for number in np.bincount(np.minimum(adjusted, 5), minlength=6)]
    if 0 in n[1:4]:
        return None
    y = n[1] / (n[1] + 2 * n[2])
    one, two, more = (j - (j + 1) * y * n[j + 1] / n[j] for j in (1, 2, 3))
    return (one, two, more) if min(one, two, more) > 0 else None


@dataclass(frozen=True, eq=False)
class _Smoothed:
    """Probabilities of an order's n-grams, back-off weights of their contexts, which are kept."""

    prob: Floats
    gamma: Floats
    kept: Bools


def _smooth(
    level: Counted,
    adjusted: Longs,
    kept: Bools,
    discounts: Discounts,
    below: _Smoothed | None,
) -> _Smoothed:
    by_count = np.array([0.0, *discounts])
    discount = by_count[np.minimum(adjusted, 3)]
    contexts = 1 if below is None else below.prob.size
    total = np.bincount(level.parent, adjusted, contexts)
    returned = np.bincount(level.parent, np.where(kept, discount, adjusted), contexts)
    gamma = np.divide(returned, total, out=np.ones(contexts), where=total > 0)
    if below is None:
        shorter = np.full(len(level), 1 / (len(level) - 1))
    else:
        shorter = below.prob[level.suffix]
    prob = (adjusted - discount) / total[level.parent] + gamma[level.parent] * shorter
    if below is None:
        prob[BEGIN] = 0
    return _Smoothed(prob, gamma, kept)


def _levels(counted: Sequence[Counted], smoothed: Sequence[_Smoothed]) -> Iterator[Level]:
    """Yield what is kept, with the back-off weights that the order above has for its contexts."""
    number = np.zeros(1, np.int32)
    for k, (level, own) in enumerate(zip(counted, smoothed, strict=True)):
        kept = own.kept
        above = smoothed[k + 1].gamma if k + 1 < len(smoothed) else np.ones(len(level))
        with np.errstate(divide="ignore"):
            log_prob = np.log(own.prob[kept])
        yield Level(
            parent=number[level.parent[kept]] if k else level.parent,
            word=level.word[kept],
            suffix=number[level.suffix[kept]] if k else level.suffix,
            log_prob=log_prob,
            back_off=np.log(above[kept]),
        )
        number = np.cumsum(kept, dtype=np.int32) - np.int32(1)
