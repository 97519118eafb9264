"""From counts of phrase pairs to the rows of a table: features, reordering, which rows stay."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.arrays import Floats, Ints, Longs, Singles
from treewright.translation.phrases._kernels import weigh_words
from treewright.translation.phrases.lexicon import Lexicon
from treewright.translation.phrases.ngrams import LONGEST, NGrams
from treewright.translation.phrases.occurrences import PairCounts
from treewright.translation.phrases.significance import Significance
from treewright.translation.phrases.smoothing import Smoothing, look_up
from treewright.translation.rows import rank_in, starts_of

FEATURES = ("p(f|e)", "lex(f|e)", "p(e|f)", "lex(e|f)")
_BLOCK = 1 << 16
_GIVEN_SOURCE, _LEXICAL_GIVEN_SOURCE = 2, 3


class Rows(NamedTuple):
    """Scored phrase pairs, those of a source phrase together, the most probable first."""

    source: Longs
    target: Longs
    links: Longs
    features: Singles
    reordering: Singles
    counts: Singles

    def take(self, order: Longs) -> Rows:
        """Return some of the rows."""
        return Rows._make(column[order] for column in self)


class Spelled(NamedTuple):
    """Where the phrases of some rows are in a text."""

    words: Ints
    position: Longs
    length: Longs


@dataclass(frozen=True, eq=False)
class Scorer:
    """Scores phrase pairs of two texts.

    `reordering_prior` is the distribution over orientations that counts are smoothed with, each of
    which weighs as much as `prior_weight` occurrences. At most `limit` options of a source phrase
    are kept, and no pair that occurs less than `min_count` times or is rated below `least_rating`.
    """

    source: NGrams
    target: NGrams
    source_count: Ints
    target_count: Ints
    lexicon: Lexicon
    smoothing: Smoothing
    reordering_prior: Floats
    prior_weight: float
    min_count: int
    significance: Significance
    least_rating: float | None
    limit: int | None

    def __call__(self, pairs: PairCounts) -> Rows:
        """Score a chunk, in which all pairs of a source phrase are."""
        pairs = self._kept(pairs)
        rows = Rows(
            pairs.source,
            pairs.target,
            pairs.links,
            self._features(pairs),
            self._reordering(pairs),
            np.stack(
                [
                    pairs.joint,
                    look_up(self.source_count, pairs.source),
                    look_up(self.target_count, pairs.target),
                ],
                axis=1,
            ).astype(np.float32),
        )
        order = best_first(rows, self.limit)
        return rows.take(order)

    def _kept(self, pairs: PairCounts) -> PairCounts:
        if self.min_count > 1:
            pairs = pairs.take(np.flatnonzero(pairs.joint >= self.min_count))
        if self.least_rating is not None:
            pairs = pairs.take(np.flatnonzero(self.significance(pairs.key) >= self.least_rating))
        return pairs

    def _features(self, pairs: PairCounts) -> Singles:
        lexical = np.empty((pairs.key.size, 2))
        weigh_words(
            Spelled(self.source.text.words, *self.source.where(pairs.source)),
            Spelled(self.target.text.words, *self.target.where(pairs.target)),
            self.lexicon,
            pairs.links,
            lexical,
        )
        backward, forward = self.smoothing.backward(pairs), self.smoothing.forward(pairs)
        columns = [np.log(backward), lexical[:, 1], np.log(forward), lexical[:, 0]]
        return np.stack(columns, axis=1).astype(np.float32)

    def _reordering(self, pairs: PairCounts) -> Singles:
        """Return log probabilities: counts and the prior, which weighs like so many counts."""
        prior = self.prior_weight * self.reordering_prior.reshape(-1)
        shares = (pairs.orientations + prior) / (pairs.joint[:, None] + self.prior_weight)
        return np.log(shares).astype(np.float32)


def best_first(rows: Rows, limit: int | None) -> Longs:
    """Order the rows of each source phrase by p(e|f), ties by the lexical weight; keep the first
    `limit`.
    """
    order = np.lexsort(
        (
            rows.target,
            -rows.features[:, _LEXICAL_GIVEN_SOURCE],
            -rows.features[:, _GIVEN_SOURCE],
            rows.source,
        )
    )
    if limit is None:
        return order
    return order[rank_in(starts_of(rows.source[order]), order.size) < limit]


def unpack_links(links: Longs) -> tuple[Longs, NDArray[np.uint8]]:
    """Return links as (source, target) positions in phrases, after where those of a row start."""
    parts = [np.zeros((0, 2), np.uint8)]
    numbers = [np.zeros(1, np.int64)]
    for start in range(0, links.size, _BLOCK):
        octets = links[start : start + _BLOCK].astype("<i8").view(np.uint8).reshape(-1, 8)
        bits = np.unpackbits(octets, axis=1, bitorder="little")
        bit = np.nonzero(bits)[1].astype(np.uint8)
        parts.append(np.stack([bit // LONGEST, bit % LONGEST], axis=1))
        numbers.append(bits.sum(axis=1, dtype=np.int64))
    return np.cumsum(np.concatenate(numbers)), np.concatenate(parts)
