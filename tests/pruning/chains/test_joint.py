"""Prunings whose neighbours count: the split forest, and chances of pairs, against enumeration."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.grammar import Grammar
from treewright.learning.linear.examples import FREE
from treewright.pruning import CompressionForest, Pruner
from treewright.pruning.acceptance import drop_odds, join_neighbours, seams
from treewright.pruning.gaps import Prices
from treewright.trees import Tree, TreeTable

from ...grammar.strategies import quick, trees
from .test_chain import Priced, drawn, naive_weight, wide

Weighed = dict[tuple[int, ...], float]


def drawn_forest(tree: Tree, seed: int) -> CompressionForest:
    _, _, prices = drawn(tree, seed)
    size = len(tree.words()) + 2
    scores = np.random.default_rng(seed + 1).normal(size=(size, size))
    priced = Priced(prices._replace(seams=scores))
    return Pruner(Grammar.from_counts({}), FREE, priced).forest(TreeTable(tree))


def naive_versions(forest: CompressionForest) -> Weighed:
    """What every version weighs, by the tokens that it keeps."""
    assert forest.joint is not None
    size = len(forest.is_word)
    chains = [kept for n in range(1, size + 1) for kept in combinations(range(size), n)]
    return {kept: naive_weight(forest.joint.scores, kept) for kept in chains}


def small(tree: Tree) -> bool:
    return len(tree.words()) <= 8


@quick
@given(tree=trees().filter(small), seed=st.integers(0, 99))
def test_the_split_forest_weighs_every_version(tree: Tree, seed: int) -> None:
    forest = drawn_forest(tree, seed)
    versions = naive_versions(forest)
    joined = join_neighbours(forest)
    assert joined.joint is None
    total = np.logaddexp.reduce(list(versions.values()))
    assert joined.expectation[0] == pytest.approx(total)
    assert forest.joint is not None
    assert forest.joint.sum.log_total == pytest.approx(total)
    found = joined.nbest(len(versions))
    assert found, "versions that read the same are listed once"
    for each in found:
        assert each.score == pytest.approx(versions[each.positions], abs=1e-9)


@quick
@given(tree=trees().filter(small), seed=st.integers(0, 99))
def test_odds_of_dropping_are_those_of_the_split_forest(tree: Tree, seed: int) -> None:
    forest = drawn_forest(tree, seed)
    np.testing.assert_allclose(drop_odds(forest), drop_odds(join_neighbours(forest)), atol=1e-6)


def test_a_beam_in_a_large_forest_finds_what_chains_find() -> None:
    forest = drawn_forest(wide(20), 3)
    assert forest.forest.num_edges > seams.SMALL
    assert forest.joint is not None
    joined = join_neighbours(forest)
    assert joined.expectation[0] <= forest.joint.sum.log_total
    best = joined.best()
    assert best is not None
    assert best.score == pytest.approx(naive_weight(forest.joint.scores, best.positions))


def test_forests_without_such_scores_stay_as_they_are() -> None:
    forest = drawn_forest(wide(3), 1)
    _, _, prices = drawn(wide(3), 1)
    plain = Pruner(Grammar.from_counts({}), FREE, Priced(Prices(*prices[:2]))).forest(wide(3))
    assert plain.joint is None
    assert join_neighbours(plain) is plain
    np.testing.assert_array_equal(plain.weights, forest.weights)
