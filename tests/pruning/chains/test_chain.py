"""Chains of kept tokens against the forest of all prunings, and against enumeration."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from treewright.forest import expectation
from treewright.grammar import Grammar
from treewright.learning.linear.examples import FREE
from treewright.pruning import Pruner
from treewright.pruning.chains import Chain, best_chain, sum_chains
from treewright.pruning.gaps import LONGEST, Gaps, Prices
from treewright.transduction import EdgeKind
from treewright.trees import Tree, TreeTable, parse_tree

from ...grammar.strategies import quick, trees

Floats = NDArray[np.float64]


class Priced:
    """A pruning at given prices."""

    open = True

    def __init__(self, prices: Prices) -> None:
        self._prices = prices

    def prices(self, source: TreeTable, gaps: Gaps) -> Prices:
        return self._prices

    def ready(self, sources: object) -> list[Priced]:
        raise NotImplementedError

    def at(self, share: float) -> Priced:
        return self


def drawn(tree: Tree, seed: int) -> tuple[TreeTable, Chain, Prices]:
    table = TreeTable(tree)
    gaps = Gaps.of(table.arrays.end)
    random = np.random.default_rng(seed)
    prices = Prices(random.normal(size=len(gaps.parent)), random.normal(size=len(table)))
    return table, Chain(table.arrays, gaps), prices


def wide(number: int) -> Tree:
    """A node with a long row of children, some of which have children."""
    row = " ".join("(A (b x) (c y))" if k % 5 == 0 else "(d z)" for k in range(number))
    return parse_tree(f"(S {row})")


def check_against_forest(tree: Tree, seed: int) -> None:
    table, chain, prices = drawn(tree, seed)
    forest = Pruner(Grammar.from_counts({}), FREE, Priced(prices)).forest(table)
    total, uses = expectation(forest.forest, forest.weights)
    found = sum_chains(chain.weigh(prices))
    np.testing.assert_allclose(found.log_total, total, rtol=1e-9, atol=1e-9)
    gap, kind = forest.edges.gap, forest.edges.kind
    of_gaps = np.bincount(gap[gap >= 0], uses[gap >= 0], minlength=len(prices.gaps))
    drops = kind == EdgeKind.DELETE
    of_nodes = np.bincount(forest.edges.node[drops], uses[drops], minlength=len(table))
    spread = chain.spread(found.chances)
    np.testing.assert_allclose(spread.gaps, of_gaps, atol=1e-9)
    np.testing.assert_allclose(spread.drops, of_nodes, atol=1e-9)


@quick
@given(tree=trees(), seed=st.integers(0, 99))
def test_sums_over_chains_are_those_of_the_forest(tree: Tree, seed: int) -> None:
    check_against_forest(tree, seed)


def test_a_long_run_of_dropped_children_goes_in_blocks() -> None:
    check_against_forest(wide(2 * LONGEST + 5), 1)


def naive_weight(scores: Floats, kept: tuple[int, ...]) -> float:
    places = [0, *[place + 1 for place in kept], len(scores) - 1]
    return float(sum(scores[pair] for pair in pairwise(places)))


@quick
@given(size=st.integers(1, 7), seed=st.integers(0, 99))
def test_sums_and_the_best_chain_equal_enumeration(size: int, seed: int) -> None:
    scores = np.random.default_rng(seed).normal(size=(size + 2, size + 2))
    scores[np.tril_indices(size + 2)] = scores[0, -1] = -np.inf
    chains = [kept for number in range(1, size + 1) for kept in combinations(range(size), number)]
    weights = np.array([naive_weight(scores, kept) for kept in chains])
    found = sum_chains(scores)
    np.testing.assert_allclose(found.log_total, np.logaddexp.reduce(weights))
    assert best_chain(scores) == chains[int(weights.argmax())]
    expected = np.zeros_like(scores)
    for kept, weight in zip(chains, weights, strict=True):
        for pair in pairwise([0, *[place + 1 for place in kept], size + 1]):
            expected[pair] += np.exp(weight - found.log_total)
    np.testing.assert_allclose(found.chances, expected, atol=1e-12)


@quick
@given(tree=trees(), seed=st.integers(0, 99))
def test_uses_of_one_chain_price_that_pruning(tree: Tree, seed: int) -> None:
    """Spreading is the transpose of weighing."""
    table, chain, prices = drawn(tree, seed)
    size = len(table.words)
    random = np.random.default_rng(seed)
    kept = np.flatnonzero(random.random(size) < 0.5).tolist() or [0]
    uses = chain.uses(kept)
    of_gaps, of_nodes = chain.spread(uses)
    assert prices.drops is not None
    weight = naive_weight(chain.weigh(prices), tuple(kept))
    np.testing.assert_allclose(of_gaps @ prices.gaps + of_nodes @ prices.drops, weight, atol=1e-9)
