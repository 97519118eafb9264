"""Binarised trees, and back."""

from __future__ import annotations

import pytest
from hypothesis import given

from tests.trees.strategies import trees
from treewright.errors import UsageError
from treewright.trees import Tree, binarize, parse_tree

FLAT = "(NP (DT the) (JJ big) (JJ old) (NN house))"


@pytest.mark.parametrize(
    ("how", "wanted"),
    [
        ("none", FLAT),
        ("left", "(NP (NP~ (NP~ (DT the) (JJ big)) (JJ old)) (NN house))"),
        ("right", "(NP (DT the) (NP~ (JJ big) (NP~ (JJ old) (NN house))))"),
    ],
)
def test_children_are_grouped_from_one_side(how: str, wanted: str) -> None:
    assert binarize(parse_tree(FLAT), how) == parse_tree(wanted)


@given(trees())
def test_nothing_is_lost(tree: Tree) -> None:
    for how in ("left", "right"):
        binary = binarize(tree, how)
        assert all(len(node.children) <= 2 for node in binary.nodes())
        assert binary.words() == tree.words()
        kept = [node.label for node in binary.nodes() if not node.label.endswith("~")]
        assert kept == [node.label for node in tree.nodes() if not node.label.endswith("~")]


def test_other_ways_are_refused() -> None:
    with pytest.raises(UsageError, match="left, none, right"):
        binarize(parse_tree(FLAT), "head")
