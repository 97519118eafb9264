"""Rules of pairs: what the definition says, what the literature prints, what derives the pair."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.grammar.strategies import pairs as tree_pairs
from tests.profiles import examples
from tests.translation.ghkm import definition
from treewright.compiling import forced
from treewright.corpora import Pair
from treewright.engine import open_engine
from treewright.errors import DataError, Problems, UsageError
from treewright.grammar import Grammar, Rule, TargetString, format_rule, parse_rule
from treewright.transduction import Transducer, pair_forest
from treewright.translation import RuleSettings, build_rules
from treewright.translation.ghkm.occurrences import extraction
from treewright.translation.ghkm.packing import Packer
from treewright.translation.ghkm.scoring import Scorer
from treewright.trees import Tree, parse_tree

CHINESE = parse_tree("(S (NN 进口) (VP (AD 大幅度) (VP (VV 减少) (AS 了))))")
ENGLISH = parse_tree(
    "(S (NP (DT the) (NNS imports)) (VP (VBZ have) (ADVP (RB drastically) (VBN fallen))))"
)
WRONG = ((0, 1), (1, 3), (2, 4), (3, 0))
RIGHT = ((0, 1), (1, 3), (2, 4), (3, 2))
STRING_RULES = [
    'AS/"" -> (AS 了) / "have"',
    'NN/"" -> (NN 进口) / "the imports"',
    'S/"" -> (S NN[1] VP[2]) / "[1] [2]"',
]
TREE_RULES = [
    "AS/VBZ -> (AS 了) / (VBZ have)",
    "NN/NP -> (NN 进口) / (NP (DT the) (NNS imports))",
    "S/S -> (S NN[1] VP[2]) / (S NP[1] VP[2])",
    "VP/VP -> (VP AD[1] (VP VV[2] AS[3])) / (VP VBZ[3] (ADVP RB[1] VBN[2]))",
]
"""Rules r1 to r3 and r4 to r7 of Zhu, Xiao and Zhang (2012), table 1."""
MANY = 1_000_000

quick = examples(40)


@st.composite
def corpora(draw: Any, kind: str, most: int = 3) -> list[Pair]:
    """Some small pairs."""
    drawn = draw(st.lists(tree_pairs(2), min_size=1, max_size=most))
    if kind == "trees":
        return drawn
    return [replace(pair, target=pair.target_words) for pair in drawn]


@st.composite
def settings(draw: Any, kind: str) -> RuleSettings:
    """Any settings under which nothing is left out silently."""
    return RuleSettings(
        kind=kind,
        parts=draw(st.integers(1, 4)),
        size=draw(st.integers(2, 8)),
        depth=draw(st.integers(1, 4)),
        variables=draw(st.integers(0, 4)),
        phrases=draw(st.integers(0, 3)),
        unaligned=draw(st.sampled_from(["within", "next", "every"])),
        places=MANY,
        min_count=draw(st.integers(1, 2)),
        limit=0,
        smoothing=draw(st.sampled_from(["none", "absolute", "kneser-ney"])),
    )


def texts(grammar: Grammar) -> set[str]:
    return {format_rule(rule) for rule in grammar.rules}


def minimal(pair: Pair, **values: Any) -> Grammar:
    kind = "trees" if isinstance(pair.target, Tree) else "strings"
    return build_rules([pair], settings=RuleSettings(kind=kind, parts=1, limit=0, **values))


@pytest.mark.parametrize(
    ("target", "rules"), [(ENGLISH.words(), STRING_RULES), (ENGLISH, TREE_RULES)]
)
def test_one_wrong_link_blocks_the_rules_of_the_paper(target: Any, rules: list[str]) -> None:
    assert set(rules) <= texts(minimal(Pair("fig. 1", CHINESE, target, RIGHT)))
    assert not set(rules) & texts(minimal(Pair("fig. 1", CHINESE, target, WRONG)))


@pytest.mark.parametrize("kind", ["strings", "trees"])
def test_kernels_do_the_same_uncompiled(kind: str) -> None:
    pair = Pair("fig. 1", CHINESE, ENGLISH if kind == "trees" else ENGLISH.words(), RIGHT)
    chosen = RuleSettings(kind=kind, parts=2, phrases=3, unaligned="every")
    compiled = build_rules([pair], settings=chosen)
    with forced(False):
        plain = build_rules([pair], settings=chosen)
    assert list(plain.rules) == list(compiled.rules)
    assert np.array_equal(plain.features, compiled.features)


@pytest.mark.parametrize("kind", ["strings", "trees"])
@quick
@given(st.data())
def test_rules_are_those_of_the_definition(kind: str, data: Any) -> None:
    pairs, chosen = data.draw(corpora(kind)), data.draw(settings(kind))
    grammar = build_rules(pairs, settings=chosen)
    expected = definition.expected(pairs, chosen)
    assert set(grammar.rules) == set(expected)
    table = definition.lexicon(pairs)
    assert grammar.features is not None
    for rule, weight, count, row in zip(
        grammar.rules, grammar.weights, grammar.counts, grammar.features, strict=True
    ):
        wanted = expected[rule]
        assert rule.alignment is not None
        assert wanted.alignments[rule.alignment] == max(wanted.alignments.values())
        forward, backward = definition.lexical_weights(rule, table)
        assert rule.source is not None
        assert rule.target is not None
        words = len(rule.target.words())
        lexical = bool(words or rule.source.words())
        expected_row = [wanted.given_root, wanted.given_source, forward, wanted.given_target]
        expected_row += [backward, 1, words, float(wanted.composed), float(lexical)]
        assert row == pytest.approx(expected_row, abs=1e-5)
        assert (count, weight) == (wanted.count, pytest.approx(wanted.given_root))


@quick
@given(st.data())
def test_runs_in_files_give_the_same_grammar(data: Any) -> None:
    kind = data.draw(st.sampled_from(["strings", "trees"]))
    pairs, chosen = data.draw(corpora(kind)) * 3, data.draw(settings(kind))
    once = build_rules(pairs, settings=chosen)
    packer = Packer(kind == "trees")
    batches = packer.batches(pairs, Problems(strict=True))
    with extraction(batches, chosen.limits, memory=1) as runs:
        sides = (packer.labels, packer.words, packer.productions(), packer.lexicon())
        scorer = Scorer(*sides, chosen.min_count, chosen.limit, chosen.smoothing)
        for chunk in runs.chunks():
            scorer.add(chunk)
    merged = scorer.finish()
    assert list(merged.rules) == list(once.rules)
    assert np.array_equal(merged.counts, once.counts)
    assert np.array_equal(merged.features, once.features)


def test_many_rules_are_sorted_in_several_runs() -> None:
    pairs = [Pair(str(k), CHINESE, ENGLISH.words(), RIGHT) for k in range(40)]
    packer = Packer(to_trees=False)
    batches = packer.batches(pairs, Problems(strict=True))
    with extraction(batches, RuleSettings().limits, memory=1) as runs:
        assert len(runs.runs) > 3
        times = sum(int(chunk.times.sum()) for chunk in runs.chunks())
    assert times == build_rules(pairs, settings=RuleSettings(limit=0)).counts.sum()


@quick
@given(st.data())
def test_composed_rules_are_compositions_of_minimal_ones(data: Any) -> None:
    kind = data.draw(st.sampled_from(["strings", "trees"]))
    [pair] = data.draw(corpora(kind, most=1))
    unaligned = data.draw(st.sampled_from(["within", "next", "every"]))
    free = RuleSettings(kind, 1, MANY, MANY, MANY, 0, unaligned, MANY, limit=0)
    below = set(build_rules([pair], settings=free).rules)
    smallest = below
    for parts in (2, 3):
        composed = set(build_rules([pair], settings=replace(free, parts=parts)).rules)
        assert below <= composed
        assert composed <= below | {
            compose(outer, k, inner)
            for outer in below
            for k in range(len(outer.links))
            for inner in smallest
            if fits(outer, k, inner)
        }
        below = composed


def fits(outer: Rule, k: int, inner: Rule) -> bool:
    label, target = outer.source_frontier[k], outer.target_frontier[outer.links[k]]
    return (label, target) == inner.root


def compose(outer: Rule, k: int, inner: Rule) -> Rule:
    """Put a rule in the place of a variable of another one."""
    assert outer.source is not None
    assert inner.source is not None
    source = graft(outer.source, k, inner.source)
    place = outer.links[k]
    at_outer = [("outer", outer.links.index(j)) for j in range(len(outer.links))]
    at_inner = [("inner", inner.links.index(j)) for j in range(len(inner.links))]
    in_target = [*at_outer[:place], *at_inner, *at_outer[place + 1 :]]
    in_source = [("outer", i) for i in range(len(outer.links))]
    in_source[k : k + 1] = [("inner", i) for i in range(len(inner.links))]
    links = tuple(in_target.index(variable) for variable in in_source)
    if isinstance(outer.target, TargetString):
        assert isinstance(inner.target, TargetString)
        variables = [at for at, item in enumerate(outer.target.items) if item is None]
        items = list(outer.target.items)
        items[variables[place] : variables[place] + 1] = inner.target.items
        return Rule(source, TargetString(tuple(items)), links)
    assert isinstance(outer.target, Tree)
    assert isinstance(inner.target, Tree)
    return Rule(source, graft(outer.target, place, inner.target), links)


def graft(tree: Tree, k: int, part: Tree) -> Tree:
    """Put a tree in the place of the `k`-th frontier node."""
    seen = iter(range(len(list(tree.nodes()))))

    def grown(node: Tree) -> Tree:
        if node.is_frontier:
            return part if next(seen) == k else node
        return Tree(node.label, map(grown, node.children), word=node.word)

    return grown(tree)


@quick
@given(st.data())
def test_strings_are_derived_by_their_own_rules(data: Any) -> None:
    [pair] = data.draw(corpora("strings", most=1))
    unaligned = data.draw(st.sampled_from(["within", "next", "every"]))
    forest = Transducer(minimal(pair, unaligned=unaligned)).forest(pair.source)
    assert pair.target in {target.words for target in forest.nbest(5000)}


@quick
@given(st.data())
def test_trees_are_derived_by_their_own_rules(data: Any) -> None:
    [pair] = data.draw(corpora("trees", most=1))
    grammar = minimal(pair, unaligned=data.draw(st.sampled_from(["next", "every"])))
    assert pair_forest(grammar, pair) is not None


@quick
@given(st.data())
def test_rules_are_printed_and_read(data: Any) -> None:
    kind = data.draw(st.sampled_from(["strings", "trees"]))
    grammar = build_rules(data.draw(corpora(kind)), settings=data.draw(settings(kind)))
    for rule in grammar.rules:
        read = parse_rule(format_rule(rule, alignment=True))
        assert (read, read.alignment) == (rule, rule.alignment)


def test_phrases_become_rules_with_all_around_them_open() -> None:
    pair = Pair("1", CHINESE, ENGLISH.words(), RIGHT)
    found = texts(build_rules([pair], settings=RuleSettings(parts=1, phrases=2)))
    assert 'VP/"" -> (VP (AD 大幅度) (VP (VV 减少) AS[1])) / "[1] drastically fallen"' in found
    assert 'S/"" -> (S (NN 进口) VP[1]) / "the imports [1]"' not in found


def test_a_phrase_rule_counts_once_whatever_phrases_give_it() -> None:
    # Words cross in pairs, so that none of the first four is a frontier node: the phrase of the
    # last three words and that of all five spell out the same nodes.
    tree = parse_tree("(S (A e) (A f) (A b) (A c) (D d))")
    links = ((0, 0), (0, 2), (1, 1), (1, 3), (2, 4), (2, 6), (3, 5), (3, 7), (4, 8))
    chosen = RuleSettings(parts=1, phrases=5)
    grammar = build_rules([Pair("1", tree, tuple("123456789"), links)], settings=chosen)
    [whole] = [k for k, rule in enumerate(grammar.rules) if rule.source == tree]
    assert grammar.counts[whole] == 1


@pytest.mark.parametrize(
    ("unaligned", "first", "second", "both"),
    [
        ("within", {"x"}, {"y"}, {"[1] u v [2] w"}),
        ("next", {"x"}, {"u v y w"}, {"[1] [2]"}),
        (
            "every",
            {"x", "x u", "x u v"},
            {"y", "v y", "u v y", "y w", "v y w", "u v y w"},
            {f"[1]{u} [2]{w}" for u in ("", " u", " v", " u v") for w in ("", " w")},
        ),
    ],
)
def test_unlinked_words_go_where_they_are_told(
    unaligned: str, first: set[str], second: set[str], both: set[str]
) -> None:
    tree = parse_tree("(S (A a) (B b))")
    found = texts(minimal(Pair("1", tree, tuple("xuvyw"), ((0, 0), (1, 3))), unaligned=unaligned))
    sources = {'A/"" -> (A a)': first, 'B/"" -> (B b)': second, 'S/"" -> (S A[1] B[2])': both}
    assert found == {
        f'{source} / "{target}"' for source, targets in sources.items() for target in targets
    }


@pytest.mark.parametrize("often", [0, 1])
def test_the_most_frequent_links_of_a_rule_are_its_alignment(often: int) -> None:
    tree = parse_tree("(S (A a) (B b))")
    ways = [((0, 0), (0, 1), (1, 0)), ((0, 1), (1, 0), (1, 1))]
    pairs = [Pair(str(k), tree, ("x", "y"), ways[k]) for k in (0, 1, often)]
    [rule] = build_rules(pairs).rules
    assert rule.alignment == ways[often]


def test_the_best_options_of_a_source_are_kept() -> None:
    tree = parse_tree("(S (N a))")
    targets = [("x",)] * 3 + [("y",)] * 2 + [("z",)]
    pairs = [Pair(str(k), tree, target, ((0, 0),)) for k, target in enumerate(targets)]
    grammar = build_rules(pairs, settings=RuleSettings(parts=1, limit=2))
    assert [format_rule(rule) for rule in grammar.rules if rule.root[0] == "N"] == [
        'N/"" -> (N a) / "x"',
        'N/"" -> (N a) / "y"',
    ]
    # What was dropped still counts.
    assert grammar.weights[[r.root[0] == "N" for r in grammar.rules]] == pytest.approx(
        np.log([3 / 6, 2 / 6])
    )


def test_bad_pairs_are_left_out_and_named() -> None:
    good = Pair("good", CHINESE, ENGLISH.words(), RIGHT)
    bad = [
        Pair("far", CHINESE, ENGLISH.words(), ((9, 0),)),
        Pair("open", parse_tree("(S (NN a))"), ("b",)),
        Pair("hollow", Tree("S", [Tree("NN")]), ("b",), ()),
    ]
    problems = Problems()
    grammar = build_rules([bad[0], good, *bad[1:]], problems=problems)
    assert texts(grammar) == texts(build_rules([good]))
    assert [error.where for error in problems.errors] == ["far", "open", "hollow"]
    with pytest.raises(DataError, match="leads to source word 9"):
        build_rules([good, bad[0]])
    with pytest.raises(DataError, match="only tokens; parse it first"):
        build_rules([good], settings=RuleSettings(kind="trees"))
    with pytest.raises(DataError, match="no pairs"):
        build_rules([])


def test_a_pair_without_links_gives_no_rules() -> None:
    assert len(build_rules([Pair("1", CHINESE, ENGLISH.words(), ())])) == 0


def test_settings_are_checked() -> None:
    with pytest.raises(UsageError, match="every, next, within"):
        RuleSettings(unaligned="nowhere")
    with pytest.raises(UsageError, match="parts must be at least 1"):
        RuleSettings(parts=0)


@pytest.mark.parametrize("kind", ["strings", "trees"])
@examples(10)
@given(st.data())
def test_an_engine_counts_the_same_rules(kind: str, data: Any) -> None:
    pairs, chosen = data.draw(corpora(kind)), data.draw(settings(kind))
    here = build_rules(pairs, settings=chosen)
    with open_engine("embedded", jobs=1) as engine:
        there = build_rules(pairs, settings=chosen, engine=engine)
    assert [format_rule(rule, alignment=True) for rule in there.rules] == [
        format_rule(rule, alignment=True) for rule in here.rules
    ]
    assert np.array_equal(there.counts, here.counts)
    assert np.array_equal(there.features, here.features)
