"""Parts of a phrase that may go whole, with what carries the claim inside them."""

from __future__ import annotations

import numpy as np
import pytest

from treewright.pruning import Gaps
from treewright.pruning.guards.parts import whole_parts
from treewright.trees import TreeTable, parse_tree


def parts(brackets: str) -> set[str]:
    """Return what the gaps that drop whole parts drop, as text."""
    table = TreeTable(parse_tree(brackets))
    gaps = Gaps.of(table.arrays.end)
    found = whole_parts(table, gaps, np.ones(len(gaps.parent), dtype=np.bool_))
    texts = set()
    for gap in np.flatnonzero(found):
        start, end = table.left[gaps.first[gap]], table.right[gaps.last[gap]]
        texts.add(" ".join(table.words[start:end]))
    return texts


CASES = [
    (
        "(S (NP (NNP Ann)) (VP (VBD left) (, ,) (RB not) (SBAR (IN for) (S (VP (VBG being) "
        "(ADJP (JJ tired)))))) (. .))",
        ", not for being tired",
        True,
    ),
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
    assert not whole_parts(table, gaps, np.zeros(len(gaps.parent), dtype=np.bool_)).any()
