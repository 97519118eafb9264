from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.forest import (
    Counters,
    CountTable,
    Forest,
    ForestBuilder,
    best_by_count,
    best_by_two_counts,
    refine,
    viterbi,
)

from . import naive
from .algebras import best_of_sums
from .strategies import counted_forests, fan, quick, twice

Case = tuple[Forest, np.ndarray, np.ndarray]
Limits = tuple[int, int]

cases = counted_forests(dimensions=2)
limits_of_two = st.tuples(st.integers(0, 8), st.integers(0, 8))


def possible(table: CountTable) -> list[Limits]:
    return [(i, j) for i, j in np.argwhere(table.scores > -math.inf).tolist()]


@quick
@given(cases, limits_of_two)
def test_scores_and_derivations_are_the_best_of_each_pair(case: Case, limits: Limits) -> None:
    forest, weights, counts = case
    table = best_by_two_counts(forest, weights, counts, limits)
    best = np.full((limits[0] + 1, limits[1] + 1), -math.inf)
    for score, derivation in naive.scored_derivations(forest, weights):
        total = naive.total_count(derivation, counts)
        if naive.within_all(total, limits):
            best[total] = max(best[total], score)
    assert table.scores.tolist() == best.tolist()
    for total in possible(table):
        derivation = table.derivation(*total)
        assert derivation.score(weights) == best[total]
        assert naive.total_count(derivation, counts) == total


@quick
@given(cases, limits_of_two)
def test_traces_equal_those_of_the_twin(case: Case, limits: Limits) -> None:
    forest, weights, counts = case
    table = best_by_two_counts(forest, weights, counts, limits)
    twin = naive.best_tables(forest, weights, counts, limits)
    assert possible(table) == sorted(twin[forest.root])
    for total in possible(table):
        expected = naive.trace_back(forest, weights, counts, twin, forest.root, total)
        assert table.derivation(*total) == expected


@quick
@given(cases)
def test_uses_are_those_of_the_derivation(case: Case) -> None:
    forest, weights, counts = case
    table = best_by_two_counts(forest, weights, counts)
    for total in possible(table)[:5]:
        edges = list(table.derivation(*total).edges())
        expected = np.bincount(edges, minlength=forest.num_edges)
        assert table.edge_uses(*total).tolist() == expected.tolist()


@quick
@given(cases, limits_of_two)
def test_table_and_refined_forest_agree(case: Case, limits: Limits) -> None:
    forest, weights, counts = case
    table = best_by_two_counts(forest, weights, counts, limits)
    counters = Counters(counts, limits)
    best = best_of_sums(refine(forest, counters, weights), counters)
    assert {total: table.scores[total] for total in possible(table)} == pytest.approx(best)


@quick
@given(cases)
def test_without_limits_the_best_of_all_is_in_the_table(case: Case) -> None:
    forest, weights, counts = case
    table = best_by_two_counts(forest, weights, counts)
    best = viterbi(forest, weights)
    assert table.scores.max() == (best[0] if best else -math.inf)
    if best:
        assert (table.scores[-1] > -math.inf).any()
        assert (table.scores[:, -1] > -math.inf).any()


@quick
@given(cases, limits_of_two)
def test_counters_can_change_places(case: Case, limits: Limits) -> None:
    forest, weights, counts = case
    table = best_by_two_counts(forest, weights, counts, limits)
    other = best_by_two_counts(forest, weights, counts[:, ::-1], limits[::-1])
    assert table.scores.T.tolist() == other.scores.tolist()


@quick
@given(cases, limits_of_two)
def test_a_counter_without_limit_is_maximised_out(case: Case, limits: Limits) -> None:
    forest, weights, counts = case
    curve = best_by_count(forest, weights, counts[:, 0], limits[0])
    scores = best_by_two_counts(forest, weights, counts).scores
    best = np.full(limits[0] + 1, -math.inf)
    best[: len(scores)] = scores.max(axis=1)[: limits[0] + 1]
    assert curve.scores.tolist() == best.tolist()


@pytest.mark.parametrize("width", [1, 2, 3, 4, 9, 30])
def test_wide_edges_take_their_best_leaves(width: int) -> None:
    """Leaves alternate between the counters; each counter takes its own largest gains."""
    forest = fan(width)
    gains = np.random.default_rng(width).permutation(width) / 4.0
    weights = np.zeros(forest.num_edges)
    weights[1 : 2 * width : 2] = gains
    counts = np.zeros((forest.num_edges, 2), int)
    counts[1 : 2 * width : 4, 0] = 1
    counts[3 : 2 * width : 4, 1] = 1
    table = best_by_two_counts(forest, weights, counts)
    first, second = (np.cumsum([0, *sorted(gains[i::2], reverse=True)]) for i in (0, 1))
    assert table.scores.tolist() == (first[:, None] + second).tolist()
    for total in possible(table):
        derivation = table.derivation(*total)
        assert derivation.score(weights) == table.scores[total]
        assert naive.total_count(derivation, counts) == total


def test_ties_go_to_the_lowest_edge_and_to_the_earlier_tails() -> None:
    table = best_by_two_counts(twice(), np.zeros(3), [[0, 1], [1, 0], [0, 0]])
    assert {total: list(table.derivation(*total).edges()) for total in possible(table)} == {
        (0, 2): [2, 0, 0],
        (1, 1): [2, 1, 0],
        (2, 0): [2, 1, 1],
    }


def test_a_shared_part_is_traced_once() -> None:
    """2^300 leaves, through 301 distinct parts."""
    builder = ForestBuilder()
    node = builder.add_node()
    builder.add_edge(node, [], 0)
    for _ in range(300):
        below, node = node, builder.add_node()
        builder.add_edge(node, [below, below], 0)
    table = best_by_two_counts(builder.build(), np.zeros(301), np.zeros((301, 2), int))
    assert table.edge_uses(0, 0).tolist() == [2.0**n for n in range(300, -1, -1)]


def test_edges_beyond_a_limit_are_left_out() -> None:
    weights = [-1.0, 0.0, 0.0]
    table = best_by_two_counts(twice(), weights, [[1, 0], [0, 3], [0, 0]], (5, 2))
    assert possible(table) == [(2, 0)]
    assert table.scores[2, 0] == -2.0
    assert possible(best_by_two_counts(twice(), weights, [[1, 0], [0, 3], [6, 0]], (5, 2))) == []


def test_limits_can_bind_together_where_neither_binds_alone() -> None:
    table = best_by_two_counts(twice(), np.zeros(3), [[2, 0], [0, 2], [1, 1]], (2, 2))
    assert possible(table) == []


def test_a_forest_without_derivation_has_an_empty_table() -> None:
    builder = ForestBuilder()
    builder.add_node()
    table = best_by_two_counts(builder.build(), [], np.zeros((0, 2), int))
    assert table.scores.tolist() == [[-math.inf]]
    with pytest.raises(ValueError, match="no derivation counts 0 and 0 within limits 0 and 0"):
        table.derivation(0, 0)


def test_later_changes_of_weights_and_counts_do_not_matter() -> None:
    weights, counts = np.array([-1.0, -2.0, 0.0]), np.array([[0, 1], [1, 0], [0, 0]])
    table = best_by_two_counts(twice(), weights, counts)
    weights[:], counts[:] = 0.0, 7
    assert table.derivation(1, 1).score([-1.0, -2.0, 0.0]) == table.scores[1, 1]


def test_threads_search_side_by_side() -> None:
    forest = fan(20)
    counts = np.stack([forest.label == 0, forest.label == 1], axis=1).astype(int)
    rng = np.random.default_rng(0)
    weights = [rng.normal(size=forest.num_edges) for _ in range(16)]

    def search(row: np.ndarray) -> tuple[list[list[float]], Any]:
        table = best_by_two_counts(forest, row, counts)
        return table.scores.tolist(), table.derivation(10, 10)

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(search, weights)) == [search(row) for row in weights]


@pytest.mark.parametrize("total", [(-1, 0), (0, -1), (3, 0), (0, 4), (0, 0)])
def test_impossible_counts_are_refused(total: Limits) -> None:
    table = best_by_two_counts(twice(), np.zeros(3), [[1, 0], [0, 1], [0, 0]], (2, 3))
    message = f"no derivation counts {total[0]} and {total[1]} within limits 2 and 3"
    for method in (table.derivation, table.edge_uses):
        with pytest.raises(ValueError, match=message):
            method(*total)


def test_wrong_limits_and_counts_are_refused() -> None:
    with pytest.raises(ValueError, match=r"limits must not be negative, not \(1, -1\)"):
        best_by_two_counts(twice(), np.zeros(3), [[0, 0]] * 3, (1, -1))
    with pytest.raises(ValueError, match="one column per limit"):
        best_by_two_counts(twice(), np.zeros(3), [0, 0, 0], (1, 1))
