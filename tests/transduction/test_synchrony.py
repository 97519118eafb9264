"""Synchronous parsing: extracted rules derive the pair they come from, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.alignment import align_pair
from treewright.corpora import Pair, read_pairs
from treewright.data import sample_path
from treewright.forest import Derivation, derivation_count
from treewright.grammar import Extraction, Grammar
from treewright.grammar.node_alignment import DELETED, NodeAlignment
from treewright.transduction import pair_forest
from treewright.transduction.synchrony import admissible
from treewright.trees import parse_tree
from treewright.trees.packed import PackedTrees

from ..forest.naive import enumerate_derivations
from ..grammar import oracle, toys
from ..grammar.strategies import extractive_pairs, fitting_rules, pairs, quick

any_pairs = extractive_pairs() | pairs()


def derived(grammar: Grammar, labels: Any, derivation: Derivation) -> oracle.Derived:
    parts = tuple(derived(grammar, labels, child) for child in derivation.children)
    return oracle.Derived(grammar.rules[labels[derivation.edge]], parts)


def check_rebuilt(grammar: Grammar, pair: Pair) -> None:
    found = pair_forest(grammar, pair)
    assert found is not None
    if derivation_count(found.forest) <= 200:
        for derivation in enumerate_derivations(found.forest):
            made = oracle.apply(derived(grammar, found.forest.label, derivation))
            assert made == (pair.source, pair.target)


@quick
@given(any_pairs, st.integers(1, 3))
def test_extracted_rules_rebuild_the_pair(pair: Pair, parts: int) -> None:
    check_rebuilt(Grammar.from_counts(Extraction(parts=parts, min_count=1)([pair])), pair)


@quick
@given(st.lists(any_pairs, min_size=2, max_size=4))
def test_the_rules_of_a_corpus_rebuild_each_pair(corpus: list[Pair]) -> None:
    grammar = Grammar.from_counts(Extraction()(corpus))
    for pair in corpus:
        check_rebuilt(grammar, pair)


@quick
@given(st.data())
def test_more_freedom_never_loses_a_derivation(data: Any) -> None:
    pair = data.draw(pairs())
    grammar = Grammar.from_counts(dict.fromkeys(data.draw(fitting_rules(pair)), 1.0))
    aligned, free = pair_forest(grammar, pair), pair_forest(grammar, replace(pair, alignment=None))
    ways = [0 if f is None else derivation_count(f.forest) for f in (aligned, free)]
    assert ways[0] <= ways[1]


@pytest.mark.parametrize("pair", [toys.FACELIFT, toys.FACELIFT_PORTION, toys.DOCUMENTATION])
def test_the_papers_pairs_have_one_derivation_by_general_rules(pair: Pair) -> None:
    grammar = Grammar.from_counts(Extraction(parts=1)([pair]))
    found = pair_forest(grammar, pair)
    assert found is not None
    assert derivation_count(found.forest) == 1
    assert sorted(found.forest.label.tolist()) == sorted(
        number for number, count in enumerate(grammar.counts) for _ in range(int(count))
    )


def test_the_word_alignment_decides_between_derivations() -> None:
    grammar = toys.grammar(
        """
        1 S/S -> (S N[1] N[ε]) / (S N[1])
        1 S/S -> (S N[ε] N[1]) / (S N[1])
        1 N/N -> (N a) / (N a)
        1 N/ε -> (N a) / ε
        """
    )
    source, target = parse_tree("(S (N a) (N a))"), parse_tree("(S (N a))")
    for alignment, ways in (((0, 0),), 1), (((1, 0),), 1), (None, 2):  # type: ignore[assignment]
        found = pair_forest(grammar, Pair("twins", source, target, alignment))
        assert found is not None
        assert derivation_count(found.forest) == ways
    assert pair_forest(grammar, Pair("twins", source, target, ())) is None


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("(S (N a))", "(S (N b))"),
        ("(S (N a))", "(X (N a))"),
        ("(S (M a))", "(S (N a))"),
        ("(X (N a))", "(X (N a))"),
    ],
)
def test_a_pair_that_the_grammar_does_not_derive(source: str, target: str) -> None:
    grammar = toys.grammar(
        """
        1 S/S -> (S N[1]) / (S N[1])
        1 N/N -> (N a) / (N a)
        """
    )
    assert pair_forest(grammar, Pair("no", parse_tree(source), parse_tree(target))) is None


def test_linked_categories_may_differ() -> None:
    """The rule of Table 4 that lifts a subordinate clause: SBAR becomes S."""
    grammar = toys.grammar(
        """
        1 S/S -> (S NP[ε] (VP VBZ[ε] ADJP[ε] SBAR[1])) / S[1]
        1 SBAR/S -> (SBAR IN[ε] S[1]) / S[1]
        1 S/S -> (S (N rain) (V falls)) / (S (N rain) (V falls))
        1 NP/ε -> (NP (PRP it)) / ε
        1 VBZ/ε -> (VBZ is) / ε
        1 ADJP/ε -> (ADJP (JJ clear)) / ε
        1 IN/ε -> (IN that) / ε
        """
    )
    source = "(S (NP (PRP it)) (VP (VBZ is) (ADJP (JJ clear)) (SBAR (IN that) (S {}))))"
    clause = "(N rain) (V falls)"
    pair = Pair("lift", parse_tree(source.format(clause)), parse_tree(f"(S {clause})"))
    found = pair_forest(grammar, pair)
    assert found is not None
    assert derivation_count(found.forest) == 1


@pytest.mark.parametrize(("target", "ways"), [("(X a)", 1), ("(Y a)", None)])
def test_a_bare_target_stands_for_its_own_category_alone(target: str, ways: int | None) -> None:
    grammar = toys.grammar(
        """
        1 S/X -> (S N[1]) / X[1]
        1 N/X -> (N a) / (X a)
        1 N/Y -> (N a) / (Y a)
        """
    )
    found = pair_forest(grammar, Pair("bare", parse_tree("(S (N a))"), parse_tree(target)))
    assert (None if found is None else derivation_count(found.forest)) == ways


def test_extraction_and_parsing_agree_on_what_may_be_aligned() -> None:
    for pair in read_pairs(sample_path("train")):
        aligned = align_pair(pair)
        packed = PackedTrees.pack([aligned.source, aligned.target])
        allowed = admissible(packed, aligned.alignment)
        for x, y in enumerate(NodeAlignment.of(aligned).to):
            assert allowed[x, -1] == (y == DELETED)
            assert y < 0 or allowed[x, y]
