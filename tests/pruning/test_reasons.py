"""Reasons: every dropped token has one, and together with what stays they weigh the derivation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given

from treewright.forest import derivation_count
from treewright.grammar import Grammar, parse_rule
from treewright.pruning import CompressionForest, Pruner, gaps
from treewright.pruning.reasons import Reason, reasons, tokens_of
from treewright.transduction import EdgeKind, Target
from treewright.trees import Tree, parse_tree

from ..forest.naive import enumerate_derivations
from ..grammar.strategies import quick, trees
from ..transduction.test_generation import FIGURE_2, FIGURE_2_SOURCE, MOST, target_forests
from .test_pruning import PRUNING, UNSEEN

NOTHING = Grammar.from_counts({})


def listed(forest: CompressionForest) -> list[Target]:
    """Every rewriting of finite weight, by enumeration; none where there are too many."""
    if derivation_count(forest.forest) > MOST:
        return []
    targets = [forest.target(derivation) for derivation in enumerate_derivations(forest.forest)]
    return [target for target in targets if target is not None and target.score > -math.inf]


def explained(target: Target) -> list[Reason]:
    return reasons(target.forest, target.derivation)


def check_tokens(target: Target) -> None:
    """Raise unless the reasons hold exactly the dropped tokens, each once, from left to right."""
    found = [t for reason in explained(target) for t in tokens_of(target.forest, reason.node)]
    kept = set(target.positions)
    assert found == [t for t in range(len(target.forest.is_word)) if t not in kept]


def keeping_weight(target: Target) -> float:
    """What the copies, and the gaps that drop nothing, of a pruning weigh."""
    forest, total = target.forest, 0.0
    for edge in target.derivation.edges():
        label = forest.edge(edge)
        if forest.gaps.first[label.gap] < 0 if label.gap >= 0 else label.kind == EdgeKind.COPY:
            total += float(forest.weights[edge])
    return total


@pytest.mark.parametrize("longest", [1, 2, 12])
def test_the_reasons_of_a_pruning_and_what_stays_are_its_score(
    longest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gaps, "LONGEST", longest)
    source = parse_tree("(S (A a) (X (A d) (X (B b) (C c)) (B b)) (C c) (A d))")
    targets = listed(Pruner(NOTHING, UNSEEN, PRUNING).forest(source))
    assert len(targets) == 127
    for target in targets:
        check_tokens(target)
        weights = [reason.weight for reason in explained(target)]
        assert sum(weights) + keeping_weight(target) == pytest.approx(target.score)


@quick
@given(trees())
def test_every_token_a_pruning_drops_has_one_reason(source: Tree) -> None:
    for target in listed(Pruner(NOTHING, UNSEEN, PRUNING).forest(source)):
        check_tokens(target)


@quick
@given(target_forests(Pruner))
def test_every_token_that_rules_drop_or_replace_has_one_reason(
    case: tuple[CompressionForest, Tree],
) -> None:
    for target in listed(case[0]):
        check_tokens(target)
        assert {reason.rule for reason in explained(target)} <= set(target.rules)


def test_a_walk_over_gaps_is_one_rule_and_a_gap_shared_by_what_it_drops() -> None:
    source = parse_tree("(S (A a) (X (B b) (C c)) (D d) (A a))")
    forest = Pruner(NOTHING, UNSEEN, PRUNING).forest(source)
    [target] = [t for t in listed(forest) if t.positions == (3,)]
    found = explained(target)
    assert [reason.node for reason in found] == [1, 2, 6]
    assert {str(reason.rule) for reason in found} == {"S/S -> (S A[ε] X[ε] D[1] A[ε]) / (S D[1])"}
    assert found[0].edge == found[1].edge != found[2].edge
    # Deleting costs 2 for every node, of which X has three.
    assert found[0].weight + 2.0 == pytest.approx(found[1].weight + 6.0)


def test_a_rule_pays_for_what_it_drops_and_deletions_below_for_themselves() -> None:
    weights = -np.arange(1.0, 1.0 + len(FIGURE_2))
    grammar = Grammar(FIGURE_2.rules, weights, np.ones(len(FIGURE_2)))
    weight = dict(zip(map(str, grammar.rules), weights, strict=True))
    target = Pruner(grammar).forest(FIGURE_2_SOURCE).best()
    assert target is not None
    top, very, conjunction, second = (
        "VP/VP -> (VP (VP (AUX is) ADJP[1]) CC[ε] VP[ε]) / (VP (AUX is) NP[1])",
        "ADJP/NP -> (ADJP RB[ε] JJ[1]) / (NP JJ[1])",
        "CC/ε -> (CC and) / ε",
        [
            "VP/ε -> (VP AUX[ε] ADJP[ε]) / ε",
            "AUX/ε -> (AUX is) / ε",
            "ADJP/ε -> (ADJP JJ[ε]) / ε",
            "JJ/ε -> (JJ complete) / ε",
        ],
    )
    assert [(reason.node, str(reason.rule)) for reason in explained(target)] == [
        (4, very),
        (6, top),
        (7, top),
    ]
    assert [reason.weight for reason in explained(target)] == pytest.approx(
        [
            weight[very] + weight["RB/ε -> (RB very) / ε"],
            weight[top] / 2 + weight[conjunction],
            weight[top] / 2 + sum(weight[rule] for rule in second),
        ]
    )


def test_a_word_that_a_rule_replaces_is_dropped_by_it() -> None:
    rules = ["S/S -> (S A[1] B[ε]) / (S A[1])", "A/A -> (A a) / (A c)", "B/ε -> (B b) / ε"]
    grammar = Grammar(tuple(map(parse_rule, rules)), np.array([-1.0, -2.0, -4.0]), np.ones(3))
    [target] = listed(Pruner(grammar).forest(parse_tree("(S (A a) (B b))")))
    found = [(reason.node, str(reason.rule), reason.weight) for reason in explained(target)]
    assert found == [(1, rules[1], -2.0), (2, rules[0], -5.0)]
