"""Rules as arrays: they read back exactly, and arrays that make no rules are refused."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.compiling import forced
from treewright.grammar import Grammar, PackedRules, Rule, parse_rule
from treewright.grammar.index import RuleIndex
from treewright.grammar.packed import find_repeated

from . import toys
from .strategies import quick, rules

STRINGS = toys.rules(
    [
        'S/"" -> (S NP[1] VP[2]) / "[2] [1] , ja"',
        'NP/"" -> (NP DT[ε] (N haus)) / "the house" @ 0-1',
        "DT/ε -> (DT das) / ε @",
        'VP/"" -> (VP V[1]) / "[1]"',
        'V/"" -> (V brennt) / "burns" @ 0-0',
    ]
)
some_rules = st.lists(rules(), max_size=6, unique=True)


@quick
@given(some_rules)
def test_packed_rules_are_the_rules(rules: list[Rule]) -> None:
    packed = PackedRules.pack(iter(rules))
    assert packed == rules
    assert [rule.alignment for rule in packed] == [rule.alignment for rule in rules]
    assert packed[1:] == tuple(rules[1:])
    again = PackedRules.restore(packed.labels.names, packed.words.names, packed.arrays())
    assert again == rules
    with pytest.raises(IndexError):
        packed[len(rules)]


@quick
@given(some_rules)
def test_words_are_counted(rules: list[Rule]) -> None:
    packed = PackedRules.pack(rules)
    targets = [() if rule.target is None else rule.target.words() for rule in rules]
    every = np.ones(len(packed.words), dtype=np.bool_)
    assert packed.count_target_words(every).tolist() == list(map(len, targets))
    short = np.array([len(word) < 2 for word in packed.words.names], dtype=np.bool_)
    expected = [sum(len(word) < 2 for word in words) for words in targets]
    assert packed.count_target_words(short).tolist() == expected


@quick
@given(some_rules, st.data())
def test_a_repeated_rule_is_found(rules: list[Rule], data: Any) -> None:
    assert find_repeated(PackedRules.pack(rules)) is None
    if rules:
        again = data.draw(st.sampled_from(rules))
        found = find_repeated(PackedRules.pack([*rules, again]))
        assert found == len(rules)
        with pytest.raises(ValueError, match="a rule occurs twice"):
            Grammar(PackedRules.pack([*rules, again]), *np.zeros((2, len(rules) + 1)))


@quick
@given(st.lists(rules(), min_size=1, max_size=4, unique=True), st.data())
def test_damaged_arrays_are_refused_or_are_rules(rules: list[Rule], data: Any) -> None:
    packed = PackedRules.pack(rules)
    arrays = copy.deepcopy(packed.arrays())
    name = data.draw(st.sampled_from(sorted(arrays)))
    if arrays[name].size and data.draw(st.integers(0, 3)):
        place = data.draw(st.integers(0, arrays[name].size - 1))
        arrays[name].reshape(-1)[place] = data.draw(st.integers(-5, 12))
    else:
        arrays[name] = arrays[name][:-1]
    # Uncompiled, a place beyond an array's end is an error rather than whatever is there.
    with forced(compiled=False):
        try:
            again = PackedRules.restore(packed.labels.names, packed.words.names, arrays)
        except ValueError:
            return
        assert len([str(rule) for rule in again]) == len(again)
        RuleIndex.compile(again)


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("target_root", lambda a: a.astype(np.int64), "target_root holds int64"),
        ("alignment", lambda a: a[:, :1], "two columns"),
        ("aligned", lambda a: ~a, "outside its rule"),
        ("alignment", lambda a: a + 1, "outside its rule"),
        ("link", lambda a: np.zeros_like(a), "does not fit together"),
        ("target_symbol", lambda a: -a, "not listed|does not fit together"),
        ("production_item", lambda a: a + 1, "stands where|not listed|does not fit"),
        ("source_ptr", lambda a: a[::-1].copy(), "does not run from 0"),
    ],
)
def test_arrays_that_make_no_rules(name: str, change: Any, message: str) -> None:
    packed = PackedRules.pack(STRINGS)
    arrays = packed.arrays() | {name: change(packed.arrays()[name])}
    with pytest.raises(ValueError, match=message):
        PackedRules.restore(packed.labels.names, packed.words.names, arrays)


def test_names_that_are_there_twice() -> None:
    packed = PackedRules.pack(STRINGS)
    with pytest.raises(ValueError, match="there twice"):
        PackedRules.restore([*packed.labels.names, "NP"], packed.words.names, packed.arrays())


def test_features_make_weights() -> None:
    rules = tuple(map(parse_rule, ["A/ε -> (A a) / ε", "B/ε -> (B b) / ε"]))
    features = np.array([[1.0, 2.0], [0.5, -1.0]], dtype=np.float32)
    grammar = Grammar(rules, np.zeros(2), np.ones(2), features, ("p", "q"))
    index = grammar.index
    weighted = grammar.weighted({"p": 2.0, "q": 1.0})
    assert weighted.weights.tolist() == [4.0, 0.0]
    assert weighted.index is index
    assert grammar.weighted({"q": 1.0}).weights.tolist() == [2.0, -1.0]
    with pytest.raises(ValueError, match="no feature r"):
        grammar.weighted({"r": 1.0})
    with pytest.raises(ValueError, match="the grammar has no features"):
        toys.grammar("1 A/ε -> (A a) / ε").weighted({})
    with pytest.raises(ValueError, match=r"\(2, 2\) features for 2 rules"):
        Grammar(rules, np.zeros(2), np.ones(2), features, ("p",))
