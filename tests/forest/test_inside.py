from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given

from treewright.forest import (
    BOOLEAN,
    COUNTING,
    LOG,
    MAX,
    Forest,
    ForestBuilder,
    add_expected_counts,
    derivation_count,
    edge_posteriors,
    expected_counts,
    inside,
    log_inside,
    log_outside,
    log_partition,
)

from . import naive
from .strategies import LABELS, forests, quick, twice, weighted_forests

Case = tuple[Forest, np.ndarray]


@quick
@given(weighted_forests())
def test_inside_sums_over_all_derivations(case: Case) -> None:
    forest, weights = case
    scores = [score for score, _ in naive.scored_derivations(forest, weights)]
    assert log_partition(forest, weights) == pytest.approx(naive.log_sum(scores))
    assert inside(forest, weights, MAX)[-1] == max(scores, default=-math.inf)
    assert inside(forest, weights, COUNTING)[-1] == len(scores)
    assert inside(forest, weights, BOOLEAN)[-1] == bool(scores)
    assert derivation_count(forest) == len(naive.enumerate_derivations(forest))


@quick
@given(weighted_forests())
def test_generic_and_fast_inside_agree(case: Case) -> None:
    assert log_inside(*case).tolist() == pytest.approx(inside(*case, LOG))


@quick
@given(weighted_forests())
def test_posteriors_are_expected_uses(case: Case) -> None:
    forest, weights = case
    scored = naive.scored_derivations(forest, weights)
    log_z = naive.log_sum([score for score, _ in scored])
    uses = np.zeros(forest.num_edges)
    for score, derivation in scored:
        for edge in derivation.edges():
            uses[edge] += math.exp(score - log_z)
    assert edge_posteriors(forest, weights).tolist() == pytest.approx(uses.tolist(), abs=1e-12)
    by_label = np.zeros(LABELS)
    np.add.at(by_label, forest.label[forest.label >= 0], uses[forest.label >= 0])
    log_partition_, counts = expected_counts(forest, weights, LABELS)
    assert log_partition_ == pytest.approx(log_z)
    assert counts.tolist() == pytest.approx(by_label.tolist(), abs=1e-12)


@quick
@given(weighted_forests())
def test_inside_times_outside_is_expected_visits(case: Case) -> None:
    forest, weights = case
    insides = log_inside(forest, weights)
    outsides = log_outside(forest, weights, insides)
    assert not np.isnan(outsides).any()
    scored = naive.scored_derivations(forest, weights)
    visits = np.zeros(forest.num_nodes)
    for score, derivation in scored:
        np.add.at(visits, forest.head[list(derivation.edges())], math.exp(score))
    assert np.exp(insides + outsides)[visits > 0] == pytest.approx(visits[visits > 0])
    assert (np.exp(insides + outsides)[visits == 0] == 0).all()


@quick
@given(forests())
def test_counts_are_added_by_label(forest: Forest) -> None:
    label_weights = np.linspace(-2.0, 0.0, LABELS)
    counts = np.full(LABELS, 0.25)
    log_z = add_expected_counts(forest, label_weights, counts)
    expected = expected_counts(forest, forest.gather(label_weights), LABELS)
    assert log_z == pytest.approx(expected[0])
    assert (counts - 0.25).tolist() == pytest.approx(expected[1].tolist(), abs=1e-12)


def test_a_tail_taken_twice_counts_twice() -> None:
    weights = np.log([0.25, 0.75, 1.0])
    assert edge_posteriors(twice(), weights).tolist() == pytest.approx([0.5, 1.5, 1.0])
    outsides = log_outside(twice(), weights, log_inside(twice(), weights))
    assert outsides.tolist() == pytest.approx([math.log(2.0), 0.0])


def test_no_derivation_gives_no_nan() -> None:
    builder = ForestBuilder()
    dead, leaf, root = builder.add_node(), builder.add_node(), builder.add_node()
    builder.add_edge(leaf, [], 0)
    builder.add_edge(root, [dead, dead, leaf], 1)
    forest = builder.build()
    weights = np.zeros(2)
    insides = log_inside(forest, weights)
    assert insides.tolist() == [-math.inf, 0.0, -math.inf]
    assert log_outside(forest, weights, insides).tolist() == [-math.inf, -math.inf, 0.0]
    assert edge_posteriors(forest, weights).tolist() == [0.0, 0.0]
    counts = np.ones(2)
    assert add_expected_counts(forest, weights, counts) == -math.inf
    assert counts.tolist() == [1.0, 1.0]


def test_tiny_and_huge_weights_do_not_overflow() -> None:
    for weight in (-1e6, 1e6):
        weights = np.full(3, weight)
        assert log_partition(twice(), weights) == pytest.approx(3 * weight + math.log(4))
        assert edge_posteriors(twice(), weights).tolist() == pytest.approx([1.0, 1.0, 1.0])


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([0.0, 0.0], r"shape \(2,\); one per edge, \(3,\), expected"),
        ([0.0, math.nan, 0.0], "weight of edge 1 is nan"),
        ([0.0, 0.0, math.inf], "weight of edge 2 is inf"),
    ],
)
def test_wrong_weights_are_refused(weights: list[float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        log_partition(twice(), weights)


def test_labels_beyond_the_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="label 2 is not below num_labels=2"):
        expected_counts(twice(), np.zeros(3), 2)
