"""Probabilities of phrases given phrases, from counts, smoothed or not (Foster et al. 2006)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treewright.arrays import Floats, Ints, Longs, Singles
from treewright.errors import choose
from treewright.translation.phrases.ngrams import LENGTH_BITS
from treewright.translation.phrases.occurrences import Extracted, PairCounts

SMOOTHINGS = ("none", "absolute", "kneser-ney")


class Unsmoothed:
    """Relative frequencies."""

    def __init__(self, extracted: Extracted) -> None:
        self._source = extracted.source_count
        self._target = extracted.target_count

    def forward(self, pairs: PairCounts) -> Floats:
        """Divide by the count of the source."""
        return pairs.joint / look_up(self._source, pairs.source)

    def backward(self, pairs: PairCounts) -> Floats:
        """Divide by the count of the target."""
        return pairs.joint / look_up(self._target, pairs.target)


class Discounted:
    """Counts less a discount, which goes to a distribution that does not depend on the condition.

    By absolute discounting, one discount for all counts, and phrases by their own frequency; by
    Kneser–Ney, discounts for the counts 1, 2 and more (Chen and Goodman 1999), and phrases by how
    many others they are paired with.
    """

    def __init__(self, extracted: Extracted, *, kneser_ney: bool) -> None:
        self._source = extracted.source_count
        self._target = extracted.target_count
        counts_of_counts, source_kinds, target_kinds = _gather(extracted)
        self._discount = discounts(counts_of_counts, split=kneser_ney)
        self._source_mass = _mass(source_kinds, self._discount)
        self._target_mass = _mass(target_kinds, self._discount)
        prior = (source_kinds.sum(-1), target_kinds.sum(-1)) if kneser_ney else None
        of_source, of_target = prior or (self._source, self._target)
        self._source_prior = (of_source / max(1, of_source.sum())).astype(np.float32)
        self._target_prior = (of_target / max(1, of_target.sum())).astype(np.float32)

    def forward(self, pairs: PairCounts) -> Floats:
        """Condition on the source."""
        moved = look_up(self._source_mass, pairs.source)
        prior = look_up(self._target_prior, pairs.target)
        return (self._kept(pairs) + moved * prior) / look_up(self._source, pairs.source)

    def backward(self, pairs: PairCounts) -> Floats:
        """Condition on the target."""
        moved = look_up(self._target_mass, pairs.target)
        prior = look_up(self._source_prior, pairs.source)
        return (self._kept(pairs) + moved * prior) / look_up(self._target, pairs.target)

    def _kept(self, pairs: PairCounts) -> Floats:
        return np.asarray(pairs.joint - self._discount[np.minimum(pairs.joint, 3)])


Smoothing = Unsmoothed | Discounted


def smoothing(name: str, extracted: Extracted) -> Smoothing:
    """Return the smoothing of this name, prepared for what was extracted."""
    choose(name, SMOOTHINGS, "smoothing")
    if name == "none":
        return Unsmoothed(extracted)
    return Discounted(extracted, kneser_ney=name == "kneser-ney")


def look_up(values: NDArray[np.generic], names: Longs) -> Floats:
    """Look phrases up in a table by length and rank."""
    found = values[names & ((1 << LENGTH_BITS) - 1), names >> LENGTH_BITS]
    return np.asarray(found, np.float64)


def _mass(kinds: Ints, discount: Floats) -> Singles:
    """Return how much is discounted from the pairs of each phrase."""
    mass = np.zeros(kinds.shape[:-1], np.float32)
    for kind in range(kinds.shape[-1]):
        mass += discount[kind + 1] * kinds[..., kind]
    return mass


def _gather(extracted: Extracted) -> tuple[Longs, Ints, Ints]:
    """Count the pairs that occur 0 to 4 times, and how many pairs each phrase has of one
    occurrence, of two, and of more.
    """
    source = np.zeros((*extracted.source_count.shape, 3), np.int32)
    target = np.zeros((*extracted.target_count.shape, 3), np.int32)
    counts_of_counts = np.zeros(6, np.int64)
    for pairs in extracted.pairs():
        counts_of_counts += np.bincount(np.minimum(pairs.joint, 5), minlength=6)
        kind = np.minimum(pairs.joint, 3) - 1
        for table, names in ((source, pairs.source), (target, pairs.target)):
            np.add.at(table, (names & ((1 << LENGTH_BITS) - 1), names >> LENGTH_BITS, kind), 1)
    return counts_of_counts[:5], source, target


def discounts(counts_of_counts: Longs, *, split: bool) -> Floats:
    """Estimate the discounts of pairs that occur 0 times (none), once, twice, more often.

    `counts_of_counts` says how many pairs occur 0 to 4 times. Without `split`, there is one
    discount for all.

    Estimates from few pairs can leave their range, where they would spoil probabilities; they are
    held between 0 and the count.
    """
    n = np.maximum(counts_of_counts, 1).astype(np.float64)
    y = n[1] / (n[1] + 2 * n[2])
    if not split:
        return np.array([0.0, y, y, y])
    found = [k - (k + 1) * y * n[k + 1] / n[k] for k in (1, 2, 3)]
    return np.asarray(np.clip([0.0, *found], 0.0, [0.0, 1.0, 2.0, 3.0]))
