"""Pruning, against the list of everything that can be pruned."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given

from trees.strategies import trees
from treewright.forest import Forest, derivation_count
from treewright.grammar import FlatUnseen, Grammar, Pruning
from treewright.transduction import Transducer
from treewright.trees import Tree, parse_tree

UNSEEN = FlatUnseen({}, {}, other=(-1.0, -2.0))
PRUNING = Pruning({("S", "A", False): 10.0, ("S", "B", False): 10.0}, {("S", "A", False): 9.0})
NOTHING = Grammar.from_counts({})


def cost_of_deleting(tree: Tree) -> float:
    return -2.0 * sum(1 for _ in tree.nodes())


def prunings(tree: Tree) -> dict[Tree, float]:
    """Every pruning of a tree that keeps its root, with its weight."""
    if tree.word is not None:
        return {tree: -1.0}
    prices = PRUNING.weights(tree) if len(tree.children) > 1 else [0.0, -math.inf]
    options: list[list[tuple[Tree | None, float]]] = []
    for place, child in enumerate(tree.children):
        keep, drop = prices[2 * place : 2 * place + 2]
        kept = [(part, keep + weight) for part, weight in prunings(child).items()]
        options.append([*kept, (None, drop + cost_of_deleting(child))])
    found: dict[Tree, float] = {}
    for choice in itertools.product(*options):
        parts = [part for part, _ in choice if part is not None]
        weight = -1.0 + sum(price for _, price in choice)
        if parts and weight > -math.inf:
            pruned = Tree(tree.label, parts)
            found[pruned] = max(weight, found.get(pruned, -math.inf))
    return found


SMALL = [
    "(S (A a) (B b))",
    "(S (A a) (S (A a) (B b) (C c)))",
    "(S (X (A a)) (X (Y (B b)) (A a)) (A d))",
    "(S (X (X (A a) (B b))) (C c))",
]


@pytest.mark.parametrize("text", SMALL)
def test_every_pruning_has_its_weight(text: str) -> None:
    source = parse_tree(text)
    forest = Transducer(NOTHING, UNSEEN, PRUNING).forest(source)
    expected = prunings(source)
    found = {target.tree: target.score for target in forest.nbest(10_000)}
    assert found.keys() == expected.keys()
    for tree, weight in expected.items():
        assert found[tree] == pytest.approx(weight)


@pytest.mark.parametrize("text", SMALL)
def test_forests_of_prunings_are_forests(text: str) -> None:
    forest = Transducer(NOTHING, UNSEEN, PRUNING).forest(parse_tree(text)).forest
    again = Forest.from_arrays(
        head=forest.head,
        tail_ptr=forest.tail_ptr,
        tail=forest.tail,
        label=forest.label,
        num_nodes=forest.num_nodes,
    )
    assert derivation_count(again) == derivation_count(forest) > 0


def test_a_pruning_is_one_rule_of_its_derivation() -> None:
    source = parse_tree("(S (A a) (X (B b) (C c)) (D d))")
    forest = Transducer(NOTHING, UNSEEN, PRUNING).forest(source)
    [target] = [t for t in forest.nbest(10_000) if str(t.tree) == "(S (X (C c)) (D d))"]
    assert target.positions == (2, 3)
    assert [str(rule) for rule in target.rules] == [
        "S/S -> (S A[ε] X[1] D[2]) / (S X[1] D[2])",
        "A/ε -> (A a) / ε",
        "X/X -> (X B[ε] C[1]) / (X C[1])",
        "B/ε -> (B b) / ε",
        "C/C -> (C c) / (C c)",
        "D/D -> (D d) / (D d)",
    ]
    assert target.unseen == 6


@given(trees())
def test_every_length_from_one_word_up_can_be_made(source: Tree) -> None:
    forest = Transducer(NOTHING, UNSEEN, PRUNING).forest(source)
    scores = forest.curve().scores
    words = len(scores) - 1
    assert all(scores[n] > -math.inf for n in range(1, words + 1))
