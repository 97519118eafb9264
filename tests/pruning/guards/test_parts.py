"""Parts of a phrase that may go whole, with what carries the claim inside them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from treewright.grammar import FlatUnseen, Grammar
from treewright.pruning import Gaps, Pruner, StepPruning
from treewright.pruning.guards import NORMAL, parts_of
from treewright.pruning.guards.parts import whole_parts
from treewright.trees import Tree, TreeTable, parse_tree

from .meaning.test_table import loaded_trees


def parts(brackets: str, opening: tuple[int, ...] = ()) -> set[str]:
    """Return what the gaps that drop whole parts drop, as text."""
    table = TreeTable(parse_tree(brackets))
    gaps = Gaps.of(table.arrays.end)
    found = whole_parts(table, gaps, np.ones(len(gaps.parent), dtype=np.bool_), opening)
    texts = set()
    for gap in np.flatnonzero(found):
        start, end = table.left[gaps.first[gap]], table.right[gaps.last[gap]]
        texts.add(" ".join(table.words[start:end]))
    return texts


CASES = [
    (
        "(S (NP (NNP Ann)) (VP (VBD left) (, ,) (RB not) (SBAR (IN because) (S (NP (PRP she)) "
        "(VP (VBD was) (ADJP (JJ tired)))))) (. .))",
        ", not because she was tired",
        True,
    ),
    (
        "(S (NP (PRP It)) (VP (VBD was) (NP (NN gas)) (, ,) (RB not) (NP (DT the) (NN noise))) "
        "(. .))",
        ", not the noise",
        True,
    ),
    ("(NP (NP (NNS beds)) (CC and) (NP (DT no) (NN bath)))", "and no bath", True),
    (
        "(S (S (NP (DT The) (NN roof)) (VP (VBZ leaks))) (CC and) (S (NP (NN nobody)) "
        "(VP (VBZ cares))) (. .))",
        "and nobody cares",
        True,
    ),
    (
        "(S (NP (NP (DT the) (NNS reeds)) (, ,) (NP (DT each) (QP (RB no) (JJR thicker)) "
        "(NN thumb)) (, ,)) (VP (VBD swayed)) (. .))",
        ", each no thicker thumb ,",
        True,
    ),
    (
        "(S (SBAR (IN Though) (S (NP (NN nobody)) (VP (VBD came)))) (, ,) (NP (PRP we)) "
        "(VP (VBD sang)) (. .))",
        "Though nobody came ,",
        True,
    ),
    # An adverbial in the middle or at the beginning denies what stands around it.
    (
        "(S (NP (PRP It)) (VP (VBZ is) (, ,) (PP (IN by) (NP (DT no) (NNS means))) (, ,) "
        "(ADJP (JJ over))) (. .))",
        ", by no means ,",
        False,
    ),
    (
        "(S (PP (IN In) (NP (DT no) (NN case))) (, ,) (NP (PRP he)) (VP (VBZ pays)) (. .))",
        "In no case ,",
        False,
    ),
    # What is denied without a clause of its own limits what stands before it.
    (
        "(S (NP (PRP You)) (VP (MD may) (VP (VB enter) (, ,) (CC but) (ADVP (RB never)) "
        "(PP (IN after) (NP (NN dark))))) (. .))",
        ", but never after dark",
        False,
    ),
    (
        "(S (NP (PRP We)) (VP (VBP open) (, ,) (RB not) (SBAR (WHADVP (WRB when)) (S (NP (PRP it)) "
        "(VP (VBZ rains))))) (. .))",
        ", not when it rains",
        False,
    ),
    (
        "(S (NP (PRP It)) (VP (VBZ sells) (PP (TO to) (NP (NNS adults))) (, ,) "
        "(PP (IN in) (NP (DT no) (NN case))) (PP (TO to) (NP (NNS children)))) (. .))",
        ", in no case to children",
        False,
    ),
    (
        "(S (NP (PRP It)) (VP (VBD lasted) (, ,) (RB not) (NP (CD four)) (, ,) (CC but) "
        "(NP (CD five) (NNS years))) (. .))",
        ", not four , but five years",
        False,
    ),
    (
        "(VP (VB Press) (NP (PRP it)) (, ,) (VP (VBP do) (RB not) (VP (VB pull) (NP (PRP it)))))",
        ", do not pull it",
        False,
    ),
    (
        "(S (NP (PRP You)) (VP (VBP bring) (NP (NP (NNS guests)) (, ,) (NP (RB no) (JJR more)))) "
        "(. .))",
        ", no more",
        False,
    ),
    # One word of a pair does not stay without the other.
    (
        "(NP (CC neither) (NP (NN tea)) (, ,) (CC nor) (NP (NN milk)))",
        ", nor milk",
        False,
    ),
    (
        "(VP (VBD was) (RB not) (ADJP (JJ red)) (, ,) (CC but) (ADJP (JJ blue)))",
        ", but blue",
        False,
    ),
    (
        "(S (VP (VBD left) (, ,) (RB not) (SBAR (IN because) (S (NP (PRP she)) "
        "(VP (VBD wished))))) (, ,) (CC but) (SBAR (IN since) (S (NP (PRP it)) "
        "(VP (VBD rained)))))",
        ", not because she wished",
        False,
    ),
    # Without the comma, nothing parts two of a list.
    (
        "(NP (NP (DT a) (NN horse)) (, ,) (NP (DT no) (NN mule)) (, ,) (ADVP (RB surely)) "
        "(NP (NN ass)))",
        ", no mule ,",
        False,
    ),
    (
        "(VP (VBD sang) (, ,) (VBD ate) (NP (NN nothing)) (, ,) (VBD left))",
        ", ate nothing ,",
        False,
    ),
    (
        "(S (VP (VP (VBP Heat) (NP (NN oil)) (, ,) (RB not) (NP (NN fat)) (, ,)) (VP (VB stir))))",
        ", not fat ,",
        False,
    ),
    # Nothing says where the part ends, or begins.
    ("(VP (VBD had) (NP (DT no) (NN bath)) (PP (IN in) (NP (NN June))))", "no bath", False),
    ("(VP (VBD saw) (NP (DT no) (NN ship)) (, ,) (ADVP (RB sadly)))", "no ship ,", False),
]


@pytest.mark.parametrize(("tree", "part", "expected"), CASES)
def test_a_part_stands_between_marks_or_conjunctions(tree: str, part: str, expected: bool) -> None:
    assert (part in parts(tree)) == expected


def test_only_the_chosen_gaps_are_parts() -> None:
    table = TreeTable(parse_tree(CASES[1][0]))
    gaps = Gaps.of(table.arrays.end)
    assert not whole_parts(table, gaps, np.zeros(len(gaps.parent), dtype=np.bool_), ()).any()


def test_what_opens_with_a_limiting_word_is_no_part() -> None:
    tree = "(S (NP (NNS Dogs)) (VP (VBP bark) (, ,) (NP (RB almost) (RB always))) (. .))"
    assert ", almost always" in parts(tree)
    assert ", almost always" not in parts(tree, (3,))


def chosen(brackets: str) -> set[str]:
    """Return what the gaps drop that `parts_of` finds in the forest of a tree."""
    forest = Pruner(
        Grammar.from_counts({}), FlatUnseen({}, {}, (-0.5, -0.25)), StepPruning({})
    ).forest(parse_tree(brackets))
    source, gaps = forest.source, forest.gaps
    found = np.flatnonzero(parts_of(forest, NORMAL))
    return {
        " ".join(source.words[source.left[gaps.first[g]] : source.right[gaps.last[g]]])
        for g in found
    }


def test_a_condition_is_no_part_that_may_go_but_another_claim_is() -> None:
    claim = "(S (NP (PRP It)) (VP (VBZ has) {}) (. .))"
    other = "(NP (NP (NNS beds)) (CC and) (NP (DT no) (NN bath)))"
    condition = "(NP (NNS beds)) (, ,) (SBAR (IN unless) (S (NP (PRP it)) (VP (VBZ rains))))"
    assert "and no bath" in chosen(claim.format(other))
    assert chosen(claim.format(condition)) == set()


@given(loaded_trees())
def test_in_any_tree_parts_drop_something_and_leave_something(tree: Tree) -> None:
    table = TreeTable(tree)
    gaps = Gaps.of(table.arrays.end)
    found = whole_parts(table, gaps, np.ones(len(gaps.parent), dtype=np.bool_), ())
    assert (gaps.first[found] >= 0).all()
    assert ((gaps.left[found] >= 0) | (gaps.right[found] >= 0)).all()
