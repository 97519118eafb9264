"""A subject pronoun keeps what it refers to."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from treewright.pruning import Gaps
from treewright.pruning.guards.reference import orphaning_gaps, orphans
from treewright.trees import Tree, TreeTable, parse_tree

from .meaning.test_table import loaded_trees

DOGS = "(S (NP (NNS Dogs)) (VP (VBP bark)))"
THEY = "(S (NP (PRP they)) (VP (VBP bite)))"


def left_alone(brackets: str) -> set[str]:
    """Return what begins where all before it is dropped, and its pronoun is left alone by that."""
    table = TreeTable(parse_tree(brackets))
    gaps = Gaps.of(table.arrays.end)
    found = np.flatnonzero(orphaning_gaps(table, gaps))
    return {" ".join(table.words[table.left[r] : table.right[r]]) for r in gaps.right[found]}


CASES = [
    (f"(S {DOGS} (CC and) {THEY})", {"they bite"}),
    (f"(S (SBAR (IN If) {DOGS}) (, ,) (NP (PRP they)) (VP (VBP bite)))", {"they"}),
    (f"(S {DOGS} (CC and) (S (NP (DT those)) (VP (VBP bite))))", {"those bite"}),
    # One dog is not `they`, and what is not in the sentence cannot stay in it.
    (f"(S (S (NP (NN Snow)) (VP (VBZ melts))) (CC and) {THEY})", set()),
    (f"(S (S (NP (PRP They)) (VP (VBP like) (NP (NNS cats)))) (CC and) {THEY})", set()),
    # Dogs stay, if cats do not.
    (f"(S {DOGS} (SBAR (IN if) (S (S (NP (NNS cats)) (VP (VBP run))) (CC and) {THEY})))", set()),
    # No dog is a day.
    (f"(S {DOGS} (S (NP (NNS Days)) (VP (VBP pass))) (CC and) {THEY})", {"they bite"}),
    (f"(S (S (NP (NNS Days)) (VP (VBP pass))) (CC and) {THEY})", set()),
    # A phrase without a verb says where; and he is no alarm.
    (
        "(S (PP (IN In) (NP (NNP Rome))) (, ,) (NP (PRP he)) (VP (VBD slept)))",
        set(),
    ),
    (
        "(S (SBAR (WHADVP (WRB When)) (S (NP (DT the) (NN alarm)) (VP (VBD rang)))) (, ,) "
        "(NP (PRP he)) (VP (VBD left)))",
        set(),
    ),
    (
        "(S (SBAR (WHADVP (WRB When)) (S (NP (DT the) (NN king)) (VP (VBD came)))) (, ,) "
        "(NP (PRP he)) (VP (VBD left)))",
        {"he"},
    ),
    # It refers to a clause behind it.
    (
        "(S (S (NP (NN Snow)) (VP (VBZ melts))) (CC and) (S (NP (PRP it)) (VP (VBZ is) "
        "(ADJP (JJ odd)) (SBAR (IN that) (S (NP (NN ice)) (VP (VBZ stays)))))))",
        set(),
    ),
    # An object may refer to what one knows.
    (f"(S {DOGS} (CC and) (S (NP (NNP Ann)) (VP (VBZ feeds) (NP (DT those)))))", set()),
]


@pytest.mark.parametrize(("tree", "expected"), CASES)
def test_a_pronoun_is_not_left_alone(tree: str, expected: set[str]) -> None:
    assert left_alone(tree) == expected


@given(loaded_trees())
def test_in_any_tree_only_what_begins_a_phrase_is_dropped(tree: Tree) -> None:
    table = TreeTable(tree)
    gaps = Gaps.of(table.arrays.end)
    found = orphaning_gaps(table, gaps)
    assert (gaps.left[found] < 0).all()
    assert (gaps.right[found] >= 0).all()


@pytest.mark.parametrize(
    ("tree", "kept", "expected"),
    [
        (f"(S {DOGS} (CC and) (S (NP (NNP Ann)) (VP (VBZ feeds) (NP (PRP them)))))", "3 4 5", {5}),
        (
            f"(S {DOGS} (CC and) (S (NP (NNP Ann)) (VP (VBZ feeds) (NP (PRP them)))))",
            "0 4 5",
            set(),
        ),
        # Two pronouns for the same dogs are one complaint.
        (f"(S {DOGS} (CC and) (S {THEY} (CC and) {THEY}))", "3 4 5 6 7", {3}),
        (f"(S {THEY} (CC and) (S {DOGS} (CC and) {THEY}))", "0 1 5 6 7", set()),
        # These belong to a noun, and `it` stands for the clause.
        (f"(S {DOGS} (CC and) (S (NP (DT those) (NNS cats)) (VP (VBP bite))))", "3 4 5", set()),
        (
            "(S (NP (NN Snow)) (VP (VBZ makes) (S (NP (PRP it)) (ADJP (JJ hard) (TO to)))))",
            "1 2 3 4",
            set(),
        ),
        # Whoever the other noun is, it may be her.
        (
            "(S (NP (NNP Ann)) (NP (DT the) (NN tailor)) (VP (VBD hid) (NP (PRP her))))",
            "2 3 4",
            set(),
        ),
        ("(S (NP (NNP Ann)) (NP (DT the) (NN tailor)) (VP (VBD hid) (NP (PRP her))))", "3 4", {4}),
    ],
)
def test_pronouns_that_lose_all_they_may_refer_to(tree: str, kept: str, expected: set[int]) -> None:
    table = TreeTable(parse_tree(tree))
    assert set(orphans(table, list(map(int, kept.split())))) == expected


@given(loaded_trees())
def test_no_pronoun_of_a_whole_sentence_is_alone(tree: Tree) -> None:
    table = TreeTable(tree)
    assert orphans(table, range(len(table.words))) == []
