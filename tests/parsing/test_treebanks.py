from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given

from treewright.errors import ParseError, Problems
from treewright.parsing.treebanks import collapse_repeats, read_treebank, strip_tree
from treewright.trees import Tree, parse_tree

from ..trees.strategies import few, trees

RAW = """\
( (S
    (NP-SBJ-1 (NP (DT The) (NN vote)) (NP (-NONE- *)))
    (VP (VBD was) (VP (VBN held) (NP (-NONE- *-1)) (PRT|ADVP (RP up))))
    (. .) ))
( (S (NP (-NONE- *)) (VP (-NONE- *T*-1))) )
( (S (NP (NN broken)) (VP (VB be)) )
( (FRAG=2 (-LRB- -LRB-) (NN end)))
"""


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    path = tmp_path / "raw.mrg"
    path.write_text(RAW)
    return path


def test_a_treebank_as_it_comes(raw: Path) -> None:
    problems = Problems()
    assert list(map(str, read_treebank(raw, problems=problems))) == [
        "(ROOT (S (NP (NP (DT The) (NN vote)))"
        " (VP (VBD was) (VP (VBN held) (PRT (RP up)))) (. .)))",
        "(ROOT (FRAG (-LRB- -LRB-) (NN end)))",
    ]
    assert [error.where for error in problems.errors] == [f"{raw}:6:1"]


def test_a_malformed_tree_is_an_error_unless_it_may_be_skipped(raw: Path) -> None:
    with pytest.raises(ParseError, match="still open"):
        list(read_treebank(raw))


@pytest.mark.parametrize(
    ("text", "collapsed"),
    [
        ("(NP (NP (NN x)))", "(NP (NN x))"),
        ("(NP (NP (NP (NN x) (NN y))))", "(NP (NN x) (NN y))"),
        ("(NP (QP (NP (CD x))))", "(NP (QP (NP (CD x))))"),
        ("(NP (NP (NN x)) (NP (NN y)))", "(NP (NP (NN x)) (NP (NN y)))"),
        ("(X (X x))", "(X (X x))"),
        ("(X (X (X x)))", "(X (X x))"),
    ],
)
def test_repeats_are_collapsed(text: str, collapsed: str) -> None:
    assert str(collapse_repeats(parse_tree(text))) == collapsed


@given(trees(few))
def test_collapsing_leaves_no_repeat_and_no_other_change(tree: Tree) -> None:
    collapsed = collapse_repeats(tree)
    for node in collapsed.nodes():
        for child in node.children:
            alone = len(node.children) == 1 and bool(child.children)
            assert not (alone and child.label == node.label)
    assert list(map(_leaf, collapsed.preterminals())) == list(map(_leaf, tree.preterminals()))
    assert collapse_repeats(collapsed) == collapsed


def _leaf(node: Tree) -> tuple[str, str | None]:
    return node.label, node.word


@given(trees())
def test_stripping_twice_is_stripping_once(tree: Tree) -> None:
    once = strip_tree(tree)
    assert once is None or strip_tree(once) == once


@pytest.mark.parametrize(("name", "size"), [("wsj-sample.dev", 405), ("gum.dev", 1575)])
def test_real_treebanks(data: Path, name: str, size: int) -> None:
    trees = list(read_treebank(data / "treebank" / f"{name}.mrg"))
    assert len(trees) == size
    assert {tree.label for tree in trees} == {"ROOT"}
    assert "-NONE-" not in {node.label for tree in trees for node in tree.nodes()}
