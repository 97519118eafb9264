from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.forest import (
    Derivation,
    Forest,
    ForestBuilder,
    Refinement,
    derivation_count,
    kbest,
    log_partition,
    refine,
    viterbi,
)

from . import naive
from .strategies import counted_forests, fan, quick, twice

Case = tuple[Forest, np.ndarray, np.ndarray]


def by_total(
    derivations: list[Derivation], counts: np.ndarray, limits: list[int]
) -> dict[tuple[int, ...], list[Derivation]]:
    groups: dict[tuple[int, ...], list[Derivation]] = {}
    for derivation in derivations:
        total = naive.total_count(derivation, counts)
        if all(n <= limit for n, limit in zip(total, limits, strict=True)):
            groups.setdefault(total, []).append(derivation)
    return dict(sorted(groups.items()))


def check_exact(forest: Forest, counts: np.ndarray, limits: list[int]) -> Refinement:
    """The projected derivations of each total are those of the forest, each once."""
    refined = refine(forest, counts, limits)
    expected = by_total(naive.enumerate_derivations(forest), counts, limits)
    assert [tuple(total) for total in refined.totals.tolist()] == list(expected)
    found: dict[tuple[int, ...], Counter[Derivation]] = {}
    for derivation in naive.enumerate_derivations(refined.forest):
        total = refined.totals[derivation.edge - refined.root_edges.start]
        assert refined.root_edge(*total) == derivation.edge
        found.setdefault(tuple(total.tolist()), Counter())[refined.project(derivation)] += 1
    assert found == {total: Counter(derivations) for total, derivations in expected.items()}
    return refined


@quick
@given(counted_forests(), st.integers(0, 12))
def test_one_counter_is_exact(case: Case, limit: int) -> None:
    check_exact(case[0], case[2], [limit])


@quick
@given(counted_forests(dimensions=3), st.lists(st.integers(0, 6), min_size=3, max_size=3))
def test_three_counters_are_exact(case: Case, limits: list[int]) -> None:
    check_exact(case[0], case[2], limits)


@quick
@given(counted_forests(dimensions=2))
def test_nodes_and_edges_know_where_they_come_from(case: Case) -> None:
    forest, _, counts = case
    refined = refine(forest, counts, [6, 6])
    split = refined.forest
    for node in range(split.root):
        for edge in split.edges(node):
            below = sum((refined.counter[tail] for tail in split.tails(edge)), np.zeros(2, int))
            origin = refined.origin[edge]
            if origin >= 0:
                assert refined.node[node] == forest.head[origin]
                assert split.label[edge] == forest.label[origin]
                if len(forest.tails(int(origin))) <= 2:
                    assert (refined.counter[node] == below + counts[origin]).all()
            else:
                assert refined.node[node] == split.label[edge] == -1
            assert len(split.tails(edge)) <= 2
    assert refined.node[split.root] == -1
    assert refined.counter[split.root].tolist() == [-1, -1]
    assert all(split.label[edge] == refined.origin[edge] == -1 for edge in refined.root_edges)


@quick
@given(counted_forests(dimensions=2))
def test_no_limit_that_binds_changes_no_sum(case: Case) -> None:
    forest, weights, counts = case
    refined = refine(forest, counts, [2000, 2000])
    expected = log_partition(forest, weights)
    assert log_partition(refined.forest, refined.gather(weights)) == pytest.approx(expected)
    best = viterbi(forest, weights)
    split_best = viterbi(refined.forest, refined.gather(weights))
    assert (best is None) == (split_best is None)
    if best is not None and split_best is not None:
        assert split_best[0] == pytest.approx(best[0])
        assert refined.project(split_best[1]).score(weights) == pytest.approx(best[0])


def test_weights_of_totals_choose_among_them() -> None:
    refined = check_exact(twice(), np.array([[0], [1], [1]]), [3])
    assert refined.totals.tolist() == [[1], [2], [3]]
    weights = refined.gather([-1.0, -2.0, 0.0], totals=[-math.inf, 0.0, -math.inf])
    ranked = [
        (score, list(refined.project(d).edges())) for score, d in kbest(refined.forest, weights)
    ]
    assert ranked == [(-3.0, [2, 0, 1]), (-3.0, [2, 1, 0])]
    assert refined.root_edge(0) is None


def test_wide_edges_are_chained() -> None:
    """2^12 derivations in a forest of quadratic size."""
    forest = fan(12)
    counts = np.maximum(forest.label, 0) % 2
    refined = refine(forest, counts, [12])
    assert refined.forest.num_edges < 400
    assert derivation_count(refined.forest) == 2**12
    edge = refined.root_edge(5)
    assert edge is not None
    only_five = [0.0 if total == 5 else -math.inf for (total,) in refined.totals]
    weights = refined.gather(np.zeros(forest.num_edges), totals=only_five)
    projected = {refined.project(derivation) for _, derivation in kbest(refined.forest, weights)}
    assert len(projected) == math.comb(12, 5)
    assert {naive.total_count(d, counts[:, None]) for d in projected} == {(5,)}


def test_nothing_within_the_limits() -> None:
    refined = refine(twice(), [1, 1, 1], [2])
    assert (refined.forest.num_nodes, refined.forest.num_edges) == (1, 0)
    assert refined.totals.shape == (0, 1)
    assert viterbi(refined.forest, refined.gather(np.zeros(3))) is None


def test_a_link_of_a_chain_is_no_derivation() -> None:
    refined = refine(fan(3), np.zeros(7, int), [0])
    link = int(np.flatnonzero((refined.origin < 0) & (np.diff(refined.forest.tail_ptr) == 2))[0])
    leaves = [Derivation(refined.forest.edges(tail)[0]) for tail in refined.forest.tails(link)]
    with pytest.raises(ValueError, match="a link of a chain stands for no derivation"):
        refined.project(Derivation(link, leaves))


@pytest.mark.parametrize(
    ("counts", "limits", "message"),
    [
        ([0, 0], [1], r"shape \(2, 1\); one row per edge and one column per limit, \(3, 1\)"),
        ([0, 0, 0], [1, 1], r"shape \(3,\)"),
        ([0, -1, 0], [1], "must not be negative"),
        ([0.5, 0.0, 0.0], [1], "counts must be integers, not float64"),
        ([0, 0, 0], [-1], r"non-negative numbers, not \[-1\]"),
        ([0, 0, 0], [], "limits must be one or more"),
        ([[0, 0]] * 3, [2**40, 2**40], "too large to be counted in 64 bits"),
    ],
)
def test_wrong_counts_and_limits_are_refused(counts: Any, limits: list[int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        refine(twice(), counts, limits)


def test_an_empty_forest_can_be_refined() -> None:
    builder = ForestBuilder()
    builder.add_node()
    assert refine(builder.build(), np.zeros((0, 2), int), [1, 1]).totals.shape == (0, 2)
