"""Insertions: target words without a source, to a fixed depth in generation."""

from __future__ import annotations

import numpy as np

from treewright.corpora import Pair
from treewright.forest import derivation_count
from treewright.grammar import Grammar
from treewright.transduction import Transducer, pair_forest
from treewright.transduction.insertion import MAX_INSERTION_DEPTH, Insertions
from treewright.trees import Tree, parse_tree

from ..grammar import oracle, toys

ENDLESS = toys.grammar(
    """
    1 S/S -> (S V[1]) / (S X[ε] V[1])
    1 V/V -> (V go) / (V go)
    2 ε/X -> ε / (X x)
    1 ε/X -> ε / (X X[ε])
    """
)


def test_generation_unrolls_insertions_to_a_fixed_depth() -> None:
    forest = Transducer(ENDLESS).forest(parse_tree("(S (V go))"))
    trees = [str(target.tree) for target in forest.nbest(1000)]
    assert trees == [
        "(S (X x) (V go))",
        "(S (X (X x)) (V go))",
        "(S (X (X (X x))) (V go))",
    ]
    assert len(trees) == MAX_INSERTION_DEPTH
    assert all(target.positions == (-1, 0) for target in forest.nbest(1000))


def test_depth_counts_derivations() -> None:
    grammar = toys.grammar(
        """
        1 ε/X -> ε / (X x)
        1 ε/X -> ε / (X X[ε] X[ε])
        """
    )
    ways = 0
    for depth in range(1, 4):
        ways = 1 + ways**2
        found = Insertions.of(grammar, depth=depth)
        chart = oracle.target_chart(grammar.rules, Tree("S", word="s"), depth=depth)
        assert oracle.count(oracle.useful(chart, (None, "X", depth)), (None, "X", depth)) == ways
        assert found.num_nodes == depth
        assert len(found.head) == 2 * depth - 1


def test_insertions_that_never_end_in_words_give_nothing() -> None:
    found = Insertions.of(toys.grammar("1 ε/X -> ε / (X X[ε])"))
    assert found.num_nodes == 0
    assert np.all(found.node_of == -1)


def test_categories_that_only_the_tree_has_cannot_be_inserted() -> None:
    found = Insertions.of(ENDLESS)
    known = len(found.node_of)
    stretched = found.nodes(known + 2)
    assert stretched[:known].tolist() == found.node_of.tolist()
    assert stretched[known:].tolist() == [-1, -1]


def test_a_rule_whose_insertion_cannot_be_had_is_left_out() -> None:
    grammar = toys.grammar(
        """
        1 S/S -> (S V[1]) / (S X[ε] V[1])
        1 S/S -> (S V[1]) / (S V[1])
        1 V/V -> (V go) / (V go)
        """
    )
    forest = Transducer(grammar).forest(parse_tree("(S (V go))"))
    assert [str(target.tree) for target in forest.nbest(1000)] == ["(S (V go))"]


def test_the_same_insertion_twice_in_one_rule() -> None:
    grammar = toys.grammar(
        """
        1 S/S -> (S V[1]) / (S X[ε] V[1] X[ε])
        1 V/V -> (V go) / (V go)
        1 ε/X -> ε / (X x)
        1 ε/X -> ε / (X y)
        """
    )
    forest = Transducer(grammar).forest(parse_tree("(S (V go))"))
    words = {" ".join(target.tree.words()) for target in forest.nbest(1000)}
    assert words == {"x go x", "x go y", "y go x", "y go y"}


def test_a_pair_may_insert_as_deep_as_it_likes() -> None:
    target = parse_tree("(S (X (X (X (X (X x))))) (V go))")
    found = pair_forest(ENDLESS, Pair("deep", parse_tree("(S (V go))"), target, ((0, 1),)))
    assert found is not None
    assert derivation_count(found.forest) == 1
    labels = found.forest.label.tolist()
    endless = [str(ENDLESS.rules[label]) for label in labels]
    assert endless.count("ε/X -> ε / (X X[ε])") == 4


def test_words_inserted_count_as_words() -> None:
    grammar: Grammar = ENDLESS
    forest = Transducer(grammar).forest(parse_tree("(S (V go))"))
    assert np.isfinite(forest.curve(limit=3).scores).tolist() == [False, False, True, False]
