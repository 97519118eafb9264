"""The most probable tree and the consensus, against the list of all derivations."""

from __future__ import annotations

import math
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given

from treewright.forest import kbest
from treewright.grammar import FlatUnseen
from treewright.pruning import Pruner, StepPruning
from treewright.pruning.risk import pairs_kept, risk_weights, words_kept
from treewright.transduction import TargetForest, Transducer
from treewright.transduction.probable import log_probability, most_probable
from treewright.trees import Tree, parse_tree

from ..grammar import toys
from ..grammar.strategies import trees
from ..profiles import examples

UNSEEN = FlatUnseen({}, {}, other=(-1.0, -1.1))
PRUNING = StepPruning({("frame0",): 0.3, ("frame4", "dropped"): -0.6, ("word0", "A", "a"): 1.0})
GRAMMAR = toys.grammar(
    """
    3 S/S -> (S (X A[1] (B b)) A[ε]) / (S (X A[1] (B b)))
    2 S/S -> (S X[1] A[ε]) / (S X[1])
    1 X/X -> (X A[ε] B[1]) / (X B[1])
    2 X/X -> (X A[1] B[2]) / (X A[1] B[2])
    1 X/ε -> (X (A a) B[ε]) / ε
    1 B/B -> (B b) / (B b)
    1 A/ε -> (A a) / ε
    """
)
# Keeping both words has one derivation of 0.4, keeping the first two of 0.3 each.
SMALL = toys.grammar(
    """
    4 S/S -> (S A[1] B[2]) / (S A[1] B[2])
    3 S/S -> (S A[1] B[ε]) / (S A[1])
    3 S/S -> (S A[1] (B b)) / (S A[1])
    1 A/A -> (A a) / (A a)
    1 B/B -> (B b) / (B b)
    1 B/ε -> (B b) / ε
    """
)
# Keeping the first word has 0.8 of the probability, but only 0.1 without a word inserted.
INSERTING = toys.grammar(
    """
    4 S/S -> (S A[1] B[ε]) / (S X[ε] A[1])
    3 S/S -> (S A[1] B[ε]) / (S (X y) A[1])
    1 S/S -> (S A[1] B[ε]) / (S A[1])
    2 S/S -> (S A[ε] B[1]) / (S B[1])
    1 A/A -> (A a) / (A a)
    1 A/ε -> (A a) / ε
    1 B/B -> (B b) / (B b)
    1 B/ε -> (B b) / ε
    1 ε/X -> ε / (X x)
    """
)
SOURCE = parse_tree("(S (X (A a) (B b)) (A d))")

Places = tuple[int, ...]


def forest_of(source: Tree) -> TargetForest:
    return Pruner(GRAMMAR, UNSEEN, PRUNING).forest(source)


def chances(forest: TargetForest) -> dict[Places, float]:
    """The probability of every set of words kept, by adding up derivations."""
    found: dict[Places, float] = defaultdict(float)
    for score, derivation in kbest(forest.forest, forest.weights):
        target = forest.target(derivation)
        found[() if target is None else target.positions] += math.exp(score)
    total = sum(found.values())
    return {places: chance / total for places, chance in found.items()}


def check(source: Tree) -> None:
    forest = forest_of(source)
    expected = chances(forest)
    for places, chance in expected.items():
        assert math.exp(log_probability(forest, places)) == pytest.approx(chance)
    size = len(source.words())
    kept = [sum(p for places, p in expected.items() if i in places) for i in range(size)]
    assert words_kept(forest, forest.weights).tolist() == pytest.approx(kept)
    together = [
        sum(p for places, p in expected.items() if i in places and (j < 0 or j in places))
        for i, j in enumerate(forest.source.governors.tolist())
    ]
    assert pairs_kept(forest).tolist() == pytest.approx(together, abs=1e-9)


def test_probabilities_by_enumeration() -> None:
    check(SOURCE)
    check(parse_tree("(S (X (A a) (B b)) (A a) (B c))"))


@examples(25)
@given(trees())
def test_probabilities_of_any_tree(source: Tree) -> None:
    if len(source.words()) <= 4 and sum(1 for _ in source.nodes()) <= 9:
        check(source)


def test_impossible_words() -> None:
    forest = Transducer(SMALL).forest(parse_tree("(S (A a) (B b))"))
    assert math.exp(log_probability(forest, [0])) == pytest.approx(0.6)
    assert log_probability(forest, [1]) == -math.inf
    assert log_probability(forest, []) == -math.inf


@pytest.mark.parametrize(("least", "most"), [(0, None), (1, 1), (2, 3), (3, None), (0, 2)])
def test_the_most_probable_of_enough_samples(least: int, most: int | None) -> None:
    forest = forest_of(SOURCE)
    top = 3 if most is None else most
    expected = {p: c for p, c in chances(forest).items() if least <= len(p) <= top}
    best = forest.most_probable(samples=500, least=least, most=most)
    assert best is not None
    assert best.positions == max(expected, key=lambda places: expected[places])
    again = forest.most_probable(samples=500, least=least, most=most)
    assert again is not None
    assert (again.tree, again.score) == (best.tree, best.score)


def test_the_best_derivation_need_not_be_of_the_most_probable_tree() -> None:
    forest = Transducer(SMALL).forest(parse_tree("(S (A a) (B b))"))
    derived, probable = forest.best(), forest.most_probable(samples=50)
    assert derived is not None
    assert probable is not None
    assert derived.positions == (0, 1)
    assert probable.positions == (0,)


@pytest.mark.parametrize(
    ("least", "most", "words", "chance"),
    [
        (0, None, "x a", 0.8),
        (1, 1, "b", 2 / 3),
        (0, 1, "b", 2 / 3),
        (2, None, "x a", 1.0),
        (1, 2, "x a", 0.8),
    ],
)
def test_inserted_words_count(least: int, most: int | None, words: str, chance: float) -> None:
    forest = Transducer(INSERTING).forest(parse_tree("(S (A a) (B b))"))
    found = most_probable(forest, samples=50, seed=0, least=least, most=most)
    assert found is not None
    assert math.exp(found[0]) == pytest.approx(chance)
    target = forest.target(found[1])
    assert target is not None
    assert " ".join(target.tree.words()) == words


def test_the_limit_holds_where_longer_derivations_keep_the_same_words() -> None:
    grammar = toys.grammar(
        """
        1 S/S -> (S A[1]) / (S A[1])
        2 S/S -> (S A[1]) / (S X[ε] A[1])
        1 A/A -> (A a) / (A a)
        1 ε/X -> ε / (X x)
        """
    )
    forest = Transducer(grammar).forest(parse_tree("(S (A a))"))
    free, short = forest.most_probable(), forest.most_probable(most=1)
    assert free is not None
    assert short is not None
    assert (str(free.tree), str(short.tree)) == ("(S (X x) (A a))", "(S (A a))")


def test_no_rewriting_of_such_a_length() -> None:
    assert forest_of(SOURCE).most_probable(least=4) is None
    small = Transducer(SMALL).forest(parse_tree("(S (A a) (B b))"))
    assert small.most_probable(most=0) is None


@pytest.mark.parametrize("trust", [0.0, 0.3])
def test_the_consensus_is_the_best_by_its_aim(trust: float) -> None:
    source = parse_tree("(S (X (A a) (B b)) (A d) (. .))")
    forest = forest_of(source)
    gain = np.where([True, True, True, False], pairs_kept(forest) - 0.5, 0.0)
    weights = risk_weights(forest, trust=trust)
    aims: dict[int, float] = defaultdict(lambda: -math.inf)
    for score, derivation in kbest(forest.forest, forest.weights):
        target = forest.target(derivation)
        places = () if target is None else target.positions
        aim = trust * score + sum(gain[list(places)])
        assert derivation.score(weights) == pytest.approx(aim)
        words = len([i for i in places if i < 3])
        aims[words] = max(aims[words], aim)
    curve = forest.curve(weights=weights)
    assert {n: s for n, s in enumerate(curve.scores) if s > -math.inf} == pytest.approx(dict(aims))


def test_governors() -> None:
    tree = parse_tree(
        "(S (NP (DT the) (NN dog)) (VP (VBZ has) (VP (VBN barked) (ADVP (RB loudly)))) (. .))"
    )
    assert forest_of(tree).source.governors.tolist() == [1, 3, 3, -1, 3, 3]
