"""`Places` against a plain-Python twin."""

from __future__ import annotations

from typing import Any
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.pruning import gaps as gaps_module
from treewright.pruning.encoded._kernels import END, START
from treewright.pruning.encoded.places import KINDS, SPECIAL, UNKNOWN, Places
from treewright.pruning.gaps import Gaps
from treewright.trees import Tree, TreeTable, parse_tree
from treewright.trees.heads import head_child

from ...grammar.strategies import quick, trees
from ..test_gaps import gaps_of
from .toys import NUMBERS


class Node:
    """A node that knows its words, its head and its parent, found by walking down."""

    def __init__(self, tree: Tree, first: int, parent: Node | None, found: list[Node]) -> None:
        self.tree, self.first, self.parent = tree, first, parent or self
        found.append(self)
        children = []
        behind = first
        for child in tree.children:
            children.append(Node(child, behind, self, found))
            behind = children[-1].last + 1
        self.last = behind - 1 if children else first
        self.head: int = children[head_child(tree)].head if children else first


def naive_places(tree: Tree, gaps: Gaps, labels: dict[str, int]) -> dict[str, list[int]]:
    nodes: list[Node] = []
    Node(tree, 1, None, nodes)
    number = [labels.get(node.tree.label, UNKNOWN) for node in nodes]
    rows: dict[str, list[int]] = {name: [] for name in Places._fields}

    def add(**values: int) -> None:
        for name, value in values.items():
            rows[name].append(value)

    for node, label in zip(nodes, number, strict=True):
        add(head=node.head, parent_head=node.parent.head, first=node.first, last=node.last)
        add(label=label, parent_label=labels.get(node.parent.tree.label, UNKNOWN))
        add(is_head=int(node.head == node.parent.head))
    for gap in range(len(gaps.parent)):
        parent, left, right = (int(part[gap]) for part in (gaps.parent, gaps.left, gaps.right))
        around = nodes[parent]
        add(gap_left=nodes[left].last if left >= 0 else around.first - 1)
        add(gap_right=nodes[right].first if right >= 0 else around.last + 1)
        add(gap_left_label=number[left] if left >= 0 else START)
        add(gap_right_label=number[right] if right >= 0 else END)
        signs = [left < 0, right < 0, gaps.first[gap] < 0, gaps.pauses[gap], gaps.resumes[gap] > 0]
        kind = sum(2**place for place, sign in enumerate(signs) if sign)
        add(gap_label=number[parent], gap_kind=kind)
    return rows


def places_of(tree: Tree, labels: dict[str, int] = NUMBERS) -> Places:
    return Places.of(TreeTable(tree), gaps_of(tree), labels)


@quick
@given(tree=trees(), longest=st.integers(1, 3))
def test_places_equal_their_twin(tree: Tree, longest: int) -> None:
    with mock.patch.object(gaps_module, "LONGEST", longest):
        expected = naive_places(tree, gaps_of(tree), NUMBERS)
        found: Any = places_of(tree)._asdict()
    assert {name: part.tolist() for name, part in found.items()} == expected
    assert all(0 <= kind < KINDS for kind in expected["gap_kind"])


@pytest.mark.parametrize("text", ["(ROOT (UH yes))", "(UH yes)"])
def test_one_word(text: str) -> None:
    places = places_of(parse_tree(text))
    assert set(places.first.tolist()) == set(places.last.tolist()) == {1}
    assert len(places.gap_kind) == 0


def test_a_sentence() -> None:
    tree = parse_tree("(S (NP (N snow)) (VP (VBZ falls) (NP (N today))))")
    places = places_of(tree)
    assert places.head.tolist() == [2, 1, 1, 2, 2, 3, 3]
    assert places.parent_head.tolist() == [2, 2, 1, 2, 2, 2, 3]
    assert places.is_head.tolist() == [1, 0, 1, 1, 1, 0, 1]
    assert places.last.tolist() == [3, 1, 1, 3, 2, 3, 3]
    labels = {name: len(SPECIAL) + place for place, name in enumerate(["S", "NP", "VP", "N"])}
    assert labels.items() <= NUMBERS.items()
    assert places.label.tolist() == [3, 4, 6, 5, UNKNOWN, 4, 6]
    assert places.parent_label.tolist() == [3, 3, 4, 3, 5, 5, 4]
