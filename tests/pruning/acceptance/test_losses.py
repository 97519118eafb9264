"""Losses: which nodes a version drops, and what is said of each."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.pruning.acceptance import Losses, dropped_nodes
from treewright.text import is_word
from treewright.trees import Tree, TreeTable, parse_tree

from ...grammar.strategies import quick, trees
from .toys import MAN

TABLE = TreeTable(MAN)


def node_of(label: str, number: int = 0, table: TreeTable = TABLE) -> int:
    return [node for node, found in enumerate(table.labels) if found == label][number]


@quick
@given(tree=trees(), data=st.data())
def test_dropped_nodes_are_the_topmost_that_keep_nothing(tree: Tree, data: st.DataObject) -> None:
    table = TreeTable(tree)
    size = len(table.words)
    kept = sorted(data.draw(st.sets(st.integers(0, size - 1), min_size=1)))

    def gone(node: int) -> bool:
        return not set(range(table.left[node], table.right[node])) & set(kept)

    found = dropped_nodes(table, kept)
    assert found == [
        node
        for node in range(1, len(table))
        if gone(node)
        and not gone(table.parent[node])
        and any(is_word(w) for w in table.words[table.left[node] : table.right[node]])
    ]


def test_marks_alone_are_no_loss() -> None:
    kept = [place for place, word in enumerate(TABLE.words) if is_word(word)]
    assert len(kept) < len(TABLE.words)
    assert dropped_nodes(TABLE, kept) == []
    assert dropped_nodes(TABLE, kept[:3]) == [node_of("NP", 1), node_of("VP")]


def test_features_of_a_modifier() -> None:
    found = Losses(TABLE, {}).features(node_of("JJ"))
    assert found == [
        ("label", "JJ"),
        ("side", "NP", "JJ", "<"),
        ("distance", "NP", "JJ", "<1"),
        ("commas", "NP", "JJ", "00"),
        ("word", "old"),
        ("label word", "JJ", "old"),
        ("label tag", "JJ", "JJ"),
        ("label head", "JJ", "JJ"),
        ("above", "S", "NP", "JJ"),
        ("size", "0"),
        ("label size", "JJ", "0"),
        ("behind", "JJ", "NN"),
        ("before", "JJ", "DT"),
        ("governor", "NN", "JJ", "old"),
        ("siblings", "NP", "JJ", "3"),
    ]


def test_features_of_a_phrase_between_commas() -> None:
    found = Losses(TABLE, {}).features(node_of("NP", 1))
    assert ("commas", "S", "NP", "11") in found
    assert ("siblings", "S", "NP", "3") in found
    assert ("before", "NP", "NP") in found
    assert ("behind", "NP", "VP") in found
    assert ("above", "ROOT", "S", "NP") in found


def test_features_of_a_bound_preposition_after_a_comma() -> None:
    bonds = {("belonged", "to"): 0.75, ("to", "us"): 0.1}
    phrase = node_of("PP")
    found = Losses(TABLE, bonds, {phrase}, {phrase: "argument"}, {phrase}).features(phrase)
    assert found[:10] == [
        ("qualifies",),
        ("qualifies", "PP"),
        ("weighed",),
        ("weighed", "VP", "PP"),
        ("weighed word", "to"),
        ("needed",),
        ("needed", "VP", "PP"),
        ("bond", "3"),
        ("bond", "PP"),
        ("after a comma", "VP", "PP"),
    ]
    assert ("size", "1") in found
    assert ("governor", "VBD", "PP", "to") in found
    assert ("side", "VP", "PP", ">") in found


@pytest.mark.parametrize(
    ("words", "size"), [(1, "0"), (2, "1"), (3, "2"), (4, "2"), (5, "3"), (8, "3"), (9, "4")]
)
def test_sizes_are_counted_in_steps(words: int, size: str) -> None:
    many = " ".join(["(NN a)"] * words)
    table = TreeTable(parse_tree(f"(S (NP {many} (, ,)) (VP (VBZ is)))"))
    assert ("size", size) in Losses(table, {}).features(1)


def test_far_siblings_are_alike() -> None:
    table = TreeTable(parse_tree("(NP (DT a) (JJ b) (JJ c) (JJ d) (JJ e) (NN f))"))
    far = [Losses(table, {}).features(node)[2] for node in range(1, 6)]
    assert [name[-1] for name in far] == ["<3", "<3", "<3", "<2", "<1"]
    assert Losses(table, {}).features(6)[2] == ("distance", "NP", "NN", "=0")
