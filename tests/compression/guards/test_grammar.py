"""What a phrase cannot do without."""

import numpy as np
import pytest

from treewright.compression.guards import essential, head_ties, parting_gaps
from treewright.grammar import Gaps
from treewright.transduction.targets import SourceNodes
from treewright.trees import Tree, parse_tree
from treewright.trees.packed import PackedTrees


def held(brackets: str) -> set[str]:
    """Return what is held, as text."""
    tree = parse_tree(brackets)
    nodes = list(tree.nodes())
    return {" ".join(nodes[number].words()) for number in essential(tree)}


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        ("(NP (DT the) (JJ old) (NN dog))", {"the", "dog"}),
        (
            "(NP (NP (DT the) (NN man)) (SBAR (WHNP (WP who)) (S (VP (VBD came)))))",
            {"the man", "the", "man", "who", "came"},
        ),
        ("(NP (NP (DT the) (NN city)) (PP (IN of) (NP (NNP Rome))))", {"the", "city", "Rome"}),
        (
            "(NP (NP (DT a) (NN number)) (PP (IN of) (NP (NNS people))))",
            {"a number", "a", "number", "of people", "of", "people"},
        ),
        ("(VP (VBD went) (PP (IN to) (NP (NNP Rome))) (ADVP (RB soon)))", {"went", "to", "Rome"}),
        ("(VP (VBZ has) (ADVP (RB soon)) (VP (VBN gone)))", {"has", "gone"}),
        (
            "(VP (VBD said) (NP (NNP Tuesday)) (SBAR (IN that) (S (NP (PRP it)) (VP (VBD fell)))))",
            {"that it fell", "it fell", "fell"},
        ),
        (
            "(VP (VBD met) (NP (DT the) (NN king)) (NP (NNP Tuesday)))",
            {"met", "the king", "the", "king"},
        ),
        ("(VP (VBD met) (NP (NNP Tuesday)))", {"met"}),
        ("(S (NP (PRP it)) (VP (VBD rained)))", {"rained"}),
        (
            "(S (S (NP (PRP it)) (VP (VBD rained))) (, ,) (NP (PRP he)) (VP (VBD said)))",
            {"it rained", "rained"},
        ),
        (
            "(S (S (NP (PRP it)) (VP (VBD fell))) (SBAR (IN as) (S (NP (PRP he)) (VP (VBD saw)))))",
            {"it fell", "fell", "as", "he saw", "saw"},
        ),
        (
            "(SINV (ADVP (RB Here)) (VP (VBP are)) (NP (DT the) (NNS facts)))",
            {"are", "the facts", "facts"},
        ),
        ("(NP (DT the) (NNP Mill) (NNP Road))", {"the", "Mill", "Road"}),
        ("(NP (CD 40) (JJ new) (NNS euros))", {"40", "euros"}),
        (
            "(VP (VB say) (SBAR (WHADVP (WRB when)) (S (NP (PRP it)) (VP (VBD fell)))))",
            {"when it fell", "when", "it fell", "fell"},
        ),
        ("(QP (IN about) (JJR more) (IN than) (CD ten))", {"more", "than", "ten"}),
        ("(NP (NN bread) (CC and) (NN wine))", set()),
    ],
)
def test_heads_objects_and_predicates_are_held(tree: str, expected: set[str]) -> None:
    assert held(tree) == expected


def source_nodes(brackets: str) -> SourceNodes:
    inside: list[Tree] = []
    packed = PackedTrees.pack([parse_tree(brackets)], nodes=inside)
    return SourceNodes(inside, packed.end.tolist(), packed.left.tolist(), Gaps.of(packed.end))


def ends(source: SourceNodes, chosen: np.ndarray) -> set[tuple[str, str, str]]:
    """Return the chosen gaps: the left end, what is dropped first and last, the right end."""

    def text(node: int) -> str:
        return " ".join(source.nodes[node].words()) if node >= 0 else ""

    gaps = source.gaps
    return {
        (text(gaps.left[g]), f"{text(gaps.first[g])}…{text(gaps.last[g])}", text(gaps.right[g]))
        for g in np.flatnonzero(chosen).tolist()
    }


def test_a_conjunction_stays_between_what_it_joins() -> None:
    source = source_nodes("(NP (NN bread) (CC and) (NN wine))")
    assert ends(source, parting_gaps(source)) == {
        ("bread", "and…and", "wine"),
        ("", "bread…bread", "and"),
        ("and", "wine…wine", ""),
    }


def test_a_comma_is_enough_between_two_things() -> None:
    source = source_nodes("(NP (NN bread) (, ,) (CC and) (NN wine))")
    assert (",", "and…and", "wine") not in ends(source, parting_gaps(source))


def test_a_conjunction_may_begin_a_sentence_as_before() -> None:
    source = source_nodes("(S (CC But) (NP (PRP it)) (VP (VBD rained)))")
    assert ends(source, parting_gaps(source)) == {("But", "it…rained", "")}


def test_a_subject_is_tied_to_the_head_of_its_clause() -> None:
    source = source_nodes("(S (NP (PRP he)) (ADVP (RB also)) (VP (VBD said) (S (VP (VB go)))))")
    ties = head_ties(source)
    gone = {dropped for _, dropped, _ in ends(source, ties[:, 1] & ties[:, 3])}
    assert {"he…he", "he…also", "said…said"} == gone
    assert {right for _, _, right in ends(source, ties[:, 0] & ties[:, 2])} == {"he", "said"}


def test_of_goes_with_the_noun_before_it() -> None:
    source = source_nodes("(NP (NP (DT the) (NN city)) (PP (IN of) (NP (NNP Rome))))")
    ties = head_ties(source)
    apart = {right for _, _, right in ends(source, ties[:, 1] & ties[:, 2])}
    assert apart == {"of Rome"}
    assert not ties[:, 0].any()
    assert not ties[:, 3].any()


def test_two_commas_around_an_aside_stay_or_go_together() -> None:
    source = source_nodes("(NP (NP (NN king)) (, ,) (NP (NN John)) (, ,))")
    parted = ends(source, parting_gaps(source))
    assert parted == {("king", ",…,", "John"), ("", "king…,", "John"), ("John", ",…,", "")}
