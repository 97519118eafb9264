"""Forests split by heads, ties and the risk of pairs, against the list of all derivations."""

from __future__ import annotations

import math
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from treewright.compiling import forced
from treewright.forest import derivation_count, kbest
from treewright.grammar import FlatUnseen, Grammar, parse_rule
from treewright.pruning import CompressionForest, Pruner, StepPruning, Tie, gaps, split_by_heads
from treewright.pruning.risk import pair_probabilities, pairs_kept
from treewright.trees import Tree, parse_tree

from ..grammar.strategies import trees
from ..profiles import examples
from ..transduction.test_generation import MOST, target_forests
from .test_holding import Way, check_left, deep_rules, extractive, is_left, ways

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
brief = examples(30)


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
    check_left(forest, split_by_heads(forest, pairs=True), lambda way: True)


@pytest.mark.parametrize("longest", [1, 2, 12])
@pytest.mark.parametrize("text", SENTENCES)
def test_the_edges_of_a_pruning_say_which_pairs_it_keeps(
    text: str, longest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gaps, "LONGEST", longest)
    forest = split_by_heads(forest_of(parse_tree(text)), pairs=True)
    assert forest.pairs is not None
    for way in ways(forest):
        told = sorted(forest.pairs[edge] for edge in way.edges if forest.pairs[edge] >= 0)
        governors = forest.source.governors
        assert told == [i for i in way.positions if governors[i] in way.positions]


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
    split = split_by_heads(forest, pairs=True)
    assert pair_probabilities(split) == pytest.approx(expected, abs=1e-12)
    governed = governors >= 0
    assert pairs_kept(forest)[governed] == pytest.approx(expected[governed], abs=1e-9)


@pytest.mark.parametrize("trust", [0.0, 0.15, 2.0])
@pytest.mark.parametrize("text", SENTENCES)
def test_the_curve_has_the_least_risk_of_every_length(text: str, trust: float) -> None:
    forest = split_by_heads(forest_of(parse_tree(text)), pairs=True)
    chance = pair_probabilities(forest)
    best: dict[int, float] = defaultdict(lambda: -math.inf)
    for score, places in outcomes(forest):
        words = sum(forest.is_word[list(places)])
        aim = trust * score + sum(chance[kept_pairs(forest, places)]) - 0.5 * words
        best[words] = max(best[words], aim)
    curve = forest.agreed_curve(trust=trust)
    assert {n: s for n, s in enumerate(curve.scores) if s > -math.inf} == pytest.approx(dict(best))
    for words, aim in best.items():
        derivation = curve.derivation(words)
        target = forest.target(derivation)
        assert target is not None
        again = sum(chance[kept_pairs(forest, target.positions)]) - 0.5 * words
        assert trust * derivation.score(forest.weights) + again == pytest.approx(aim)


def test_least_risk_needs_a_forest_split_by_heads() -> None:
    forest = forest_of(parse_tree(SENTENCES[1]))
    with pytest.raises(ValueError, match="split the forest by heads"):
        forest.agreed_curve()
    with pytest.raises(ValueError, match="not split"):
        pair_probabilities(forest)


def obeys(forest: CompressionForest, tie: Tie, way: Way) -> bool:
    """Whether what a derivation keeps obeys a tie, told by its words alone."""
    source = forest.source

    def keeps_head(node: int) -> bool:
        return source.semantic_heads[node] in way.positions

    if not is_left(forest, tie.parent, way.positions):
        return True
    child = is_left(forest, tie.child, way.positions)
    if tie.by_head:
        return not child or keeps_head(tie.child) == keeps_head(tie.parent)
    return child == keeps_head(tie.parent)


def drawn_ties(data: st.DataObject, forest: CompressionForest) -> list[Tie]:
    nodes = range(1, len(forest.source))
    if not nodes:
        return []
    one = st.builds(
        lambda child, by_head: Tie(forest.source.parent[child], child, by_head),
        st.sampled_from(nodes),
        st.booleans(),
    )
    return data.draw(st.lists(one, max_size=4))


def check_ties(forest: CompressionForest, ties: list[Tie], *, pairs: bool = False) -> None:
    tied = split_by_heads(forest, ties, pairs=pairs)
    check_left(forest, tied, lambda way: all(obeys(forest, tie, way) for tie in ties))


@examples(100)
@given(trees(), st.booleans(), st.sampled_from([1, 12]), st.data())
def test_prunings_obey_ties_and_none_that_does_is_lost(
    source: Tree, pairs: bool, longest: int, data: st.DataObject
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gaps, "LONGEST", longest)
        forest = forest_of(source)
    assume(derivation_count(forest.forest) <= MOST)
    check_ties(forest, drawn_ties(data, forest), pairs=pairs)


@examples(100)
@given(target_forests(Pruner), st.data())
def test_rules_obey_ties_and_none_that_does_is_lost(
    case: tuple[CompressionForest, Tree], data: st.DataObject
) -> None:
    forest = extractive(case[0])
    assume(derivation_count(forest.forest) <= MOST)
    check_ties(forest, drawn_ties(data, forest))


def test_deep_rules_obey_ties() -> None:
    forest = extractive(deep_rules())
    for child in range(1, len(forest.source)):
        for by_head in (False, True):
            check_ties(forest, [Tie(forest.source.parent[child], child, by_head)])


def test_tails_of_one_rule_may_be_tied_to_one_another() -> None:
    rules = ["X/X -> (X A[1] A[2] A[3]) / (X A[1] A[2] A[3])"]
    for inside in ("B[1] C[2]", "B[1] C[ε]", "B[ε] C[1]"):
        kept = " ".join(part for part in inside.split() if "ε" not in part)
        rules.append(f"A/A -> (A {inside}) / (A {kept})")
    for label in "BC":
        for word in "bc":
            rules += [f"{label}/{label} -> ({label} {word}) / ({label} {word})"]
            rules += [f"{label}/ε -> ({label} {word}) / ε"]
    grammar = Grammar(
        tuple(map(parse_rule, rules)), -np.arange(len(rules)) / 8, np.ones(len(rules))
    )
    phrase = "(A (B b) (C c))"
    forest = Pruner(grammar).forest(parse_tree(f"(X {phrase} {phrase} {phrase})"))
    first, second, third = forest.source.children[0]
    check_ties(forest, [Tie(0, first, True), Tie(0, second, True)])
    check_ties(forest, [Tie(0, second, True), Tie(0, third, True)])
    check_ties(forest, [Tie(0, child, True) for child in (first, second, third)])
    check_ties(forest, [Tie(0, first), Tie(0, third, True)])


@pytest.mark.parametrize("text", SENTENCES)
def test_splitting_is_the_same_without_compiling(text: str) -> None:
    forest = forest_of(parse_tree(text))
    compiled = split_by_heads(forest, pairs=True)
    with forced(False):
        plain = split_by_heads(forest, pairs=True)
    assert plain.forest.tail.tolist() == compiled.forest.tail.tolist()
    assert plain.weights.tolist() == compiled.weights.tolist()
    assert plain.pairs is not None
    assert compiled.pairs is not None
    assert plain.pairs.tolist() == compiled.pairs.tolist()
