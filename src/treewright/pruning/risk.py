"""Minimum Bayes risk over kept pairs of a word and its governor.

A compression is judged by its grammatical relations: pairs of a word and its governor. The best one
keeps the pairs that are likely to survive, and no more words than pay for themselves:

    maximise  Σ_{pairs kept} P(pair kept) - price · words + trust · log-weight

with a price of ½, or less if a limit on the length compensates for it. The log-weight holds the
sentence together: taken alone, a pair says nothing about its neighbours.

In a forest split by which head words are kept (`heads.py`) an edge knows whether it keeps a pair,
so the objective is a sum over edges, and exact. With rules of a grammar it is nearly so: a word
whose governor is left out still counts. Punctuation has no part in relations.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from treewright.forest import edge_posteriors, log_partition

if TYPE_CHECKING:
    from treewright.pruning.forests import CompressionForest

Floats = NDArray[np.float64]

PRICE = 0.5
"""The probability that a pair needs to be worth its word."""
TRUST = 0.15
"""What a unit of log-weight counts against a pair, chosen on folds (0.1 to 0.25 are alike)."""
TRUST_OF_RULES = 0.25
"""The same where there are rules, chosen on five folds (0.2 to 0.4 are alike)."""


def risk_weights(
    forest: CompressionForest, *, price: float | Floats = PRICE, trust: float | None = None
) -> Floats:
    """Return the weight of every edge whose sum over a derivation is the objective above."""
    from treewright.pruning import _kernels

    pairs = forest.pairs
    if trust is None:
        trust = TRUST_OF_RULES if pairs is None else TRUST
    alone = pairs_kept(forest) if pairs is None else 0.0
    weights = trust * forest.weights
    forest.add_words(weights, np.where(forest.is_word, alone - price, 0.0))
    if pairs is not None:
        _kernels.add_pairs(
            weights, pairs, np.where(forest.is_word, pair_probabilities(forest), 0.0)
        )
    return weights


def pair_probabilities(forest: CompressionForest) -> Floats:
    """Return the probability that each token is kept together with its governor.

    The forest must be split by heads; the topmost word has no governor.
    """
    from treewright.pruning import _kernels

    if forest.pairs is None:
        raise ValueError("the forest is not split by which head words are kept")
    together: Floats = _kernels.sum_pairs(forest.pairs, forest.expectation[1], len(forest.is_word))
    return together


def words_kept(forest: CompressionForest, weights: Floats) -> Floats:
    """Return the probability that each source word is kept."""
    edges, places = forest.word_edges
    kept = np.zeros(len(forest.is_word))
    np.add.at(kept, places, edge_posteriors(forest.forest, weights)[edges])
    return kept


def pairs_kept(forest: CompressionForest) -> Floats:
    """Return the probability that each source word is kept together with its governor.

    For any forest: P(i, j) = P(i) - P(i, not j), the latter from the derivations that never output
    `j`, by one inside-outside pass for every word that governs others. The topmost word counts
    alone.
    """
    edges, places = forest.word_edges
    kept = words_kept(forest, forest.weights)
    total = log_partition(forest.forest, forest.weights)
    together = kept.copy()
    governor = forest.source.governors
    for j in np.unique(governor[governor >= 0]).tolist():
        without = forest.weights.copy()
        without[edges[places == j]] = -math.inf
        share = log_partition(forest.forest, without) - total
        if share > -math.inf:
            governed = governor == j
            apart = words_kept(forest, without)[governed] * math.exp(share)
            together[governed] = np.maximum(kept[governed] - apart, 0.0)
    return together
