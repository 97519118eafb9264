from __future__ import annotations

import pytest
from hypothesis import given

from treewright.errors import DataError
from treewright.parsing.adapters.libraries import BeneparParser, StanzaParser, convert
from treewright.trees import Tree

from ...trees.strategies import trees
from .fakes import NltkTree, to_nltk, to_stanza


@given(trees())
def test_trees_of_others_are_read_as_they_are(tree: Tree) -> None:
    assert convert(to_nltk(tree), BeneparParser._open) == tree
    assert convert(to_stanza(tree), StanzaParser._open) == tree


def test_depth_does_not_matter() -> None:
    deep = NltkTree("NN", ["x"])
    for _ in range(5000):
        deep = NltkTree("X", [deep])
    assert convert(deep, BeneparParser._open).words() == ("x",)


def test_what_is_no_tree_is_an_error() -> None:
    with pytest.raises(DataError, match=r"^here: the parser gave 'x' where a tree was expected"):
        convert("x", BeneparParser._open, where="here")
    with pytest.raises(DataError, match=r"put a word beside other nodes of \(S"):
        convert(NltkTree("S", ["x", NltkTree("NN", ["y"])]), BeneparParser._open)
