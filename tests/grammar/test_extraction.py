"""Extraction: the papers' pairs give the papers' rules; any pair gives rules that rebuild it."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.corpora import Pair
from treewright.errors import DataError, Problems, UsageError
from treewright.grammar import Extraction, Rule, parse_rule
from treewright.trees import Tree, parse_tree

from ..profiles import examples
from . import oracle, toys
from .strategies import extractive_pairs, pairs, quick

GENERAL = Extraction(parts=1)
any_pairs = extractive_pairs() | pairs()


def pair(source: str, target: str, alignment: str) -> Pair:
    links = tuple(tuple(map(int, link.split("-"))) for link in alignment.split())
    return Pair("toy", parse_tree(source), parse_tree(target), links)  # type: ignore[arg-type]


def test_the_facelift_pair_gives_its_general_rules() -> None:
    expected = Counter(toys.rules(toys.FACELIFT_RULES))
    assert GENERAL([toys.FACELIFT]) == expected


def test_the_facelift_rule_is_three_general_rules_conjoined() -> None:
    rules = Extraction(parts=3, min_count=1)([toys.FACELIFT_PORTION])
    assert rules[parse_rule(toys.PAPER_RULES[0])] == 1
    assert rules[parse_rule(toys.PAPER_RULES[1])] == 1
    two = Extraction(parts=2, min_count=1)([toys.FACELIFT_PORTION])
    assert parse_rule(toys.PAPER_RULES[0]) not in two
    assert parse_rule(toys.PAPER_RULES[1]) in two


def test_the_whole_facelift_pair_lexicalises_the_deleted_phrase() -> None:
    rules = Extraction(parts=3, min_count=1)([toys.FACELIFT])
    text = "S/S -> (S (PP (IN Like) NP[ε]) ,[ε] NP[1] VP[2] .[3]) / (S NP[1] VP[2] .[3])"
    assert parse_rule(text) in rules


def test_figure_3_of_the_large_margin_paper() -> None:
    rules = GENERAL([toys.DOCUMENTATION])
    kept = {rule for rule in rules if rule.target is not None}
    assert kept == set(toys.rules(toys.FIGURE_3))
    deleted = {rule.root[0] for rule in rules if rule.target is None}
    assert deleted == {"DT", "CC", "VP", "AUX", "ADJP", "JJ"}


def test_insertions() -> None:
    rules = GENERAL(
        [
            pair(
                "(S (NP (N we)) (VP (V go)))",
                "(S (NP (N we)) (VP (AUX do) (V go) (NP (DT the) (N way))))",
                "0-0 1-2",
            )
        ]
    )
    assert set(rules) == set(
        toys.rules(
            """
            S/S -> (S NP[1] VP[2]) / (S NP[1] VP[2])
            NP/NP -> (NP N[1]) / (NP N[1])
            N/N -> (N we) / (N we)
            VP/VP -> (VP V[1]) / (VP AUX[ε] V[1] NP[ε])
            V/V -> (V go) / (V go)
            ε/AUX -> ε / (AUX do)
            ε/NP -> ε / (NP DT[ε] N[ε])
            ε/DT -> ε / (DT the)
            ε/N -> ε / (N way)
            """
        )
    )


def test_links_that_cross_constituents_give_larger_rules() -> None:
    rules = GENERAL(
        [pair("(S (A (X a) (Y b)) (B (Z c)))", "(S (A (X a)) (B (Y b) (Z c)))", "0-0 1-1 2-2")]
    )
    root = "S/S -> (S (A X[1] Y[2]) B[3]) / (S (A X[1]) (B Y[2] Z[3]))"
    assert parse_rule(root) in rules


def test_a_word_with_two_links_stays_whole() -> None:
    rules = GENERAL([pair("(S (N a) (N b))", "(S (M c))", "0-0 1-0")])
    assert set(rules) == {parse_rule("S/S -> (S (N a) (N b)) / (S (M c))")}


def test_an_empty_root_label_is_a_label_like_any_other() -> None:
    rules = GENERAL([pair("( (S (N a) (V b)))", "( (S (N a)))", "0-0")])
    assert parse_rule(r"\u{}/\u{} -> (\u{} S[1]) / (\u{} S[1])") in rules


def test_singletons_are_pruned_unless_general() -> None:
    once = Extraction(parts=2)([toys.FACELIFT_PORTION])
    assert once == GENERAL([toys.FACELIFT_PORTION])
    twice = Extraction(parts=2)([toys.FACELIFT_PORTION] * 2)
    all_of_one = Extraction(parts=2, min_count=1)([toys.FACELIFT_PORTION])
    assert twice == Counter({rule: 2 * count for rule, count in all_of_one.items()})
    assert len(twice) > len(once)


def test_a_conjoined_rule_that_is_also_general_is_counted_with_it() -> None:
    straight = pair("(S (A (X a) (Y b)))", "(S (A (X a) (Y b)))", "0-0 1-1")
    tangled = pair("(S (A (X a) (Y b)))", "(S (A (X a) (Y b)))", "0-0 0-1 1-0")
    rule = parse_rule("A/A -> (A (X a) (Y b)) / (A (X a) (Y b))")
    assert GENERAL([tangled])[rule] == 1
    assert rule not in Extraction(parts=3)([straight])
    assert Extraction(parts=3)([straight, tangled])[rule] == 2


def test_pairs_without_an_alignment_of_their_roots() -> None:
    unlinked = pair("(S (N a))", "(S (N b))", "")
    with pytest.raises(DataError, match="toy: the roots of the two trees are not aligned"):
        GENERAL([unlinked])
    unaligned = Pair("toy", unlinked.source, unlinked.target)
    with pytest.raises(DataError, match="toy: the pair has no word alignment; align it first"):
        GENERAL([unaligned])
    problems = Problems()
    rules = GENERAL([unlinked, toys.DOCUMENTATION, unaligned], problems=problems)
    assert rules == GENERAL([toys.DOCUMENTATION])
    assert len(problems.errors) == 2


@pytest.mark.parametrize("name", ["parts", "variables", "depth", "min_count"])
def test_impossible_limits(name: str) -> None:
    with pytest.raises(UsageError, match=f"{name} must be at least [01], found -1"):
        Extraction(**{name: -1})


@quick
@given(any_pairs)
def test_general_rules_cover_each_node_once(pair: Pair) -> None:
    rules = GENERAL([pair])
    for side in ("source", "target"):
        spelt = Counter(
            (node.label, node.word, tuple(child.label for child in node.children))
            for rule in rules.elements()
            for node in (getattr(rule, side) or Tree("")).nodes()
            if not node.is_frontier
        )
        tree = getattr(pair, side)
        assert spelt == Counter(
            (node.label, node.word, tuple(child.label for child in node.children))
            for node in tree.nodes()
        )


@quick
@given(any_pairs)
def test_general_rules_rebuild_the_pair(pair: Pair) -> None:
    rules = list(GENERAL([pair]))
    chart = oracle.useful(oracle.pair_chart(rules, pair), oracle.ROOT)
    ways = oracle.count(chart, oracle.ROOT)
    assert ways > 0
    if ways < 200:
        for derivation in oracle.derivations(chart, oracle.ROOT):
            made = oracle.apply(oracle.derived(rules, derivation))
            assert made == (pair.source, pair.target)


@quick
@given(extractive_pairs())
def test_extractive_pairs_need_no_insertion(pair: Pair) -> None:
    assert all(rule.source is not None and not rule.inserted for rule in GENERAL([pair]))


def conjoin(rule: Rule, stop: int, lower: Rule) -> Rule | None:
    """Put `lower` into the frontier node `stop` of a rule; `None` if it does not fit there."""
    link = rule.links[stop]
    labels = (oracle.frontier(rule.source)[stop], None)
    if link != -1:
        labels = (labels[0], oracle.frontier(rule.target)[link])
    found = (lower.source and lower.source.label, lower.target and lower.target.label)
    if rule.source is None or lower.source is None or found != labels:
        return None

    def widen(old: list[Any], place: int, new: list[Any]) -> list[Any]:
        return [*old[:place], *new, *old[place + 1 :]]

    def put(fragment: Tree, place: int, filler: Tree) -> Tree:
        fillers = [Tree(label) for label in oracle.frontier(fragment)]
        return oracle.fill(fragment, iter(widen(fillers, place, [filler])))

    def names(part: Rule, which: str) -> tuple[list[Any], list[Any]]:
        target = [(which, j) for j in range(len(oracle.frontier(part.target)))]
        return [None if k == -1 else (which, k) for k in part.links], list(target)

    (source, target), (source2, target2) = names(rule, "upper"), names(lower, "lower")
    source = widen(source, stop, source2)
    whole = rule.target
    if link != -1:
        assert rule.target is not None and lower.target is not None
        target = widen(target, link, target2)
        whole = put(rule.target, link, lower.target)
    links = tuple(-1 if name is None else target.index(name) for name in source)
    return Rule(put(rule.source, stop, lower.source), whole, links)


def height(fragment: Tree) -> int:
    if fragment.word is not None:
        return 1
    return 1 + max(map(height, fragment.children)) if fragment.children else 0


@examples(30)
@given(any_pairs, st.integers(2, 3), st.integers(0, 3), st.integers(1, 3))
def test_conjoined_rules_are_general_ones_put_together_within_limits(
    pair: Pair, parts: int, variables: int, depth: int
) -> None:
    general = GENERAL([pair])
    found = Extraction(parts=parts, variables=variables, depth=depth, min_count=1)([pair])
    layer = reachable = set(general)
    for _ in range(parts - 1):
        layer = {
            larger
            for rule in layer
            for stop in range(len(rule.links))
            for lower in general
            if (larger := conjoin(rule, stop, lower)) is not None
        }
        reachable = reachable | layer
    assert set(found) <= reachable
    assert all(found[rule] >= count for rule, count in general.items())
    for rule in set(found) - set(general):
        assert rule.source is not None
        assert rule.variables <= variables
        assert height(rule.source) <= depth


@quick
@given(any_pairs)
def test_with_enough_parts_the_whole_pair_is_one_rule(pair: Pair) -> None:
    general = GENERAL([pair])
    if sum(general.values()) <= 7 and not any(rule.source is None for rule in general):
        found = Extraction(parts=7, depth=9, min_count=1)([pair])
        assert Rule(pair.source, pair.target) in found
