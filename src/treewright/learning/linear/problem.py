"""`ForestProblem`: large-margin learning over forests, with exact loss-augmented search.

The loss of a derivation is a function of how many of its output tokens the target has, and how many
it lacks (section 3.3 of the large-margin paper). So the search for the greatest violation only has
to look at the forest's best scores for every pair of these counts. The paper compares tokens as
words, wherever they are; compared by position, each `the` is distinct.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from treewright.arrays import Floats, Longs
from treewright.forest import Derivation, best_by_two_counts, viterbi
from treewright.learning.linear.examples import (
    Example,
    ExampleSet,
    count_hits,
    count_places,
    greatest_counts,
)
from treewright.learning.margin.losses import Loss, most_violated
from treewright.learning.margin.problem import Cut, Rescaling


@dataclass(frozen=True, eq=False)
class Searched:
    """An example with what its searches need: the counts of each edge, and their greatest sums."""

    example: Example
    counts: Longs
    limits: tuple[int, int]

    @classmethod
    def of(cls, example: Example, *, by_place: bool) -> Searched:
        """Count the tokens of every edge against the target, by position or as words."""
        if by_place:
            counts = count_places(example.source, example.places)
        else:
            counts = count_hits(example.source, example.target)
        return cls(example, counts, greatest_counts(example.source.forest, counts))


@dataclass(frozen=True, eq=False)
class ForestProblem:
    """The examples of a set under one loss."""

    data: ExampleSet
    loss: Loss
    by_place: bool = False

    @property
    def num_examples(self) -> int:
        """How many examples there are."""
        return len(self.data.examples)

    @property
    def num_features(self) -> int:
        """How many features there are."""
        return self.data.rows.num_features

    @property
    def fingerprint(self) -> str:
        """The pairs, the loss and the number of features."""
        loss = f"{self.loss.name}-{'places' if self.by_place else 'words'}"
        return f"{self.data.fingerprint}-{loss}-{self.num_features}"

    @cached_property
    def searched(self) -> list[Searched]:
        """All examples, prepared for the search."""
        return [Searched.of(e, by_place=self.by_place) for e in self.data.examples]

    def separate(self, weights: Floats, examples: Sequence[int], rescaling: Rescaling) -> list[Cut]:
        """Return the output with the greatest violation for each example."""
        return [self._separate(weights, number, rescaling) for number in examples]

    def _separate(self, weights: Floats, number: int, rescaling: Rescaling) -> Cut:
        searched = self.searched[number]
        forest = searched.example.source.forest
        scores = self.data.rows.edge_scores(forest, weights)
        table = best_by_two_counts(forest, scores, searched.counts, searched.limits)
        gold = float(scores[list(searched.example.gold.edges())].sum())
        length = len(searched.example.target)
        found = most_violated(table, self.loss, gold, length, rescaling)
        derivation = table.derivation(found.true_positives, found.false_positives)
        return self._cut(number, derivation, found.loss)

    def predict(self, weights: Floats, examples: Sequence[int]) -> list[Cut]:
        """Return the output with the greatest score for each example."""
        cuts = []
        for number in examples:
            searched = self.searched[number]
            forest = searched.example.source.forest
            best = viterbi(forest, self.data.rows.edge_scores(forest, weights))
            assert best is not None, "a forest has a derivation"
            hits, misses = searched.counts[list(best[1].edges())].sum(axis=0)
            loss = float(self.loss(hits, misses, len(searched.example.target)))
            cuts.append(self._cut(number, best[1], loss))
        return cuts

    def _cut(self, number: int, derivation: Derivation, loss: float) -> Cut:
        example = self.data.examples[number]
        gold, other = example.gold_rows, example.source.rows(derivation)
        signs = np.concatenate([np.ones(len(gold)), -np.ones(len(other))])
        columns, values = self.data.rows.vector(np.concatenate([gold, other]), signs)
        return Cut(number, columns.astype(np.int32), values, loss)
