import pytest
from hypothesis import given

from treewright.trees import (
    Tree,
    parse_tree,
    rebuild,
    root_at,
    strip_function_tags,
    strip_traces,
)

from .strategies import trees

TREEBANK = (
    "( (S (NP-SBJ-1 (DT The) (NN vote)) (VP (VBD was) (VP (VBN held) (NP (-NONE- *-1))"
    " (PP-TMP=2 (IN on) (NP (-LRB- -LRB-) (NNP May) (-RRB- -RRB-))))) (. .)) )"
)


def test_traces_go_with_the_nodes_they_leave_empty() -> None:
    stripped = strip_traces(parse_tree(TREEBANK))
    assert stripped is not None
    assert "-NONE-" not in str(stripped)
    assert "(VP (VBN held) (PP-TMP=2" in str(stripped)
    assert "*-1" not in stripped.words()
    assert strip_traces(parse_tree("(S (NP (-NONE- *)) (VP (-NONE- *T*-1)))")) is None


def test_function_tags_are_cut_and_brackets_kept() -> None:
    labels = [node.label for node in strip_function_tags(parse_tree(TREEBANK)).nodes()]
    assert "NP" in labels
    assert "PP" in labels
    assert {"-LRB-", "-NONE-", "."} <= set(labels)
    assert not any("SBJ" in label or "=" in label for label in labels)


@pytest.mark.parametrize(
    ("label", "bare"),
    [
        ("NP-SBJ", "NP"),
        ("NP=1", "NP"),
        ("ADVP|PRT", "ADVP"),
        ("PRP$", "PRP$"),
        ("-LRB-", "-LRB-"),
        ("--", "--"),
        ("", ""),
        ("WHNP-1-2", "WHNP"),
    ],
)
def test_labels_lose_their_tails(label: str, bare: str) -> None:
    assert strip_function_tags(Tree(label, word="x")) == Tree(bare, word="x")


@given(trees())
def test_stripping_touches_no_word_and_is_done_once(tree: Tree) -> None:
    once = strip_function_tags(tree)
    assert once.words() == tree.words()
    assert strip_function_tags(once) == once
    assert rebuild(tree, lambda node, children: Tree(node.label, children, word=node.word)) == tree


@pytest.mark.parametrize(
    ("text", "rooted"),
    [
        ("( (S (N x)))", "(ROOT (S (N x)))"),
        ("(TOP (S (N x)))", "(ROOT (S (N x)))"),
        ("(S1 (S (N x)))", "(ROOT (S (N x)))"),
        ("(ROOT (S (N x)))", "(ROOT (S (N x)))"),
        ("(S (N x))", "(ROOT (S (N x)))"),
        ("(N x)", "(ROOT (N x))"),
        ("(ROOT x)", "(ROOT (ROOT x))"),
    ],
)
def test_every_tree_gets_one_root(text: str, rooted: str) -> None:
    assert str(root_at(parse_tree(text))) == rooted
    assert str(root_at(parse_tree(text), "TOP")) == rooted.replace("(ROOT", "(TOP", 1)


def test_deep_trees_are_no_problem() -> None:
    deep = Tree("N", word="x")
    for _ in range(50_000):
        deep = Tree("X-1", [deep])
    assert strip_traces(deep) == deep
    assert strip_function_tags(deep).label == "X"
