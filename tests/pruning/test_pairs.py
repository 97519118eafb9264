"""Minimum Bayes risk over kept pairs, against the list of all prunings."""

from __future__ import annotations

import math
from collections import defaultdict

import numpy as np
import pytest

from treewright.forest import derivation_count, kbest
from treewright.grammar import FlatUnseen, Grammar
from treewright.pruning import CompressionForest, Pruner, StepPruning, gaps
from treewright.pruning.consensus import pairs_kept
from treewright.pruning.pairs import Pairs, _kernels
from treewright.trees import Tree, parse_tree

from ..grammar.test_index import uncompiled

PRUNING = StepPruning(
    {
        ("frame0",): -0.4,
        ("frame4", "dropped"): 0.6,
        ("word0", "NN", "dog"): -1.0,
        ("word0", "RB", "now"): 1.5,
        ("size0", "NP", "2"): 0.8,
    }
)
FREE = FlatUnseen({}, {}, (0.0, 0.0))
SENTENCES = [
    "(NN dog)",
    "(S (NP (NN dog)) (VP (VBZ barks)))",
    "(S (NP (DT the) (JJ old) (NN dog)) (VP (VBZ barks) (ADVP (RB now))) (. .))",
    "(S (S (NP (PRP it)) (VP (VBZ is) (ADJP (JJ old)))) (CC and) (S (VP (VBZ barks))))",
    "(X (NN a) (NN b) (NN c) (NN d) (NN e))",
]


def forest_of(source: Tree) -> CompressionForest:
    return Pruner(Grammar.from_counts({}), FREE, PRUNING).forest(source)


def kept_pairs(forest: CompressionForest, places: tuple[int, ...]) -> list[int]:
    """The words that are kept together with their governors."""
    governors = forest.source.governors
    return [i for i in places if governors[i] in places and forest.is_word[i]]


def outcomes(forest: CompressionForest) -> list[tuple[float, tuple[int, ...]]]:
    """The score of every pruning, and what it keeps."""
    found = []
    for score, derivation in kbest(forest.forest, forest.weights):
        target = forest.target(derivation)
        assert target is not None
        found.append((score, target.positions))
    return found


@pytest.mark.parametrize("text", SENTENCES)
def test_splitting_by_heads_keeps_every_pruning_once(text: str) -> None:
    forest = forest_of(parse_tree(text))
    assert derivation_count(Pairs.of(forest).forest) == derivation_count(forest.forest)


@pytest.mark.parametrize("longest", [1, 2, 12])
@pytest.mark.parametrize("text", SENTENCES)
def test_probabilities_are_sums_over_all_prunings(
    text: str, longest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gaps, "LONGEST", longest)
    forest = forest_of(parse_tree(text))
    found = outcomes(forest)
    total = sum(math.exp(score) for score, _ in found)
    expected = np.zeros(len(forest.is_word))
    governors = forest.source.governors
    for score, places in found:
        for i in places:
            if governors[i] in places:
                expected[i] += math.exp(score) / total
    assert Pairs.of(forest).probabilities() == pytest.approx(expected, abs=1e-12)
    governed = governors >= 0
    assert pairs_kept(forest)[governed] == pytest.approx(expected[governed], abs=1e-9)


@pytest.mark.parametrize("trust", [0.0, 0.15, 2.0])
@pytest.mark.parametrize("text", SENTENCES)
def test_the_curve_has_the_least_risk_of_every_length(text: str, trust: float) -> None:
    forest = forest_of(parse_tree(text))
    pairs = Pairs.of(forest)
    chance = pairs.probabilities()
    best: dict[int, float] = defaultdict(lambda: -math.inf)
    for score, places in outcomes(forest):
        words = sum(forest.is_word[list(places)])
        aim = trust * score + sum(chance[kept_pairs(forest, places)]) - 0.5 * words
        best[words] = max(best[words], aim)
    curve = pairs.curve(forest.num_words, trust)
    assert {n: s for n, s in enumerate(curve.scores) if s > -math.inf} == pytest.approx(dict(best))
    for words, aim in best.items():
        derivation = curve.derivation(words)
        target = forest.target(derivation)
        assert target is not None
        again = sum(chance[kept_pairs(forest, target.positions)]) - 0.5 * words
        assert trust * derivation.score(forest.weights) + again == pytest.approx(aim)


@pytest.mark.parametrize("text", SENTENCES)
def test_the_kernel_equals_its_plain_python(text: str) -> None:
    forest = forest_of(parse_tree(text))
    compiled = Pairs.of(forest)
    with uncompiled(_kernels):
        plain = Pairs.of(forest)
    for name in ("origin", "pair"):
        assert getattr(plain, name).tolist() == getattr(compiled, name).tolist()
    assert plain.forest.tail.tolist() == compiled.forest.tail.tolist()
