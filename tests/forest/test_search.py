from __future__ import annotations

import math
from itertools import islice

import numpy as np
import pytest
from hypothesis import given

from treewright.forest import Forest, ForestBuilder, kbest, viterbi

from . import naive
from .strategies import forests, quick, twice, weighted_forests

Case = tuple[Forest, np.ndarray]


@quick
@given(weighted_forests())
def test_viterbi_is_the_best_of_all(case: Case) -> None:
    forest, weights = case
    scored = naive.scored_derivations(forest, weights)
    best = viterbi(forest, weights)
    if best is None:
        assert not scored
    else:
        assert best[0] == max(score for score, _ in scored)
        assert best in scored


@quick
@given(forests())
def test_viterbi_breaks_ties_by_edge(forest: Forest) -> None:
    """When all is equal, the first derivation in order of edges is the first enumerated."""
    best = viterbi(forest, np.zeros(forest.num_edges))
    everything = naive.enumerate_derivations(forest)
    assert (best[1] if best else None) == next(iter(everything), None)


@quick
@given(weighted_forests())
def test_kbest_is_the_sorted_list(case: Case) -> None:
    forest, weights = case
    ranked = list(kbest(forest, weights))
    scored = naive.scored_derivations(forest, weights)
    assert [score for score, _ in ranked] == sorted((s for s, _ in scored), reverse=True)
    assert set(ranked) == set(scored)
    assert len(ranked) == len(scored)
    assert ranked[:1] == [best for best in [viterbi(forest, weights)] if best]
    assert ranked == list(kbest(forest, weights))


def test_kbest_orders_ties_by_edge_then_ranks() -> None:
    builder = ForestBuilder()
    leaf, root = builder.add_node(), builder.add_node()
    for label in range(2):
        builder.add_edge(leaf, [], label)
    builder.add_edge(root, [leaf, leaf], 2)
    builder.add_edge(root, [leaf], 3)
    forest = builder.build()
    order = [list(d.edges()) for _, d in kbest(forest, np.zeros(4))]
    assert order == [[2, 0, 0], [2, 0, 1], [2, 1, 0], [2, 1, 1], [3, 0], [3, 1]]


def test_kbest_does_not_see_later_changes_of_the_weights() -> None:
    weights = np.array([-1.0, -2.0, 0.0])
    ranked = kbest(twice(), weights)
    next(ranked)
    weights[:] = 0.0
    assert [score for score, _ in ranked] == [-3.0, -3.0, -4.0]


def test_kbest_is_lazy() -> None:
    """2^40 leaves under a balanced tower: only the first few derivations are ever made."""
    builder = ForestBuilder()
    node = builder.add_node()
    builder.add_edge(node, [], 0)
    builder.add_edge(node, [], 1)
    for _ in range(40):
        below, node = node, builder.add_node()
        builder.add_edge(node, [below, below], 2)
    scores = [score for score, _ in islice(kbest(builder.build(), [0.0, -1.0, *[0.0] * 40]), 50)]
    assert scores == [0.0] + [-1.0] * 49


def test_minus_infinity_is_no_derivation() -> None:
    weights = np.array([-math.inf, -math.inf, 0.0])
    assert viterbi(twice(), weights) is None
    assert list(kbest(twice(), weights)) == []
    overflow = np.full(3, -1.7e308)
    assert viterbi(twice(), overflow) is None
    assert list(kbest(twice(), overflow)) == []


def test_wrong_weights_are_refused_at_the_call() -> None:
    with pytest.raises(ValueError, match="one per edge"):
        kbest(twice(), np.zeros(2))
