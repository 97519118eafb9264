"""Pruning of phrase pairs that may share sentences by chance (Johnson et al. 2007).

A pair is rated by Fisher's exact test: -ln of the chance that its phrases share as many sentence
pairs as they do, or more, given in how many each occurs. Phrases that occur once, in the same pair
of N, are rated α = ln N. A threshold just above α drops all of these, one just below keeps them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.special import gammaln

from treewright.arrays import Floats, Ints, Longs
from treewright.errors import UsageError
from treewright.translation.phrases._kernels import rate_pairs, spread
from treewright.translation.phrases.ngrams import NGrams

KEEP_SINGLE, DROP_SINGLE = "alpha-epsilon", "alpha+epsilon"
_EPSILON = 0.01


class Whereabouts(NamedTuple):
    """Where the n-grams of one language occur, as kernels take it."""

    start: Longs
    order: Ints
    rank: Ints
    first: Ints
    sentence: Ints
    occurrences: Ints
    sentences: Ints

    @classmethod
    def of(cls, ngrams: NGrams) -> Whereabouts:
        """Count the occurrences of n-grams, and their sentences."""
        text = ngrams.text
        side = cls(
            text.start,
            ngrams.order,
            ngrams.rank,
            ngrams.first,
            np.repeat(np.arange(len(text), dtype=np.int32), text.lengths),
            np.zeros_like(ngrams.first),
            np.zeros_like(ngrams.first),
        )
        spread(side, side.occurrences, side.sentences)
        return side


@dataclass(frozen=True, eq=False)
class Significance:
    """Rates phrase pairs of two texts, given by the keys that extraction gives them."""

    source: NGrams
    target: NGrams

    @cached_property
    def _sides(self) -> tuple[Whereabouts, Whereabouts]:
        return Whereabouts.of(self.source), Whereabouts.of(self.target)

    @cached_property
    def _log_factorial(self) -> Floats:
        return np.asarray(gammaln(np.arange(1.0, len(self.source.text) + 2)))

    def __call__(self, keys: Longs) -> Floats:
        """Return the rating of each pair."""
        ratings = np.empty(keys.size)
        rate_pairs(*self._sides, keys, self._log_factorial, ratings)
        return ratings


def threshold(name: str, pairs: int) -> float | None:
    """Return the least rating that is kept, given by name or as a number; `None` for `none`."""
    if name == "none":
        return None
    if name in (KEEP_SINGLE, DROP_SINGLE):
        return math.log(max(pairs, 1)) + (_EPSILON if name == DROP_SINGLE else -_EPSILON)
    try:
        value = float(name)
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or value < 0:
        raise UsageError(
            f"significance is none, {KEEP_SINGLE}, {DROP_SINGLE} or a number from 0 on, "
            f"not {name!r}"
        )
    return value
