"""Where the words of a target come from, rule by rule."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.grammar import FlatUnseen, Grammar, Rule, parse_rule
from treewright.transduction import Transducer
from treewright.transduction.application import Application, flatten
from treewright.trees import Tree, parse_tree

from ..grammar.strategies import fitting_rules, pairs, quick

UNSEEN = FlatUnseen({}, {})


def sources(rule: Rule) -> list[int]:
    """For each word of the target, from left to right, the number of the source word it is."""
    return [step.source_word for step in reversed(Application.of(rule).steps) if step.word]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("S/S -> (S (N a) (N b)) / (S (N b))", [1]),
        ("S/S -> (S (N a) (N b)) / (S (N c) (N b) (N a))", [-1, 1, -1]),
        ("S/S -> (S (N a) (N a)) / (S (N a))", [0]),
        # The linked node holds its place: the second comma is the one behind it.
        ("S/S -> (S (, ,) NP[1] (, ,)) / (S NP[1] (, ,))", [1]),
        ("S/S -> (S (, ,) NP[1] (, ,)) / (S (, ,) NP[1])", [0]),
        ("S/S -> (S (, ,) NP[ε] (, ,)) / (S (, ,))", [0]),
        # A word stays what it is where links cross.
        ("S/S -> (S NP[1] (N a) VP[2]) / (S VP[2] (N a) NP[1])", [0]),
        ("S/S -> (S (, ,) NP[1] VP[2]) / (S NP[1] VP[2] (, ,))", [0]),
        ("ε/S -> ε / (S (N a))", [-1]),
        ("S/ε -> (S (N a)) / ε", []),
        ("S/S -> (S NP[ε] VP[1]) / S[1]", []),
    ],
)
def test_which_word_is_which(text: str, expected: list[int]) -> None:
    assert sources(parse_rule(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("S/S -> (S (N a) (N a)) / (S (N a)) @ 1-0", [1]),
        ("S/S -> (S (N a) (N b)) / (S (N b) (N a)) @ 0-1 1-0", [1, 0]),
        ("N/N -> (N haus) / (N house) @ 0-0", [0]),
        ("N/N -> (N a) / (N a) @", [-1]),
        ('S/"" -> (S (N a) (N b)) / "x y" @ 0-1 1-1', [-1, 0]),
    ],
)
def test_the_word_alignment_says_where_words_come_from(text: str, expected: list[int]) -> None:
    assert sources(parse_rule(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("S/S -> (S (N a) NP[1] (N b)) / (S NP[1] (N b))", True),
        ("S/S -> (S (N a) NP[1] (N b)) / (S (N b) NP[1])", False),
        ("S/S -> (S (N a) (N a)) / (S (N a)) @ 1-0", True),
        ("S/S -> (S (N a) (N b)) / (S (N a) (N b)) @ 1-0 0-1", False),
        ("N/N -> (N haus) / (N house) @ 0-0", False),
        ("S/S -> (S NP[1] NP[2]) / (S NP[2] NP[1])", False),
    ],
)
def test_which_rules_keep_the_order(text: str, expected: bool) -> None:
    assert Application.of(parse_rule(text)).keeps_order is expected


def items(fragment: Tree | None, names: dict[int, int]) -> list[str | int]:
    number = count()
    return [
        node.word if node.word is not None else names[place]
        for node in (fragment.nodes() if fragment is not None else ())
        if node.word is not None or (node.is_frontier and (place := next(number)) in names)
    ]


def common(source: list[str | int], target: list[str | int]) -> list[tuple[list[int], int]]:
    """Every common subsequence: for each target word its place in `source`, and how many links."""
    if not target:
        return [([], 0)]
    first, rest = target[0], target[1:]
    is_word = isinstance(first, str)
    found = [([-1] * is_word + words, links) for words, links in common(source, rest)]
    for place, item in enumerate(source):
        if item == first:
            for words, links in common(source[place + 1 :], rest):
                shifted = [w if w < 0 else w + place + 1 for w in words]
                found.append(([place] * is_word + shifted, links + (not is_word)))
    return found


@quick
@given(st.data())
def test_words_are_a_common_subsequence_anchored_by_links(data: Any) -> None:
    for rule in data.draw(fitting_rules(data.draw(pairs()))):
        rule = replace(rule, alignment=None)
        linked = {i: i for i, link in enumerate(rule.links) if link >= 0}
        source = items(rule.source, linked)
        target = items(rule.target, {rule.links[i]: i for i in linked})
        if len(source) > 6 or len(target) > 6:
            continue
        ways = [
            ((sum(w >= 0 for w in words), links), words) for words, links in common(source, target)
        ]
        most = max(value for value, _ in ways)
        number = {b: k for k, b in enumerate(b for b, i in enumerate(source) if isinstance(i, str))}
        number[-1] = -1
        assert sources(rule) in [
            [number[w] for w in words] for value, words in ways if value == most
        ]


def test_positions_follow_the_source_through_nested_rules() -> None:
    grammar = Grammar.from_counts(
        {
            parse_rule("S/S -> (S (N a) NP[1] (N a)) / (S NP[1] (N a))"): 1.0,
            parse_rule("NP/NP -> (NP (N a) X[ε] (N b)) / (NP (N b))"): 1.0,
            parse_rule("X/ε -> (X (N a) (N b)) / ε"): 1.0,
        }
    )
    source = parse_tree("(S (N a) (NP (N a) (X (N a) (N b)) (N b)) (N a))")
    best = Transducer(grammar).forest(source).best()
    assert best is not None
    assert str(best.tree) == "(S (NP (N b)) (N a))"
    assert best.positions == (4, 5)


def test_flatten() -> None:
    assert flatten(()) == ()
    assert flatten(((1, (2,)), (), ((-1,),), 3)) == (1, 2, -1, 3)
    nested: Any = (7,)
    for _ in range(10_000):
        nested = (nested,)
    assert flatten(nested) == (7,)
