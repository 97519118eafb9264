from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.forest import Counters, Forest, ForestBuilder, best_by_count, refine

from . import naive
from .algebras import best_of_sums
from .strategies import counted_forests, fan, quick, twice

Case = tuple[Forest, np.ndarray, np.ndarray]


@quick
@given(counted_forests(), st.integers(0, 12))
def test_scores_and_derivations_are_the_best_of_each_count(case: Case, limit: int) -> None:
    forest, weights, counts = case
    curve = best_by_count(forest, weights, counts, limit)
    best = np.full(limit + 1, -math.inf)
    for score, derivation in naive.scored_derivations(forest, weights):
        (total,) = naive.total_count(derivation, counts)
        if total <= limit:
            best[total] = max(best[total], score)
    assert curve.scores.tolist() == best.tolist()
    for count in np.flatnonzero(best > -math.inf).tolist():
        derivation = curve.derivation(count)
        assert derivation.score(weights) == best[count]
        assert naive.total_count(derivation, counts) == (count,)
        assert derivation == curve.derivation(count)


@quick
@given(counted_forests(), st.integers(0, 12))
def test_traces_equal_those_of_the_twin(case: Case, limit: int) -> None:
    forest, weights, counts = case
    curve = best_by_count(forest, weights, counts, limit)
    tables = naive.best_tables(forest, weights, counts, (limit,))
    for count in np.flatnonzero(curve.scores > -math.inf).tolist():
        expected = naive.trace_back(forest, weights, counts, tables, forest.root, (count,))
        assert curve.derivation(count) == expected


@quick
@given(counted_forests(), st.integers(0, 12))
def test_curve_and_refined_forest_agree(case: Case, limit: int) -> None:
    forest, weights, counts = case
    counters = Counters(counts, [limit])
    best = best_of_sums(refine(forest, counters, weights), counters)
    scores = best_by_count(forest, weights, counts, limit).scores
    found = {(n,): scores[n] for n in np.flatnonzero(scores > -math.inf).tolist()}
    assert found == pytest.approx(best)


@pytest.mark.parametrize("width", [1, 2, 3, 4, 8, 9, 10, 120])
def test_wide_edges_take_their_best_leaves(width: int) -> None:
    """With one gain per leaf, the best choice of n leaves is that of the n largest gains."""
    forest = fan(width)
    gains = np.random.default_rng(width).permutation(width) / 4.0
    weights = np.zeros(forest.num_edges)
    weights[1 : 2 * width : 2] = gains
    counts = (forest.label == 1).astype(int)
    curve = best_by_count(forest, weights, counts, width)
    assert curve.scores.tolist() == [0.0, *np.cumsum(np.sort(gains)[::-1]).tolist()]
    for count in range(width + 1):
        derivation = curve.derivation(count)
        assert derivation.score(weights) == curve.scores[count]
        assert sum(counts[edge] for edge in derivation.edges()) == count


def test_ten_thousand_tails() -> None:
    forest = fan(10_000)
    weights = np.random.default_rng(0).normal(size=forest.num_edges)
    curve = best_by_count(forest, weights, forest.label == 1, 10_000)
    derivation = curve.derivation(4_000)
    assert derivation.score(weights) == curve.scores[4_000]
    assert sum(forest.label[edge] == 1 for edge in derivation.edges()) == 4_000


def test_ties_go_to_the_lowest_edge_and_to_the_earlier_tails() -> None:
    curve = best_by_count(twice(), np.zeros(3), [0, 1, 0], 2)
    assert [list(curve.derivation(n).edges()) for n in range(3)] == [
        [2, 0, 0],
        [2, 1, 0],
        [2, 1, 1],
    ]


def test_later_changes_of_the_weights_do_not_matter() -> None:
    weights = np.array([-1.0, -2.0, 0.0])
    curve = best_by_count(twice(), weights, [0, 1, 0], 2)
    weights[:] = 0.0
    assert curve.derivation(1).score([-1.0, -2.0, 0.0]) == curve.scores[1]


def test_a_shared_part_is_traced_once() -> None:
    """2^300 leaves, through 301 distinct parts."""
    builder = ForestBuilder()
    node = builder.add_node()
    builder.add_edge(node, [], 0)
    for _ in range(300):
        below, node = node, builder.add_node()
        builder.add_edge(node, [below, below], 0)
    forest = builder.build()
    curve = best_by_count(forest, np.zeros(301), np.zeros(301, int), 3)
    assert curve.derivation(0).fold(lambda _, sizes: 1 + sum(sizes)) == 2**301 - 1


@pytest.mark.parametrize("count", [-1, 0, 4])
def test_impossible_counts_are_refused(count: int) -> None:
    curve = best_by_count(twice(), np.zeros(3), [1, 1, 0], 3)
    assert curve.scores.tolist() == [-math.inf, -math.inf, 0.0, -math.inf]
    with pytest.raises(ValueError, match=f"no derivation counts {count} within limit 3"):
        curve.derivation(count)


def test_wrong_limits_and_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="limit must not be negative, not -1"):
        best_by_count(twice(), np.zeros(3), [0, 0, 0], -1)
    with pytest.raises(ValueError, match="one column per limit"):
        best_by_count(twice(), np.zeros(3), [[0, 0]] * 3, 1)
