from __future__ import annotations

import pytest
from hypothesis import given

from treewright.parsing.embedded.spans import JOIN, Span, spans_of, tree_of
from treewright.trees import Tree, parse_tree

from ...profiles import examples
from .strategies import rooted
from .toys import TREES

quick = examples(50)


def rebuilt(tree: Tree) -> Tree:
    tags = [leaf.label for leaf in tree.preterminals()]
    return tree_of(tree.words(), tags, spans_of(tree))


@quick
@given(rooted())
def test_a_tree_is_its_spans(tree: Tree) -> None:
    assert rebuilt(tree) == tree


@quick
@given(rooted())
def test_spans_are_nested_or_apart_and_each_place_has_one(tree: Tree) -> None:
    spans = spans_of(tree)
    places = [(span.start, span.end) for span in spans]
    assert len(set(places)) == len(places)
    assert all(0 <= start < end <= len(tree.words()) for start, end in places)
    for a, b in places:
        assert not any(a < c < b < d for c, d in places)


@quick
@given(rooted())
def test_spans_come_in_preorder_with_every_node_in_a_label(tree: Tree) -> None:
    spans = spans_of(tree)
    assert spans == sorted(spans, key=lambda span: (span.start, -span.end))
    nodes = [node.label for node in tree.nodes() if node.word is None]
    assert [label for span in spans for label in span.label.split(JOIN)] == nodes[1:]


@quick
@given(rooted())
def test_the_order_of_spans_is_of_no_matter(tree: Tree) -> None:
    tags = [leaf.label for leaf in tree.preterminals()]
    assert tree_of(tree.words(), tags, reversed(spans_of(tree))) == tree


def test_a_chain_of_nodes_is_one_span() -> None:
    tree = parse_tree("(ROOT (S (VP (VB go) (NP (X (NN home))))))")
    assert spans_of(tree) == [Span(0, 2, "S+VP"), Span(1, 2, "NP+X")]
    assert rebuilt(tree) == tree


def test_bare_preterminals_have_no_span() -> None:
    tree = parse_tree("(ROOT (UH yes) (, ,) (NP (NN sir)))")
    assert spans_of(tree) == [Span(2, 3, "NP")]
    assert rebuilt(tree) == tree
    assert spans_of(parse_tree("(ROOT (UH yes))")) == []


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        (
            "(NP (S (NP (NN tea)) (, ,) (SBAR (WDT which) (VP (VBD fell)))) (, ,))",
            "(NP (NP (NN tea)) (, ,) (SBAR (WDT which) (VP (VBD fell))) (, ,))",
        ),
        ("(NP (DT the) (S (NP (NN tea)) (VP (VBD fell))))", None),
        ("(NP (DT the) (S (NP (NN tea)) (, ,) (S (VP (VBD fell)))))", None),
        ("(VP (VBD saw) (S (NP (NN tea)) (ADJP (JJ hot))))", None),
    ],
)
def test_a_noun_phrase_has_no_clause_without_a_predicate(tree: str, expected: str | None) -> None:
    given = parse_tree(f"(ROOT {tree})")
    tags = [leaf.label for leaf in given.preterminals()]
    repaired = tree_of(given.words(), tags, spans_of(given), repair=True)
    assert str(repaired) == f"(ROOT {expected or tree})"


@pytest.mark.parametrize("tree", TREES, ids=str)
def test_toy_trees(tree: Tree) -> None:
    assert rebuilt(tree) == tree


def test_a_deep_tree_does_not_recurse() -> None:
    tree = Tree("NN", word="a")
    for _ in range(3_000):
        tree = Tree("X", [tree, Tree("NN", word="b")])
    tree = Tree("ROOT", [tree])
    assert len(spans_of(tree)) == 3_000
    assert rebuilt(tree) == tree


def test_tags_and_words_must_be_as_many() -> None:
    with pytest.raises(ValueError, match="zip"):
        tree_of(["a", "b"], ["NN"], [])
