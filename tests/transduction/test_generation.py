"""Rewriting trees: every target is what its rules make of the source, words and positions too."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.corpora import Pair, count_words
from treewright.errors import DataError
from treewright.forest import Derivation, derivation_count
from treewright.grammar import Extraction, FlatUnseen, Grammar, parse_rule
from treewright.transduction import Target, TargetForest, Transducer
from treewright.trees import Tree, parse_tree

from ..forest.naive import enumerate_derivations
from ..grammar import oracle, toys
from ..grammar.strategies import extractive_pairs, fitting_rules, pairs, quick
from ..profiles import examples

UNSEEN = FlatUnseen({}, {}, other=(-1.0, -2.5))
MOST = 300

# Large-margin paper, Figure 2: the rule rewrites ADJP to NP under its target.
FIGURE_2 = toys.grammar(
    """
    1 VP/VP -> (VP (VP (AUX is) ADJP[1]) CC[ε] VP[ε]) / (VP (AUX is) NP[1])
    1 ADJP/NP -> (ADJP RB[ε] JJ[1]) / (NP JJ[1])
    1 JJ/JJ -> (JJ good) / (JJ good)
    1 RB/ε -> (RB very) / ε
    1 CC/ε -> (CC and) / ε
    1 VP/ε -> (VP AUX[ε] ADJP[ε]) / ε
    1 AUX/ε -> (AUX is) / ε
    1 ADJP/ε -> (ADJP JJ[ε]) / ε
    1 JJ/ε -> (JJ complete) / ε
    """
)
FIGURE_2_SOURCE = parse_tree(
    "(VP (VP (AUX is) (ADJP (RB very) (JJ good))) (CC and) (VP (AUX is) (ADJP (JJ complete))))"
)


def test_figure_2_of_the_large_margin_paper() -> None:
    forest = Transducer(FIGURE_2).forest(FIGURE_2_SOURCE)
    best = forest.best()
    assert best is not None
    assert str(best.tree) == "(VP (AUX is) (NP (JJ good)))"
    assert best.positions == (0, 2)
    assert best.unseen == 0
    assert [str(rule) for rule in best.rules] == [
        "VP/VP -> (VP (VP (AUX is) ADJP[1]) CC[ε] VP[ε]) / (VP (AUX is) NP[1])",
        "ADJP/NP -> (ADJP RB[ε] JJ[1]) / (NP JJ[1])",
        "RB/ε -> (RB very) / ε",
        "JJ/JJ -> (JJ good) / (JJ good)",
        "CC/ε -> (CC and) / ε",
        "VP/ε -> (VP AUX[ε] ADJP[ε]) / ε",
        "AUX/ε -> (AUX is) / ε",
        "ADJP/ε -> (ADJP JJ[ε]) / ε",
        "JJ/ε -> (JJ complete) / ε",
    ]
    assert best.score == 0.0
    assert [target.tree for target in forest.nbest(1000)] == [best.tree]


def test_the_facelift_pair_is_learned_by_heart() -> None:
    grammar = Grammar.from_counts(Extraction(parts=3, min_count=1)([toys.FACELIFT]))
    best = Transducer(grammar).forest(toys.FACELIFT.source).best()
    assert best is not None
    assert best.tree == toys.FACELIFT.target
    assert toys.FACELIFT.alignment is not None
    assert best.positions == tuple(i for i, _ in toys.FACELIFT.alignment)


def test_the_documentation_pair_changes_a_word() -> None:
    grammar = Grammar.from_counts(Extraction(parts=1)([toys.DOCUMENTATION]))
    best = Transducer(grammar).forest(toys.DOCUMENTATION.source).best()
    assert best is not None
    assert best.tree == toys.DOCUMENTATION.target
    assert best.positions == (1, 2, 3, 4, 8)


def as_derived(forest: TargetForest, derivation: Derivation) -> oracle.Derived:
    parts = tuple(as_derived(forest, child) for child in derivation.children)
    return oracle.Derived(forest.rule(derivation.edge), parts)


def check_target(forest: TargetForest, source: Tree, target: Target) -> None:
    derived = as_derived(forest, target.derivation)
    assert oracle.apply(derived) == (source, target.tree)
    words = target.tree.words()
    assert len(target.positions) == len(words)
    assert all(-1 <= position < len(source.words()) for position in target.positions)
    if all(rule.alignment is None for rule in target.rules):
        for word, position in zip(words, target.positions, strict=True):
            assert position == -1 or source.words()[position] == word
    assert target.score == pytest.approx(target.derivation.score(forest.weights))
    assert len(target.rules) == len(list(target.derivation.edges()))
    assert target.unseen == sum(rule not in forest.grammar.rules for rule in target.rules)


@st.composite
def target_forests(draw: Any, make: type[Transducer] = Transducer) -> tuple[TargetForest, Tree]:
    """A forest with weights that make ties likely, for a pair's source."""
    pair = draw(pairs())
    rules = draw(fitting_rules(pair))
    weight = st.sampled_from([0.0, -0.5, -1.0, -2.0, -math.inf])
    weights = np.array([draw(weight) for _ in rules], dtype=np.float64)
    grammar = Grammar(rules, weights, np.ones(len(rules)))
    return make(grammar, UNSEEN).forest(pair.source), pair.source


def scored(forest: TargetForest) -> list[tuple[float, Target]]:
    """Every target of finite weight, by enumeration."""
    found = []
    for derivation in enumerate_derivations(forest.forest):
        score = derivation.score(forest.weights)
        if score > -math.inf:
            target = forest.target(derivation)
            assert target is not None
            found.append((score, target))
    return found


@quick
@given(target_forests())
def test_targets_are_what_their_rules_make(case: tuple[TargetForest, Tree]) -> None:
    forest, source = case
    for target in forest.nbest(20):
        check_target(forest, source, target)


@quick
@given(target_forests())
def test_search_against_enumeration(case: tuple[TargetForest, Tree]) -> None:
    forest, _ = case
    if derivation_count(forest.forest) > MOST:
        return
    everything = scored(forest)
    best = forest.best()
    assert (best is None) == (not everything)
    if best is not None:
        assert best.score == pytest.approx(max(score for score, _ in everything))
    expected: dict[Tree, float] = {}
    for score, target in everything:
        expected[target.tree] = max(score, expected.get(target.tree, -math.inf))
    ranked = forest.nbest(1000)
    found = {target.tree: target.score for target in ranked}
    assert len(found) == len(ranked)
    assert found == pytest.approx(expected)
    scores = [target.score for target in ranked]
    assert scores == sorted(scores, reverse=True)


@quick
@given(target_forests())
def test_the_curve_against_enumeration(case: tuple[TargetForest, Tree]) -> None:
    forest, source = case
    if derivation_count(forest.forest) > MOST:
        return
    everything = scored(forest)
    longest = max((count_words(target.tree) for _, target in everything), default=0)
    curve = forest.curve(limit=longest)
    assert len(forest.curve().scores) == count_words(source) + 1
    for length, score in enumerate(curve.scores):
        rivals = [s for s, target in everything if count_words(target.tree) == length]
        assert score == pytest.approx(max(rivals, default=-math.inf))
        if rivals:
            target = forest.target(curve.derivation(length))
            assert target is not None
            assert count_words(target.tree) == length
            assert target.score == score


@quick
@given(st.lists(extractive_pairs(), min_size=1, max_size=3))
def test_rules_of_extractive_pairs_only_delete(corpus: list[Pair]) -> None:
    grammar = Grammar.from_counts(Extraction(parts=2, min_count=1)(corpus))
    for pair in corpus:
        for target in Transducer(grammar, UNSEEN).forest(pair.source).nbest(10):
            words = pair.source.words()
            assert tuple(words[p] for p in target.positions) == target.tree.words()
            assert list(target.positions) == sorted(set(target.positions))


@examples(20)
@given(pairs())
def test_forests_are_the_same_every_time(pair: Pair) -> None:
    grammar = Grammar.from_counts(Extraction(min_count=1)([pair]))
    one, other = (Transducer(grammar, UNSEEN).forest(pair.source) for _ in range(2))
    for name in ("head", "tail_ptr", "tail", "node_ptr", "label"):
        assert getattr(one.forest, name).tolist() == getattr(other.forest, name).tolist()
    assert one.weights.tolist() == other.weights.tolist()


# What the grammar does not know.

SMALL = toys.grammar(
    """
    3 S/S -> (S NP[1] VP[2]) / (S NP[1] VP[2])
    1 S/S -> (S NP[ε] VP[1]) / (S VP[1])
    1 N/N -> (N rain) / (N rain)
    """
)


def test_unseen_productions_are_copied_or_deleted() -> None:
    unseen = FlatUnseen({"NP": -0.1, "N": -0.2}, {"NP": -5.0, "N": -6.0}, other=(-1.0, -9.0))
    source = parse_tree("(S (NP (N snow)) (VP (V falls)))")
    forest = Transducer(SMALL, unseen).forest(source)
    best = forest.best()
    assert best is not None
    assert best.tree == source
    assert best.unseen == 4
    assert best.score == pytest.approx(math.log(3 / 4) - 0.1 - 0.2 - 1.0 - 1.0)
    second = list(forest.nbest(1000))[1]
    assert str(second.tree) == "(S (VP (V falls)))"
    assert second.positions == (1,)
    assert second.score == pytest.approx(math.log(1 / 4) - 5.0 - 6.0 - 1.0 - 1.0)
    assert [str(rule) for rule in second.rules] == [
        "S/S -> (S NP[ε] VP[1]) / (S VP[1])",
        "NP/ε -> (NP N[ε]) / ε",
        "N/ε -> (N snow) / ε",
        "VP/VP -> (VP V[1]) / (VP V[1])",
        "V/V -> (V falls) / (V falls)",
    ]


def test_a_known_copy_rule_is_not_supplied_again() -> None:
    forest = Transducer(SMALL, UNSEEN).forest(parse_tree("(N rain)"))
    assert [str(target.tree) for target in forest.nbest(1000)] == ["(N rain)"]
    assert [target.unseen for target in forest.nbest(1000)] == [0]


def test_a_tree_of_unknown_labels_and_words() -> None:
    source = parse_tree("(X (Y foo) (Z (Q bar)))")
    best = Transducer(SMALL, UNSEEN).forest(source).best()
    assert best is not None
    assert best.tree == source
    assert best.unseen == 4
    assert best.positions == (0, 1)


def test_a_grammar_without_rules() -> None:
    empty = Grammar.from_counts({})
    source = parse_tree("(X (Y foo))")
    best = Transducer(empty, UNSEEN).forest(source).best()
    assert best is not None
    assert best.tree == source
    with pytest.raises(DataError, match="no target tree from a source rooted in X"):
        Transducer(empty).forest(source)


@pytest.mark.parametrize("text", ["(S (NP (N rain)) (VP (V falls)))", "(X (N rain))", "(N snow)"])
def test_a_grammar_that_cannot_derive_the_tree(text: str) -> None:
    with pytest.raises(DataError, match="the grammar derives no target tree"):
        Transducer(SMALL).forest(parse_tree(text))


def test_a_grammar_that_only_deletes_derives_no_tree() -> None:
    grammar = toys.grammar("1 N/ε -> (N rain) / ε")
    with pytest.raises(DataError, match="derives no target tree from a source rooted in N"):
        Transducer(grammar).forest(parse_tree("(N rain)"))


def test_another_root_is_taken_where_the_own_one_cannot_be_had() -> None:
    grammar = toys.grammar(
        """
        1 S/FRAG -> (S N[1]) / (FRAG N[1])
        1 N/N -> (N rain) / (N rain)
        """
    )
    best = Transducer(grammar).forest(parse_tree("(S (N rain))")).best()
    assert best is not None
    assert str(best.tree) == "(FRAG (N rain))"


def test_weights_of_nothing_leave_no_target() -> None:
    rule = parse_rule("N/N -> (N rain) / (N rain)")
    grammar = Grammar((rule,), np.array([-np.inf]), np.ones(1))
    forest = Transducer(grammar).forest(parse_tree("(N rain)"))
    assert forest.best() is None
    assert list(forest.nbest(1000)) == []
    assert not np.isfinite(forest.curve().scores).any()


def test_punctuation_does_not_count() -> None:
    source = parse_tree("(S (N rain) (, ,) (N 7) (. .))")
    forest = Transducer(Grammar.from_counts({}), UNSEEN).forest(source)
    curve = forest.curve()
    assert len(curve.scores) == 3
    target = forest.target(curve.derivation(2))
    assert target is not None
    assert target.tree == source
