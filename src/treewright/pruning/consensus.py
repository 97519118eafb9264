"""Minimum Bayes risk: the rewriting that agrees best with all the others.

Grammatical relations are what a compression is judged by: pairs of a word and its governor. The
model says how likely each pair of the source survives, P(word and governor kept), summed over all
derivations. The rewriting to choose keeps the pairs that are likelier to survive than the price ½,

    maximise  Σ_{words kept} (P(word and governor kept) - price) + trust · log-weight,

where the log-weight keeps the whole together: taken alone, a pair says nothing of its neighbours.
The sum goes over words and so over edges: the search is the same as for the best derivation, and
as exact. What is approximate is that a word whose governor is left out still counts. Punctuation
has no part in relations, and is left to the log-weight.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from treewright.forest import edge_posteriors, log_partition

if TYPE_CHECKING:
    from treewright.transduction import TargetForest

Floats = NDArray[np.float64]

TRUST = 0.25
"""What a unit of log-weight counts against a pair, chosen on five folds (0.2 to 0.4 are alike)."""


def consensus_weights(
    forest: TargetForest, trust: float = TRUST, *, price: float | Floats = 0.5
) -> Floats:
    """Return the weight of every edge whose sum over a derivation is the aim above."""
    edges, places = forest.word_edges
    gains = np.where(forest.is_word, pairs_kept(forest) - price, 0.0)
    weights = trust * forest.weights
    np.add.at(weights, edges, gains[places])
    return weights


def words_kept(forest: TargetForest, weights: Floats) -> Floats:
    """Return the probability of each source word to be kept."""
    edges, places = forest.word_edges
    kept = np.zeros(len(forest.is_word))
    np.add.at(kept, places, edge_posteriors(forest.forest, weights)[edges])
    return kept


def pairs_kept(forest: TargetForest) -> Floats:
    """Return the probability of each source word to be kept together with its governor.

    P(i, j) = P(i) - P(i, not j), the latter from the derivations that never put out `j`: one
    inside-outside for every word that governs others.
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
