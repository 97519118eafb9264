"""Prepositions that verbs cannot do without, and measures without what they measure from."""

from __future__ import annotations

import pytest

from treewright.pruning.guards.clinging import clinging_gaps

from .test_grammar import ends, gapped, held


@pytest.mark.parametrize(
    ("tree", "phrase"),
    [
        ("(VP (VBD belonged) (PP (TO to) (NP (NNP Ann))))", "to Ann"),
        ("(VP (VBD turned) (NP (NN water)) (PP (IN into) (NP (NN wine))))", "into wine"),
        ("(VP (VBN kept) (PP (IN on) (NP (NN ice))))", "on ice"),
        ("(VP (VB put) (NP (DT the) (NN cup)) (PP (IN on) (NP (NN ice))))", "on ice"),
        ("(VP (VB put) (NP (DT the) (NN cup)) (ADVP (RB down)))", "down"),
        ("(VP (VB get) (ADVP (RB away)))", "away"),
        ("(VP (VB do) (ADVP (RB so)))", "so"),
        ("(VP (VBD swam) (ADVP (RB back)))", "back"),
        ("(VP (VBD took) (NP (DT a) (NN year)) (S (VP (TO to) (VP (VB build)))))", "to build"),
        ("(VP (VBD looked) (PP (IN on) (NP (NNP Monday))) (PP (IN at) (NP (NN ice))))", "at ice"),
        ("(VP (VBZ goes) (ADVP (RB often)) (PP (TO to) (NP (NNP Rome))))", "to Rome"),
        ("(VP (VBN made) (PP (IN of) (NP (NN ice))))", "of ice"),
        # In the object, where the parser may have put it.
        ("(VP (VBP treat) (NP (NP (NNS guests)) (PP (IN as) (NP (NNS friends)))))", "as friends"),
        (
            "(VP (VBD brought) (NP (NP (NNS trains)) (PP (TO to) (NP (DT a) (NN halt)))))",
            "to a halt",
        ),
    ],
)
def test_a_verb_keeps_its_preposition(tree: str, phrase: str) -> None:
    assert phrase in held(tree)


@pytest.mark.parametrize(
    ("tree", "phrase"),
    [
        ("(VP (VBD turned) (NP (NNS pages)) (PP (IN at) (NP (NN night))))", "at night"),
        ("(VP (VBD brought) (NP (NN cake)) (PP (TO to) (NP (NN school))))", "to school"),
        ("(VP (VBD slept) (PP (IN into) (NP (NNP May))))", "into May"),
        ("(VP (VBP keep) (NP (NNS bees)) (PP (IN in) (NP (NNP May))))", "in May"),
        ("(VP (VB put) (NP (DT the) (NN cup)) (ADVP (RB gently)))", "gently"),
        ("(VP (VBD swam) (ADVP (RB fast)))", "fast"),
        (
            "(VP (VBD looked) (PP (IN on) (NP (NNP Monday))) (PP (IN at) (NP (NN ice))))",
            "on Monday",
        ),
        ("(VP (VBZ goes) (ADVP (RB often)) (PP (TO to) (NP (NNP Rome))))", "often"),
        ("(VP (VBD made) (NP (NP (DT a) (NN list)) (PP (IN of) (NP (NNS cats)))))", "of cats"),
        ("(VP (VBD hired) (NP (DT a) (NN man)) (S (VP (TO to) (VP (VB build)))))", "to build"),
    ],
)
def test_other_phrases_may_go(tree: str, phrase: str) -> None:
    assert phrase not in held(tree)


def test_a_measured_preposition_is_one() -> None:
    assert held("(PP (NP (CD two) (NNS days)) (IN before) (NP (NNP Easter)))") >= {
        "before",
        "Easter",
    }


def test_that_answers_to_so() -> None:
    clause = "(SBAR (IN that) (S (NP (PRP it)) (VP (VBD broke))))"
    assert "that" in held(f"(S (NP (PRP it)) (VP (VBD fell) (ADVP (RB so) (RB hard)) {clause}))")
    assert "that" not in held(f"(S (ADVP (RB so) (TO to)) (NP (PRP he)) (VP (VBD said) {clause}))")


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        (
            "(VP (VBD slept) (NP (CD 9) (NNS miles)) (PP (IN from) (NP (NN home))))",
            {("9 miles", "from home…from home", "")},
        ),
        (
            "(VP (VBD slept) (NP (CD 9) (NNS km)) (PRN (CD 6)) (RB west) (PP (IN of) (NNP Ely)))",
            {
                ("9 km", "6…6", "west"),
                ("9 km", "6…west", "of Ely"),
                ("9 km", "6…of Ely", ""),
            },
        ),
        ("(VP (VBD walked) (NP (CD 9) (NNS miles)) (PP (IN in) (NP (NN rain))))", set()),
        ("(VP (VBD moved) (NP (CD 9) (NNS pots)) (PP (IN from) (NP (NN home))))", set()),
    ],
)
def test_a_distance_stays_with_where_it_is_from(
    tree: str, expected: set[tuple[str, str, str]]
) -> None:
    source = gapped(tree)
    assert ends(source, clinging_gaps(*source)) == expected


def test_a_preposition_keeps_something_that_is_joined() -> None:
    source = gapped("(PP (IN as) (JJ odd) (CC and) (JJ old))")
    assert ends(source, clinging_gaps(*source)) == {("as", "odd…old", "")}
    assert held("(PP (IN as) (JJ odd) (CC and) (JJ old))") == {"as"}
    assert held("(PP (IN before) (CC or) (IN after) (NP (NN tea)))") == set()
