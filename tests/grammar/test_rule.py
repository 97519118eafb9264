"""`Rule`: what it refuses, what it says of itself, and how it travels between processes."""

from __future__ import annotations

import os
import pickle
import sys
from typing import Any

import pytest
from hypothesis import given

from treewright.grammar import UNLINKED, Rule, copy_rule, deletion_rule, parse_rule
from treewright.trees import Tree

from ..programs import run_program
from . import oracle, toys
from .strategies import quick, rules

S_NP_VP = Tree("S", [Tree("NP"), Tree("VP")])


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ((None, None), "needs a source or a target"),
        ((Tree("S"), S_NP_VP, (0,)), "the source fragment S spells out no production"),
        ((None, Tree("S")), "the inserted fragment S spells out no production"),
        ((S_NP_VP, S_NP_VP), "0 links for 2 source frontier nodes"),
        ((S_NP_VP, S_NP_VP, (0, 1, UNLINKED)), "3 links for 2 source frontier nodes"),
        ((None, S_NP_VP, (0,)), "1 links for 0 source frontier nodes"),
        ((S_NP_VP, S_NP_VP, (1, 1)), "two source frontier nodes are linked to one"),
        ((S_NP_VP, S_NP_VP, (0, 2)), "a link points outside the target frontier"),
        ((S_NP_VP, S_NP_VP, (0, -2)), "a link points outside the target frontier"),
        ((S_NP_VP, None, (0, UNLINKED)), "a link points outside the target frontier"),
    ],
)
def test_impossible_rules(parts: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Rule(*parts)


@quick
@given(rules())
def test_what_a_rule_says_of_itself(rule: Rule) -> None:
    assert list(rule.source_frontier) == oracle.frontier(rule.source)
    assert list(rule.target_frontier) == oracle.frontier(rule.target)
    assert list(rule.inserted) == oracle.inserted(rule)
    assert rule.variables == len(rule.target_frontier) - len(rule.inserted)
    assert rule.root == (
        "ε" if rule.source is None else rule.source.label,
        "ε" if rule.target is None else rule.target.label,
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("S/S -> (S NP[1] VP[2]) / (S NP[1] VP[2])", True),
        ("S/S -> (S (NP (N a)) VP[1]) / (S (NP (N a)) VP[1])", True),
        ("N/N -> (N a) / (N a)", True),
        ("S/S -> (S NP[1] NP[2]) / (S NP[2] NP[1])", False),
        ("S/S -> (S NP[1] VP[ε]) / (S NP[1] VP[ε])", False),
        ("S/S -> (S NP[1] VP[2]) / (S VP[2] NP[1])", False),
        ("N/N -> (N a) / (N b)", False),
        ("N/ε -> (N a) / ε", False),
        ("ε/N -> ε / (N a)", False),
    ],
)
def test_is_copy(text: str, expected: bool) -> None:
    assert parse_rule(text).is_copy is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("S/S -> (S CC[ε] NP[1] VP[2]) / (S NP[1] VP[2])", True),
        ("S/S -> (S (CC But) NP[1] VP[2]) / (S NP[1] VP[2])", True),
        ("S/S -> (S NP[ε] (VP VBZ[ε] SBAR[1])) / S[1]", True),
        ("S/S -> (S NP[ε] VP[1]) / (S X[ε] VP[1])", True),
        ("S/S -> (S NP[1] VP[2]) / (S NP[1] VP[2])", False),
        ("S/S -> (S (VP (V go))) / (S (V go))", False),
        ("N/N -> (N a) / (N b)", False),
        ("S/ε -> (S NP[ε] VP[ε]) / ε", False),
        ("N/ε -> (N a) / ε", False),
        ("ε/N -> ε / (N a)", False),
    ],
)
def test_is_compression(text: str, expected: bool) -> None:
    assert parse_rule(text).is_compression is expected


def test_insertions() -> None:
    rule = parse_rule("S/S -> (S NP[ε] VP[1]) / (S X[ε] VP[1] Y[ε])")
    assert (rule.inserted, rule.variables) == ((0, 2), 1)


def test_copy_and_deletion_rules() -> None:
    copy, word = "S/S -> (S NP[1] VP[2]) / (S NP[1] VP[2])", "N/N -> (N a) / (N a)"
    assert copy_rule("S", ("NP", "VP")) == parse_rule(copy)
    assert copy_rule("N", word="a") == parse_rule(word)
    assert deletion_rule("S", ("NP", "VP")) == parse_rule("S/ε -> (S NP[ε] VP[ε]) / ε")
    assert deletion_rule("N", word="a") == parse_rule("N/ε -> (N a) / ε")
    assert copy_rule("S", ("NP", "VP")).is_copy
    assert copy_rule("N", word="a").is_copy


@quick
@given(rules(), rules())
def test_rules_are_values(a: Rule, b: Rule) -> None:
    again = Rule(a.source, a.target, a.links)
    assert a == again
    assert hash(a) == hash(again)
    same = (a.source, a.target, a.links) == (b.source, b.target, b.links)
    assert (a == b) is same
    assert a != "a rule"
    with pytest.raises(AttributeError):
        a.links = ()  # type: ignore[misc]


@quick
@given(rules())
def test_pickling(rule: Rule) -> None:
    hash(rule)
    again = pickle.loads(pickle.dumps(rule))
    assert again == rule
    assert hash(again) == hash(rule)


LOOK_UP = """
import pickle, sys
from treewright.grammar import parse_rule
rules, texts = pickle.load(sys.stdin.buffer)
assert set(rules) == {parse_rule(text) for text in texts}
assert [hash(rule) for rule in rules] == [hash(parse_rule(text)) for text in texts]
sys.stdout.buffer.write(pickle.dumps(rules))
"""


def test_pickles_travel_between_processes_of_other_hash_seeds() -> None:
    rules = toys.rules(toys.PAPER_RULES)
    {rule: rule.source_frontier for rule in rules}  # fill the caches
    answers = [
        run_program(
            sys.executable,
            "-c",
            LOOK_UP,
            input=pickle.dumps((rules, toys.PAPER_RULES)),
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    ]
    assert answers[0] == answers[1]
    assert pickle.loads(answers[0]) == rules
