"""What a noun cannot do without."""

from __future__ import annotations

import pytest

from .test_grammar import held

CAME = "(SBAR (S (NP (PRP it)) (VP (VBD came))))"


@pytest.mark.parametrize(
    ("tree", "phrase"),
    [
        # An owner and a number are articles, too.
        ("(NP (NP (NNP Ann) (POS 's)) (NN car))", "Ann 's"),
        ("(NP (CD one) (NN car))", "one"),
        ("(NP (QP (IN at) (JJS least) (CD one)) (NN car))", "at least one"),
        # Neither owner nor name is without its own.
        ("(NP (NP (DT the) (NN bank) (POS 's)) (NNS cars))", "the"),
        ("(NP (NP (DT the) (NN bank) (POS 's)) (NNS cars))", "bank"),
        ("(NP (DT the) (NN actress) (NNP Ann) (NNP Lee))", "actress"),
        # What is picked out, counted or chosen from.
        ("(NP (DT the) (JJ last) (CD four) (NNS weeks))", "the"),
        ("(NP (NP (CD 64)) (PP (IN of) (NP (PRP$ its) (NNS cars))))", "its"),
        ("(NP (NP (JJR more)) (PP (IN of) (NP (NP (NNP Ann) (POS 's)) (NNS cars))))", "Ann 's"),
        ("(NP (CD ten) (NNS times))", "ten"),
        ("(NP (NP (NN item) (CD 4)) (PRN (-LRB- [) (NP (CD 2)) (-RRB- ])))", "[ 2 ]"),
        # `The one` says nothing, nor does `the time`.
        ("(NP (DT the) (JJ blue) (NN one))", "blue"),
        ("(NP (NP (DT the) (NN one)) (PP (IN at) (NP (NN noon))))", "at noon"),
        (f"(NP (NP (DT the) (NN time)) {CAME})", "it came"),
        ("(NP (DT the) (NN right) (S (VP (TO to) (VP (VB go)))))", "to go"),
        ("(NP (NP (DT a) (NN photograph)) (PP (IN of) (NP (NNP Ann))))", "of Ann"),
        # One article for all that is joined.
        ("(NP (DT a) (NN parent) (CC or) (NN guardian))", "a"),
    ],
)
def test_a_noun_keeps_what_it_needs(tree: str, phrase: str) -> None:
    assert phrase in held(tree)


@pytest.mark.parametrize(
    ("tree", "phrase"),
    [
        ("(NP (NP (NNP Ann) (POS 's)) (NNS cars))", "Ann 's"),
        ("(NP (CD two) (NNS cars))", "two"),
        ("(NP (NN actress) (NNP Ann) (NNP Lee))", "actress"),
        ("(NP (DT the) (JJ red) (NNS weeks))", "the"),
        ("(NP (NP (NN sale)) (PP (IN of) (NP (PRP$ its) (NNS cars))))", "its"),
        ("(NP (DT the) (JJ blue) (NN car))", "blue"),
        ("(NP (NP (CD 4)) (PRN (-LRB- [) (NP (NNS days)) (-RRB- ])))", "[ days ]"),
        ("(NP (NP (DT the) (NN car)) (PP (IN at) (NP (NN noon))))", "at noon"),
        ("(NP (NP (DT a) (NN parent)) (CC or) (NP (NN guardian)))", "a parent"),
    ],
)
def test_other_words_may_go(tree: str, phrase: str) -> None:
    assert phrase not in held(tree)
