from __future__ import annotations

from itertools import chain as flat
from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.forest import Derivation, Forest, ForestBuilder, best_derivations, kbest

from .strategies import chain, quick, twice, weighted_forests

Case = tuple[Forest, np.ndarray]


def postorder(derivation: Derivation) -> list[int]:
    return derivation.fold(lambda edge, below: [*flat(*below), edge])


def listed(forest: Forest, weights: np.ndarray, most: int, **options: object) -> list[object]:
    found = best_derivations(forest, weights, most, **options)  # type: ignore[arg-type]
    rows = np.split(found.edges, found.start[1:-1])
    return [(s, row.tolist()) for s, row in zip(found.scores.tolist(), rows, strict=False)]


def expected(forest: Forest, weights: np.ndarray) -> list[tuple[float, list[int]]]:
    return [(score, postorder(derivation)) for score, derivation in kbest(forest, weights)]


@quick
@given(weighted_forests(), st.integers(1, 200))
def test_the_list_is_that_of_kbest(case: Case, most: int) -> None:
    assert listed(*case, most) == expected(*case)[:most]


@quick
@given(weighted_forests(), st.integers(1, 30), st.data())
def test_a_repeated_yield_is_passed_over(case: Case, most: int, data: st.DataObject) -> None:
    forest, weights = case
    rows = st.lists(st.integers(0, 2), max_size=2)
    own = data.draw(st.lists(rows, min_size=forest.num_edges, max_size=forest.num_edges))
    start = np.cumsum([0, *map(len, own)])
    symbols = start, np.array([*flat(*own)], np.int32)
    first: dict[tuple[int, ...], tuple[float, list[int]]] = {}
    for score, edges in expected(forest, weights):
        first.setdefault(tuple(s for edge in edges for s in own[edge]), (score, edges))
    assert listed(forest, weights, most, symbols=symbols, tries=1000) == list(first.values())[:most]


def test_tries_bound_the_search_for_other_yields() -> None:
    forest = chain(12)
    symbols = np.zeros(forest.num_edges + 1, np.int64), np.empty(0, np.int32)
    weights = np.linspace(0, 1, forest.num_edges)
    assert len(listed(forest, weights, 5, symbols=symbols)) == 1
    assert len(listed(forest, weights, 5)) == 5


def test_a_deep_and_wide_forest_is_listed_lazily() -> None:
    rng = np.random.default_rng(0)
    builder = ForestBuilder()
    node = builder.add_node()
    for _ in range(3):
        builder.add_edge(node, [], 0)
    for _ in range(100):
        below, node = node, builder.add_node()
        for _ in range(4):
            builder.add_edge(node, [below], 0)
        builder.add_edge(node, [0, below, 0], 0)
    forest = builder.build()
    weights = rng.normal(size=forest.num_edges)
    wanted = [(s, postorder(d)) for s, d in islice(kbest(forest, weights), 100)]
    assert listed(forest, weights, 100) == wanted


def test_nothing_to_list() -> None:
    found = best_derivations(twice(), np.full(3, -np.inf), 5)
    assert (found.scores.size, found.start.tolist(), found.edges.size) == (0, [0], 0)
    with pytest.raises(ValueError, match="at least one"):
        best_derivations(twice(), np.zeros(3), 0)
