"""Frontier nodes, and how many constituents they are."""

from __future__ import annotations

from treewright.translation import frontier_nodes, usable_constituents
from treewright.trees import parse_tree

TREE = parse_tree("(S (NP (D a) (N b)) (VP (V c) (NP (N d) (N e))))")


def test_a_span_that_others_are_linked_into_is_no_frontier() -> None:
    # The span of (VP c d e) is 0 to 3, into which b is linked, too.
    links = ((0, 4), (1, 2), (2, 0), (3, 3))
    labels = [node.label for node in TREE.nodes()]
    found = [label for label, good in zip(labels, frontier_nodes(TREE, links), strict=True) if good]
    assert found == ["S", "D", "N", "V", "NP", "N"]


def test_unlinked_words_are_no_frontier() -> None:
    assert frontier_nodes(parse_tree("(S (N a) (N b))"), ((0, 0),)) == [True, True, False]


def test_constituents_are_counted_below_the_root() -> None:
    pairs = [(TREE, ((0, 4), (1, 2), (2, 0), (3, 3))), (TREE, ())]
    assert usable_constituents(pairs) == (1, 6)
    assert usable_constituents(pairs).share == 1 / 6
    assert usable_constituents([]).share == 0.0
