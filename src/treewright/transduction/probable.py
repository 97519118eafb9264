"""The most probable tree: by the sum over its derivations, not by the best one.

Many derivations give one rewriting, and the search for the greatest sum is intractable. The
Bayesian paper (section 3.3, note 3) counts sampled derivations; but of a sentence of twenty words
no rewriting may be drawn twice. Here samples only propose, and the forest itself says how probable
each proposal is, exactly: one inside pass. Rewritings count as one where they keep the same source
words. On broadcast it does as well as the best derivation, as the paper found, and no better.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from treewright.forest import Derivation, log_partition, refine, sample, viterbi
from treewright.randomness import generator

if TYPE_CHECKING:
    from treewright.transduction.targets import TargetForest

Floats = NDArray[np.float64]
Places = tuple[int, ...]

_BONUS = 1e4
"""Log-weight of a word that must be kept: derivations without it vanish beside those with it."""


def most_probable(
    forest: TargetForest, *, samples: int, seed: int, least: int = 0, most: int | None = None
) -> tuple[float, Derivation] | None:
    """Return the log-probability of the most probable rewriting found, and its best derivation.

    Of rewritings of `least` to `most` words only: derivations are drawn from the refined forest,
    that is from the model given the length. The best derivation is always among the proposals; ties
    go to the proposal drawn first. `None` where there is no rewriting of such a length.
    """
    found: tuple[float, Places] | None = None
    for places in dict.fromkeys(_proposals(forest, samples, seed, least, most)):
        probability = log_probability(forest, places)
        if found is None or probability > found[0]:
            found = probability, places
    if found is None:
        return None
    best = viterbi(forest.forest, _only(forest, found[1]))
    assert best is not None, "a proposal has a derivation"
    return found[0], best[1]


def log_probability(forest: TargetForest, places: Iterable[int]) -> float:
    """Return the log-probability that exactly these words of the source are kept."""
    places = set(places)
    total = log_partition(forest.forest, forest.weights)
    kept = log_partition(forest.forest, _only(forest, places)) - _BONUS * len(places)
    # Without a derivation that keeps them all, at least one bonus is missing.
    return kept - total if kept - total > -_BONUS / 2 else -math.inf


def _only(forest: TargetForest, places: Iterable[int]) -> Floats:
    """Return weights under which only derivations that keep these words and no others count."""
    edges, words = forest.word_edges
    weights = forest.weights.copy()
    wanted = np.isin(words, list(places))
    np.add.at(weights, edges[wanted], _BONUS)
    weights[edges[~wanted]] = -math.inf
    return weights


def _proposals(
    forest: TargetForest, samples: int, seed: int, least: int, most: int | None
) -> Iterator[Places]:
    """Yield the words kept by the best derivation, then by sampled ones."""
    words: list[list[int]] = [[] for _ in range(forest.forest.num_edges)]
    for edge, place in zip(*[array.tolist() for array in forest.word_edges], strict=True):
        words[edge].append(place)
    rng = generator(seed)
    plain, weights = forest.forest, forest.weights
    if least <= 0 and most is None:
        best = viterbi(plain, weights)
        if best is None:
            return
        drawn = [best[1], *sample(plain, weights, rng, size=samples)]
    else:
        top = int(forest.source.own_words.sum()) if most is None else most
        refined = refine(plain, forest.word_counts(), [top])
        short = np.where(refined.totals[:, 0] < least, -math.inf, 0.0)
        inside = refined.gather(weights, totals=short)
        best = viterbi(refined.forest, inside) if len(short) else None
        if best is None:
            return
        within = [best[1], *sample(refined.forest, inside, rng, size=samples)]
        drawn = [refined.project(derivation) for derivation in within]
    for derivation in drawn:
        yield tuple(sorted(place for edge in derivation.edges() for place in words[edge]))
