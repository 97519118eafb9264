from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.forest import (
    Algebra,
    Counters,
    Derivation,
    Forest,
    ForestBuilder,
    Refinement,
    derivation_count,
    log_partition,
    refine,
    viterbi,
)

from . import naive
from .algebras import random_algebra
from .strategies import counted_forests, fan, forests, log_weights, quick, twice

Case = tuple[Forest, np.ndarray, np.ndarray]


def check_exact(forest: Forest, algebra: Algebra, weights: np.ndarray | None = None) -> Refinement:
    """Derivations of the refined forest are those of the source, each as often as it may be."""
    refined = refine(forest, algebra, weights)
    given_weights = np.zeros(forest.num_edges) if weights is None else weights
    expected = Counter(
        (derivation, state, round(derivation.score(given_weights) + added, 6))
        for derivation in naive.enumerate_derivations(forest)
        if derivation.score(given_weights) > -math.inf
        for state, added in naive.outcomes(forest, algebra, derivation)
    )
    found = Counter(
        (
            refined.project(derivation),
            int(refined.root_states[derivation.edge - refined.root_edges.start]),
            round(derivation.score(refined.weights), 6),
        )
        for derivation in naive.enumerate_derivations(refined.forest)
    )
    assert found == expected
    check_structure(forest, refined)
    return refined


def check_structure(forest: Forest, refined: Refinement) -> None:
    """The arrays are those of a forest without dead ends, and say where its parts come from."""
    split = refined.forest
    again = Forest.from_arrays(
        head=split.head,
        tail_ptr=split.tail_ptr,
        tail=split.tail,
        label=split.label,
        num_nodes=split.num_nodes,
    )
    assert again.node_ptr.tolist() == split.node_ptr.tolist()
    nodes, edges = naive.useful(split)
    assert all(nodes)
    assert all(edges)
    assert (refined.node[split.root], refined.state[split.root]) == (forest.root, -1)
    assert refined.root_states.tolist() == sorted(refined.root_states.tolist())
    for edge in range(split.num_edges):
        origin, head = int(refined.origin[edge]), int(split.head[edge])
        below = [int(refined.node[tail]) for tail in split.tails(edge)]
        if origin < 0:
            assert refined.node[head] == split.label[edge] == -1
            continue
        assert refined.node[head] == forest.head[origin]
        assert split.label[edge] == forest.label[origin]
        if -1 not in below:
            assert tuple(below) == forest.tails(origin)


@quick
@given(forests(), st.integers(0, 2**32), st.sampled_from([0.0, 0.2, 0.5]), st.data())
def test_any_algebra_is_exact(
    forest: Forest, seed: int, ruled_out: float, data: st.DataObject
) -> None:
    size = forest.num_edges
    weights = np.array(data.draw(st.lists(log_weights, min_size=size, max_size=size)))
    check_exact(forest, random_algebra(forest, seed, ruled_out=ruled_out), weights)


@quick
@given(counted_forests(), st.integers(0, 12))
def test_one_counter_is_exact(case: Case, limit: int) -> None:
    check_exact(case[0], Counters(case[2], [limit]))


@quick
@given(counted_forests(dimensions=3), st.lists(st.integers(0, 6), min_size=3, max_size=3))
def test_three_counters_are_exact(case: Case, limits: list[int]) -> None:
    forest, _, counts = case
    counters = Counters(counts, limits)
    refined = check_exact(forest, counters)
    sums = {
        total
        for total in (naive.total_count(d, counts) for d in naive.enumerate_derivations(forest))
        if naive.within_all(total, tuple(limits))
    }
    assert sorted(set(map(tuple, counters.decode(refined.root_states).tolist()))) == sorted(sums)


@quick
@given(counted_forests(dimensions=2))
def test_no_limit_that_binds_changes_no_sum(case: Case) -> None:
    forest, weights, counts = case
    refined = refine(forest, Counters(counts, [2000, 2000]), weights)
    assert refined.weights.tolist() == refined.gather(weights).tolist()
    assert log_partition(refined.forest, refined.weights) == pytest.approx(
        log_partition(forest, weights)
    )
    best, split_best = viterbi(forest, weights), viterbi(refined.forest, refined.weights)
    assert (best is None) == (split_best is None)
    if best is not None and split_best is not None:
        assert split_best[0] == pytest.approx(best[0])
        assert refined.project(split_best[1]).score(weights) == pytest.approx(best[0])


@pytest.mark.parametrize("width", [3, 6, 12])
def test_wide_edges_go_through_links(width: int) -> None:
    """2^12 derivations in a forest of quadratic size."""
    forest = fan(width)
    counts = np.maximum(forest.label, 0) % 2
    refined = check_exact(forest, Counters(counts, [width]))
    assert refined.forest.num_edges < 200
    assert derivation_count(refined.forest) == 2**width
    assert (refined.origin < 0).any() == (width > 5)


def test_wide_edges_in_any_order() -> None:
    forest, parts = fan(7), 0
    for seed in range(6):
        refined = check_exact(forest, random_algebra(forest, seed, ruled_out=0.0, choices=[1]))
        parts += int((refined.origin < 0).sum())
    assert parts


def test_edges_of_weight_nought_are_left_out() -> None:
    weights = np.array([0.0, -math.inf, 0.0])
    refined = check_exact(twice(), Counters([0, 1, 0], [2]), weights)
    assert refined.origin.tolist() == [0, 2]


def test_nothing_within_the_limits() -> None:
    refined = refine(twice(), Counters([1, 1, 1], [2]))
    assert (refined.forest.num_nodes, refined.forest.num_edges) == (1, 0)
    assert refined.root_states.size == 0
    assert viterbi(refined.forest, refined.weights) is None


def test_an_empty_forest_can_be_refined() -> None:
    builder = ForestBuilder()
    builder.add_node()
    refined = refine(builder.build(), Counters(np.zeros((0, 2), int), [1, 1]))
    assert refined.forest.num_nodes == 1


def test_a_part_of_an_edge_is_no_derivation() -> None:
    forest = fan(8)
    refined = refine(forest, Counters(forest.label == 1, [8]))
    link = int(np.flatnonzero(refined.origin < 0)[0])
    leaves = [Derivation(refined.forest.edges(tail)[0]) for tail in refined.forest.tails(link)]
    with pytest.raises(ValueError, match="a part of an edge stands for no derivation"):
        refined.project(Derivation(link, leaves))


@pytest.mark.parametrize(
    ("counts", "limits", "message"),
    [
        ([0, 0], [1], "of a forest of 2 edges; this one has 3"),
        ([0, 0, 0], [1, 1], r"shape \(3,\); one row per edge and one column per limit"),
        ([0, -1, 0], [1], "must not be negative"),
        ([0.5, 0.0, 0.0], [1], "counts must be integers, not float64"),
        ([0, 0, 0], [-1], r"non-negative numbers, not \[-1\]"),
        ([0, 0, 0], [], "limits must be one or more"),
        ([[0, 0]] * 3, [2**40, 2**40], "too large to be counted in 64 bits"),
    ],
)
def test_wrong_counts_and_limits_are_refused(counts: Any, limits: list[int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        refine(twice(), Counters(counts, limits))
