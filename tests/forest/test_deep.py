"""Nothing recurses: chains far deeper than Python's stack go through every algorithm."""

from __future__ import annotations

import pickle
import sys
from itertools import islice

import numpy as np
import pytest

from treewright.forest import (
    Counters,
    add_expected_counts,
    best_by_count,
    derivation_count,
    kbest,
    log_partition,
    prune,
    refine,
    sample,
    viterbi,
)
from treewright.randomness import generator

from .strategies import chain

DEPTH = 20_000


def test_deep_chain() -> None:
    assert sys.getrecursionlimit() < DEPTH
    forest = chain(DEPTH)
    weights = forest.gather(np.array([0.0, -1.0]))
    assert derivation_count(forest) == 2 ** (DEPTH - 1)
    assert prune(forest).forest.num_edges == forest.num_edges
    expected = (DEPTH - 1) * np.log1p(np.exp(-1.0))
    assert log_partition(forest, weights) == pytest.approx(expected)
    assert add_expected_counts(forest, np.array([0.0, -1.0]), np.zeros(2)) == pytest.approx(
        expected
    )
    assert len(list(sample(forest, weights, generator(0), size=1)[0].edges())) == DEPTH


def test_deep_derivations() -> None:
    forest = chain(DEPTH)
    weights = forest.gather(np.array([0.0, -1.0]))
    best = viterbi(forest, weights)
    assert best is not None
    assert best[0] == 0.0
    assert best[1].fold(lambda _, heights: 1 + max(heights, default=0)) == DEPTH
    twin = pickle.loads(pickle.dumps(best[1]))
    assert twin == best[1]
    assert hash(twin) == hash(best[1])
    ranked = list(islice(kbest(forest, weights), 4))
    assert [score for score, _ in ranked] == [0.0, -1.0, -1.0, -1.0]
    assert len({derivation for _, derivation in ranked}) == 4
    assert ranked[0] == best


def test_deep_refinement() -> None:
    forest = chain(DEPTH)
    weights = forest.gather(np.array([-1.0, 0.0]))
    refined = refine(forest, Counters(forest.label, [2]))
    best = viterbi(refined.forest, refined.gather(weights))
    curve = best_by_count(forest, weights, forest.label, 2)
    assert best is not None
    assert best[0] == curve.scores[2] == 2.0 - DEPTH
    assert refined.project(best[1]).score(weights) == curve.derivation(2).score(weights)
