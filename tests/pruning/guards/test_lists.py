"""Lists whose conjunction the tree has put elsewhere, and sentences that lose all of a list."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from treewright.pruning.guards.coordination import emptying_gaps, late_joints, parting_gaps
from treewright.trees import Tree, TreeTable

from .meaning.test_table import loaded_trees
from .test_grammar import ends, gapped, held

PAID = "(VP (VBD paid) (PP (IN for) (NP (NP (NN bread)) (CC and) (VP (VBD went)))))"


def test_a_conjunction_inside_the_last_predicate_joins_them_all() -> None:
    assert held(f"(VP (VP (VBD came)) (, ,) (VP (VBD ate)) (, ,) {PAID})") >= {"and"}
    # A participle is an aside, and where there is another conjunction this one joins less.
    assert "and" not in held(f"(VP (VP (VBG coming)) (, ,) {PAID})")
    assert "and" not in held(f"(VP (VP (VBD came)) (CC but) {PAID})")


def test_such_a_list_keeps_its_last_member_or_its_first_alone() -> None:
    tree = gapped(f"(VP (VP (VBD came)) (, ,) (VP (VBD ate)) (, ,) {PAID})")
    closed = ends(tree, parting_gaps(*tree))
    last = "paid for bread and went"
    assert ("ate", f",…{last}", "") in closed
    assert ("came", f",…{last}", "") not in closed


def test_orders_and_clauses_without_that_are_members_of_lists() -> None:
    order = "(S (VP (VB Go)))"
    tree = gapped(f"(VP (VP {order} (, ,) (VP (VB eat))) (, ,) (CC and) (VP (VB pay)))")
    assert ("Go , eat", ",…pay", "") in ends(tree, parting_gaps(*tree))
    clause = "(SBAR (S (NP (PRP he)) (VP (VBD came))))"
    tree = gapped(f"(S {clause} (, ,) (VP (VBD ate)) (CC and) (VP (VBD paid)))")
    assert ("ate", "and…paid", "") in ends(tree, parting_gaps(*tree))


def test_no_comma_is_left_before_the_conjunction_of_two_things() -> None:
    tree = gapped("(NP (NN face) (, ,) (NNS lips) (CC or) (NN throat))")
    closed = ends(tree, parting_gaps(*tree))
    assert (",", "lips…lips", "or") in closed
    assert ("face", ",…lips", "or") not in closed


IF_IT_RAINS = "(SBAR (IN If) (S (NP (PRP it)) (VP (VBZ rains))))"


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        (
            f"(S {IF_IT_RAINS} (, ,) (VP (VB go)) (CC and) (VP (VB wait)))",
            {("If it rains", ",…wait", ""), (",", "go…wait", "")},
        ),
        # A verb of its own is left, or a clause.
        ("(S (VB go) (VP (VB eat)) (CC and) (VP (VB wait)))", set()),
        (
            "(S (SBAR (S (NP (PRP it)) (VP (VBZ rains)))) (VP (VB go)) (CC and) (VP (VB wait)))",
            set(),
        ),
        # One predicate is held by others.
        (f"(S {IF_IT_RAINS} (, ,) (VP (VB go)))", set()),
    ],
)
def test_an_aside_is_no_sentence(tree: str, expected: set[tuple[str, str, str]]) -> None:
    source = gapped(tree)
    assert ends(source, emptying_gaps(*source)) == expected


@given(loaded_trees())
def test_in_any_tree_only_gaps_with_predicates_empty_a_sentence(tree: Tree) -> None:
    table, gaps = gapped(str(tree))
    for gap in np.flatnonzero(emptying_gaps(table, gaps)).tolist():
        assert gaps.first[gap] >= 0
        assert not gaps.pauses[gap]
        assert table.labels[gaps.parent[gap]] == "S"


@given(loaded_trees())
def test_in_any_tree_a_late_conjunction_is_held_to_its_predicate(tree: Tree) -> None:
    table = TreeTable(tree)
    found = late_joints(table)
    for x in found:
        assert table.labels[x] == "CC" or any(table.parent[low] == x for low in found)
        top = x
        while table.parent[top] in found:
            top = table.parent[top]
        last = table.parent[top]
        assert table.labels[last] == table.labels[table.parent[last]] == "VP"
