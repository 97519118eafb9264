"""Leaving out the n-grams that a model misses least (Stolcke 1998).

Without `hw`, the context `h` gives `w` what backing off does. How much worse the model becomes is
the relative entropy between the two distributions after `h`, times the probability of `h`:

    ΔD = -p(h) [ p(w|h) (log p(w|h') + log α'(h) - log p(w|h)) + r(h) (log α'(h) - log α(h)) ]

with `r(h)` the mass that `h` leaves to backing off, and `α'` its weight without `hw`. `p(h)` is the
share of `h` in the text: the lower orders of a Kneser–Ney model would say how many contexts a word
has, not how often it occurs (Chelba et al. 2010).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from treewright.arrays import Bools, Floats, Ints
from treewright.lm.arrays import BEGIN, Level


def prune_levels(levels: Sequence[Level], counts: Sequence[Ints], threshold: float) -> list[Level]:
    """Leave out each n-gram without which alone the perplexity would grow by less than `threshold`,
    a share.

    `counts` has the counts of the n-grams of each level. N-grams that begin or end longer ones
    stay as long as these do, and unigrams always.
    """
    total = float(counts[0].sum() - counts[0][BEGIN])
    kept: list[Bools] = [np.ones(len(level), bool) for level in levels]
    for k in range(len(levels) - 1, 0, -1):
        share = counts[k - 1] / total
        loss = share[levels[k].parent] * entropy_losses(levels[k], levels[k - 1])
        needed = np.zeros(len(levels[k]), bool)
        if k + 1 < len(levels):
            above = levels[k + 1]
            needed[above.parent[kept[k + 1]]] = True
            needed[above.suffix[kept[k + 1]]] = True
        kept[k] = needed | (np.expm1(loss) >= threshold)
    return _without(levels, kept)


def entropy_losses(level: Level, below: Level) -> Floats:
    """Return the relative entropy after its context that each n-gram saves."""
    log_shorter = below.log_prob[level.suffix]
    prob, shorter = np.exp(level.log_prob), np.exp(log_shorter)
    unseen = 1 - np.bincount(level.parent, shorter, len(below))
    weight = below.back_off[level.parent]
    rest = np.exp(weight) * unseen[level.parent]
    new_weight = np.log((rest + prob) / (unseen[level.parent] + shorter))
    saved: Floats = prob * (log_shorter + new_weight - level.log_prob) + rest * (
        new_weight - weight
    )
    return -saved


def _without(levels: Sequence[Level], kept: Sequence[Bools]) -> list[Level]:
    """Return the levels without some n-grams, with the back-off weights that make up for them."""
    pruned: list[Level] = []
    number = np.zeros(len(levels[0]), np.int32)
    for k, level in enumerate(levels):
        of_this = kept[k]
        own = Level(
            parent=number[level.parent[of_this]],
            word=level.word[of_this],
            suffix=number[level.suffix[of_this]],
            log_prob=level.log_prob[of_this],
            back_off=level.back_off[of_this],
        )
        if k:
            complete = np.bincount(own.parent, minlength=len(pruned[-1]))
            before = np.bincount(level.parent, minlength=len(kept[k - 1]))[kept[k - 1]]
            pruned[-1] = _weighted(pruned[-1], own, complete < before)
        pruned.append(own)
        number = np.cumsum(of_this, dtype=np.int32) - np.int32(1)
    return pruned


def _weighted(below: Level, level: Level, changed: Bools) -> Level:
    """Return a level with new back-off weights where the level above it has `changed`."""
    left = 1 - np.bincount(level.parent, np.exp(level.log_prob), len(below))
    unseen = 1 - np.bincount(level.parent, np.exp(below.log_prob[level.suffix]), len(below))
    back_off = below.back_off.copy()
    back_off[changed] = np.log(left[changed] / unseen[changed])
    return Level(below.parent, below.word, below.suffix, below.log_prob, back_off)
