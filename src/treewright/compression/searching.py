"""Searching: what makes a version of a sentence good, and the best one for every cost."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from treewright.compression.limits import Limit
from treewright.compression.models import AnyForest, AnyTarget
from treewright.forest import CountCurve
from treewright.pruning import CompressionForest
from treewright.pruning.acceptance import Judged, split_by_seams
from treewright.text import Sentence
from treewright.trees import TreeTable

Floats = NDArray[np.float64]

NO_LIMIT, CEILING, FILLING = 0.5, 0.1, -0.3
"""What keeping a word must be worth: without a limit, under one, and to fill the room."""
TRUST = 0.5
"""What a unit of log-weight counts against a pair of words: more than where only pairs are scored,
because it holds a sentence together.
"""
CARE, CARE_UNDER_LIMIT = 4.0, 8.0
"""What a unit of the log-probability that readers accept a version counts against a pair: more
where a limit forces losses, so that it chooses among them. Set by reading outputs; under a limit,
less would keep more of what annotators kept, and break more (docs/benchmarks/reading.md).
"""
BONUS = 1.0
"""What a word is worth under a limit if a model has no probabilities."""


@dataclass(frozen=True, eq=False)
class Search:
    """The best version of a sentence for each cost, in a forest of its own."""

    forest: AnyForest
    curve: CountCurve

    @property
    def scores(self) -> Floats:
        """One score per cost, -inf if no version has it."""
        return self.curve.scores

    def kept(self, cost: int) -> tuple[tuple[int, ...], float]:
        """Return the tokens that the best version keeps, from 0, and its log-weight."""
        uses = self.curve.edge_uses(cost)
        used = uses > 0
        return self.forest.positions(uses), float(uses[used] @ self.forest.weights[used])

    def target(self, cost: int) -> AnyTarget:
        """Return the best version with its derivation."""
        target = self.forest.target(self.curve.derivation(cost))
        assert target is not None, "some token is kept"
        return target


@dataclass(frozen=True, eq=False)
class Objective:
    """What the best version of a sentence is.

    With probabilities (`agree`) that is the one of minimum Bayes risk, with `judged` as far as
    readers would accept it; otherwise that of the best derivation. To `fill` is to use all the room
    that a limit gives.
    """

    sentence: Sentence
    source: TreeTable
    limit: Limit
    agree: bool
    fill: bool = False
    judged: Judged | None = None

    def search(self, forest: AnyForest) -> Search:
        """Find the best version for every cost in a forest of this sentence."""
        costs = self.limit.costs(self.sentence)
        if not (isinstance(forest, CompressionForest) and self.agree):
            weights = forest.weights
            if self.limit.is_given:
                weights = weights + BONUS * forest.word_counts()
            return Search(forest, forest.curve(weights=weights, costs=costs))
        weights = forest.agreed_weights(price=self._prices, trust=TRUST)
        if self.judged is not None and not self.fill:
            care = CARE_UNDER_LIMIT if self.limit.is_given else CARE
            weights += care * self.judged.edge_weights(forest)
            forest, weights = split_by_seams(forest, weights, self.judged.seams, care)
        return Search(forest, forest.curve(weights=weights, costs=costs))

    def acceptable(self, kept: tuple[int, ...]) -> float | None:
        """Return the probability that readers accept a version, by the tokens that it keeps."""
        return None if self.judged is None else self.judged.probability(kept)

    @cached_property
    def _prices(self) -> Floats:
        """What each word must be worth; `that`, for example, does not deserve leftover room."""
        price = NO_LIMIT
        if self.limit.is_given:
            price = FILLING if self.fill or self.judged is None else CEILING
        source = self.source
        idle = [
            word == "that" and source.labels[leaf] == "IN"
            for word, leaf in zip(source.lower, source.leaves, strict=True)
        ]
        return np.where(idle, NO_LIMIT, price)
