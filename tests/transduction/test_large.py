"""Very wide and very deep trees."""

from __future__ import annotations

import numpy as np
import pytest

from treewright.corpora import Pair
from treewright.grammar import Extraction, FlatUnseen, Grammar
from treewright.transduction import Transducer, pair_forest
from treewright.trees import Tree

UNSEEN = FlatUnseen({}, {}, other=(-1.0, -2.0))
DEPTH = 240


def flat(words: int) -> Tree:
    return Tree("S", [Tree(f"T{i % 40}", word=f"w{i % 999}") for i in range(words)])


def deep(depth: int, leaf: Tree) -> Tree:
    tree = Tree("S", [leaf, Tree("N", word="end")])
    for i in range(depth - 2):
        tree = Tree("S", [Tree("D", word=f"d{i % 7}"), tree])
    return tree


@pytest.mark.parametrize("known", [True, False])
def test_ten_thousand_words(known: bool) -> None:
    source = flat(10_000)
    small = flat(40)
    pair = Pair("small", small, small, tuple((i, i) for i in range(40)))
    rules = Extraction(parts=1)([pair]) if known else {}
    forest = Transducer(Grammar.from_counts(rules), UNSEEN).forest(source)
    best = forest.best()
    assert best is not None
    assert best.tree == source
    assert best.positions == tuple(range(10_000))
    assert [target.tree for target in forest.nbest(1000)] == [source]  # copying keeps all children


def test_the_curve_of_a_wide_tree() -> None:
    source = Tree("S", [Tree("X", [leaf]) for leaf in flat(2000).children])
    forest = Transducer(Grammar.from_counts({}), UNSEEN).forest(source)
    scores = forest.curve().scores
    assert len(scores) == 2001
    assert scores[2000] == -4001.0
    assert np.flatnonzero(np.isfinite(scores)).tolist() == [2000]


def test_deep_trees() -> None:
    source = deep(DEPTH, Tree("V", word="go"))
    target = deep(DEPTH, Tree("V", word="stay"))
    words = len(source.words())
    pair = Pair("deep", source, target, tuple((i, i) for i in range(words)))
    grammar = Grammar.from_counts(Extraction(parts=1)([pair]))
    found = pair_forest(grammar, pair)
    assert found is not None
    assert found.forest.num_nodes == 2 * words - 1
    forest = Transducer(grammar, UNSEEN).forest(source)
    best = forest.best()
    assert best is not None
    assert best.tree == target
    assert [t.tree for t in forest.nbest(1000)] == [target, source]
    assert np.isfinite(forest.curve().scores[words])


def test_a_wide_pair() -> None:
    source = flat(300)
    target = Tree("S", source.children[::2])
    alignment = tuple((2 * j, j) for j in range(150))
    pair = Pair("wide", source, target, alignment)
    grammar = Grammar.from_counts(Extraction(parts=1)([pair]))
    found = pair_forest(grammar, pair)
    assert found is not None
    assert found.forest.num_nodes == 301
