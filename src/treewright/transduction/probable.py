"""The most probable tree: by the sum over its derivations, not by the best one.

Many derivations give one rewriting, and the search for the greatest sum is intractable. The
Bayesian paper (section 3.3, note 3) counts sampled derivations; but for a sentence of twenty words,
no rewriting may be drawn twice. Here samples only propose, and the forest itself says exactly how
probable each proposal is, in one inside pass. Rewritings count as one if they keep the same source
words. On broadcast it does as well as the best derivation, as the paper found, and no better.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from treewright.arrays import Floats
from treewright.forest import Counters, Derivation, Forest, log_partition, refine, sample, viterbi
from treewright.randomness import generator

if TYPE_CHECKING:
    from treewright.transduction.targets import TargetForest

Places = tuple[int, ...]

_BONUS = 1e4
"""Log-weight of a word that must be kept: derivations without it vanish beside those with it."""


def most_probable(
    forest: TargetForest, *, samples: int, seed: int, least: int = 0, most: int | None = None
) -> tuple[float, Derivation] | None:
    """Return the log-probability of the most probable rewriting found, and its best derivation.

    Only derivations of `least` to `most` words count: everything is conditioned on the length,
    because rules that insert words may keep the same source words at several lengths. The best
    derivation is always among the proposals; ties go to the proposal drawn first. The result is
    `None` if there is no rewriting of such a length.
    """
    lengths = _Lengths.between(forest, least, most)
    proposals = list(dict.fromkeys(_proposals(forest, lengths, samples, seed)))
    if not proposals:
        return None
    inside = [_log_inside(forest, lengths, places) for places in proposals]
    chosen = int(np.argmax(inside))
    best = viterbi(lengths.forest, lengths.carry(_only(forest, proposals[chosen])))
    assert best is not None, "a proposal has a derivation"
    total = log_partition(lengths.forest, lengths.carry(forest.weights))
    return inside[chosen] - total, lengths.project(best[1])


def log_probability(forest: TargetForest, places: Iterable[int]) -> float:
    """Return the log-probability that exactly these words of the source are kept."""
    lengths = _Lengths.between(forest, 0, None)
    kept = _log_inside(forest, lengths, set(places))
    total = log_partition(forest.forest, forest.weights)
    # Without a derivation that keeps them all, at least one bonus is missing.
    return kept - total if kept - total > -_BONUS / 2 else -math.inf


@dataclass(frozen=True)
class _Lengths:
    """The derivations of certain lengths: their forest, edge weights for it, and the way back."""

    forest: Forest
    carry: Callable[[Floats], Floats]
    project: Callable[[Derivation], Derivation]

    @classmethod
    def between(cls, forest: TargetForest, least: int, most: int | None) -> _Lengths:
        """Return the derivations of `least` to `most` words; without bounds, the forest itself."""
        if least <= 0 and most is None:
            return cls(forest.forest, lambda weights: weights, lambda derivation: derivation)
        top = forest.num_words if most is None else most
        counters = Counters(forest.word_counts(), [top])
        refined = refine(forest.forest, counters)
        words = counters.decode(refined.root_states)[:, 0]

        def carry(weights: Floats) -> Floats:
            carried = refined.gather(weights)
            carried[refined.root_edges][words < least] = -math.inf
            return carried

        return cls(refined.forest, carry, refined.project)


def _log_inside(forest: TargetForest, lengths: _Lengths, places: Collection[int]) -> float:
    """Return the log of the summed weight of the derivations that keep exactly these words."""
    weights = lengths.carry(_only(forest, places))
    return log_partition(lengths.forest, weights) - _BONUS * len(places)


def _only(forest: TargetForest, places: Iterable[int]) -> Floats:
    """Return weights under which only derivations that keep these words and no others count."""
    edges, words = forest.word_edges
    weights = forest.weights.copy()
    wanted = np.isin(words, list(places))
    np.add.at(weights, edges[wanted], _BONUS)
    weights[edges[~wanted]] = -math.inf
    return weights


def _proposals(
    forest: TargetForest, lengths: _Lengths, samples: int, seed: int
) -> Iterator[Places]:
    """Yield the words kept by the best derivation, then by sampled ones."""
    weights = lengths.carry(forest.weights)
    best = viterbi(lengths.forest, weights)
    if best is None:
        return
    words: list[list[int]] = [[] for _ in range(forest.forest.num_edges)]
    for edge, place in zip(*[array.tolist() for array in forest.word_edges], strict=True):
        words[edge].append(place)
    for drawn in (best[1], *sample(lengths.forest, weights, generator(seed), size=samples)):
        edges = lengths.project(drawn).edges()
        yield tuple(sorted(place for edge in edges for place in words[edge]))
