"""The text form of rules: exact both ways, canonical, and clear about what is wrong."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.errors import ParseError
from treewright.grammar import Rule, format_rule, parse_rule
from treewright.trees import Tree

from . import toys
from .strategies import fitting_rules, pairs, quick, rules


@quick
@given(rules())
def test_what_is_written_reads_back(rule: Rule) -> None:
    text = format_rule(rule)
    assert parse_rule(text) == rule
    assert parse_rule(f"  {text}\n") == rule
    assert str(rule) == text
    aligned = format_rule(rule, alignment=True)
    assert parse_rule(aligned) == rule
    assert parse_rule(aligned).alignment == rule.alignment


@quick
@given(rules())
def test_a_rule_is_one_printable_line_of_a_table(rule: Rule) -> None:
    text = format_rule(rule)
    assert text.splitlines() == [text]
    assert "\t" not in text


@quick
@given(st.data())
def test_links_are_numbered_in_source_order(data: Any) -> None:
    for rule in data.draw(fitting_rules(data.draw(pairs()))):
        source, target = format_rule(rule).split(" / ")
        numbers = re.findall(r"\[(\d+)\]", source)
        assert numbers == [str(n + 1) for n in range(len(numbers))]
        assert sorted(re.findall(r"\[(\d+)\]", target)) == sorted(numbers)


@quick
@given(rules(), st.data())
def test_damaged_text_gives_a_rule_or_a_parse_error(rule: Rule, data: Any) -> None:
    text = format_rule(rule)
    place = data.draw(st.integers(0, len(text)))
    removed = data.draw(st.integers(0, 3))
    added = data.draw(st.text("()[]/ε\\ 1aS->{}u", max_size=3))
    try:
        read = parse_rule(text[:place] + added + text[place + removed :])
    except ParseError:
        return
    assert parse_rule(format_rule(read)) == read


@pytest.mark.parametrize("text", toys.PAPER_RULES)
def test_rules_of_the_papers(text: str) -> None:
    assert format_rule(parse_rule(text)) == text


def test_the_parts_of_a_paper_rule() -> None:
    rule = parse_rule("S/S -> (S NP[ε] (VP VBZ[ε] ADJP[ε] SBAR[1])) / S[1]")
    assert rule.root == ("S", "S")
    assert rule.source == Tree(
        "S", [Tree("NP"), Tree("VP", [Tree("VBZ"), Tree("ADJP"), Tree("SBAR")])]
    )
    assert rule.target == Tree("S")
    assert rule.links == (-1, -1, -1, 0)


def test_numbers_may_come_in_any_order_and_are_put_right() -> None:
    rule = parse_rule("S/S -> (S A[7] B[2] C[ε] D[10]) / (S D[10] X[ε] A[7] B[2])")
    assert rule.links == (2, 3, -1, 0)
    assert format_rule(rule) == "S/S -> (S A[1] B[2] C[ε] D[3]) / (S D[3] X[ε] A[1] B[2])"


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("/", r"\/"),
        ("(", r"\("),
        (")", r"\)"),
        ("[1]", r"\[1\]"),
        ("ε", r"\ε"),
        ("\\", r"\\"),
        (r"\u{20}", r"\\u{20}"),
        ("a b", r"a\u{20}b"),
        ("\u2028", r"\u{2028}"),
        ("", r"\u{}"),
        ("->", "->"),
        ("1/2", r"1\/2"),
    ],
)
def test_escapes(name: str, written: str) -> None:
    rule = Rule(Tree(name, word=name), Tree(name))
    text = f"{written}/{written} -> ({written} {written}) / {written}[ε]"
    assert format_rule(rule) == text
    assert parse_rule(text) == rule


def test_any_spelling_of_an_escape_is_read() -> None:
    assert parse_rule(r"\u{2f}/ε -> (\/ \u{61}) / ε") == parse_rule(r"\//ε -> (\/ a) / ε")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected 'X/Y -> …' at the start"),
        ("   ", "expected 'X/Y -> …'"),
        ("NP (NP (NN a)) / ε", "expected 'X/Y -> …'"),
        ("NP/ε (NP (NN a)) / ε", "expected 'X/Y -> …'"),
        ("NP/ε ->", "ends inside a fragment"),
        ("NP/ε -> (NP (NN a))", "expected '/' between source and target"),
        ("NP/ε -> (NP (NN a)) ε", "expected '/' between source and target"),
        ("NP/ε -> (NP (NN a)) /", "ends inside a fragment"),
        ("NP/ε -> (NP (NN a) / ε", "unexpected '/'"),
        ("NP/ε -> (NP (NN a) ε) / ε", "unexpected 'ε'"),
        ("NP/ε -> ) / ε", r"unexpected '\)'"),
        ("NP/ε -> (NP (NN a))) / ε", "expected '/' between"),
        ("NP/ε -> (NP (NN a)) / ε ε", "more text after the target"),
        ("NP/ε -> (NP (NN)) / ε", r"\(NN\) is empty"),
        ("NP/ε -> (NP a b) / ε", "cannot read ' a b.*' at column 12"),
        ("NP/ε -> (NP NN[x]) / ε", r"cannot read ' NN\[x\].*' at column 12"),
        ("NP/ε -> (NP NN[-1]) / ε", "cannot read"),
        ("NP/ε -> (NP (NN a\\)) / ε", "unexpected '/'"),
        ("NP/ε -> (NP () ) / ε", "cannot read"),
        ("NP/ε -> NP[ε] / ε", "the source fragment NP spells out no production"),
        ("ε/NP -> ε / NP[ε]", "the inserted fragment NP spells out no production"),
        ("ε/ε -> ε / ε", "needs a source or a target"),
        ("NP/ε -> (NN a) / ε", "the root says NP but the fragment is rooted in NN"),
        ("NP/ε -> (NP a) / (NP a)", "the root says ε but the fragment is rooted in NP"),
        ("NP/NP -> (NP a) / ε", "the root says NP but the fragment is rooted in ε"),
        (r"\ε/NP -> ε / (NP a)", "but the fragment is rooted in ε"),
        ("S/S -> (S A[1]) / (S A[2])", "do not carry the same numbers"),
        ("S/S -> (S A[1]) / (S B[ε])", "do not carry the same numbers"),
        ("S/S -> (S A[1] B[1]) / (S A[1])", "do not carry the same numbers"),
        ("S/S -> (S A[1]) / (S A[1] B[1])", "a number occurs twice in the target"),
        (r"NN/ε -> (NN \u{110000}) / ε", r"\\u\{110000\} is not a character"),
        (r"NN/ε -> (NN \u{ffffffffffffffff}) / ε", "is not a character"),
        (r"NN/ε -> (NN \u{d800}) / ε", "is not a character"),
        (r"NN/ε -> (NN \q) / ε", "cannot read"),
        ("NN/ε -> (NN a) / ε\x00", "cannot read"),
    ],
)
def test_malformed_text(text: str, message: str) -> None:
    with pytest.raises(ParseError, match=message) as caught:
        parse_rule(text, where="rules.txt:3")
    assert str(caught.value).startswith("rules.txt:3: ")
    assert repr(text.strip()) in str(caught.value)


def test_a_fragment_of_any_depth() -> None:
    tree = Tree("X", word="x")
    for _ in range(5000):
        tree = Tree("X", [tree])
    rule = Rule(tree, tree)
    assert parse_rule(format_rule(rule)) == rule
