"""A pronoun stays only with something that it may stand for."""

from __future__ import annotations

import pytest
from hypothesis import given

from treewright.pruning.guards.antecedents import antecedents
from treewright.pruning.guards.reference import leans, orphans, references, references_from
from treewright.trees import Tree, TreeTable, parse_tree

from .meaning.test_table import loaded_trees

DOGS = "(S (NP (NNS Dogs)) (VP (VBP bark)))"
THEY = "(S (NP (PRP they)) (VP (VBP bite)))"


def meant(brackets: str) -> dict[str, str]:
    """Return the words that pronouns may stand for, by pronouns."""
    table = TreeTable(parse_tree(brackets))
    return {
        table.words[place]: " ".join(table.words[at] for at in sorted(words))
        for place, words in antecedents(table).items()
    }


CASES = [
    (f"(S {DOGS} (CC and) {THEY})", {"they": "Dogs"}),
    (f"(S (SBAR (IN If) {DOGS}) (, ,) (NP (PRP they)) (VP (VBP bite)))", {"they": "Dogs"}),
    (f"(S {DOGS} (CC and) (S (NP (DT those)) (VP (VBP bite))))", {"those": "Dogs"}),
    (f"(S {DOGS} (CC and) (S (NP (NNP Ann)) (VP (VBZ feeds) (NP (DT those)))))", {"those": "Dogs"}),
    # One dog is not `they`, and what `they` stood for before it stands for again.
    (f"(S (S (NP (NN Snow)) (VP (VBZ melts))) (CC and) {THEY})", {}),
    (f"(S (S (NP (PRP They)) (VP (VBP like) (NP (NNS cats)))) (CC and) {THEY})", {}),
    # But two are, and a team.
    (f"(S (S (NP (NNP Ann) (CC and) (NNP Bob)) (VP (VBP bark))) {THEY})", {"they": "Ann Bob"}),
    (f"(S (S (NP (DT The) (NN team)) (VP (VBZ barks))) {THEY})", {"they": "team"}),
    (f"(S {DOGS} (S (NP (NNS Cats)) (VP (VBP run))) (CC and) {THEY})", {"they": "Dogs Cats"}),
    # No dog is a day, and no thing a metre.
    (f"(S {DOGS} (S (NP (NNS Days)) (VP (VBP pass))) (CC and) {THEY})", {"they": "Dogs"}),
    (f"(S (S (NP (NNS Days)) (VP (VBP pass))) (CC and) {THEY})", {}),
    (
        "(S (VP (VB Cut) (NP (CD one) (NN mm)) (PP (IN off) (NP (NP (DT a) (NN rod)) "
        "(PP (IN along) (NP (PRP$ its) (NN edge)))))))",
        {},
    ),
    # He is no alarm; a king may be.
    ("(S (PP (IN On) (NP (NN alarm))) (, ,) (NP (PRP he)) (VP (VBD slept)))", {}),
    ("(S (PP (IN On) (NP (DT a) (NN king))) (, ,) (NP (PRP he)) (VP (VBD slept)))", {"he": "king"}),
    # Where one is named, any other noun may be a person, too.
    (
        "(S (NP (NNP Ann)) (NP (DT the) (NN keeper)) (VP (VBD hid) (NP (PRP$ her) (NN car))))",
        {"her": "Ann keeper"},
    ),
    # A postman is not `it`, a developer may be.
    ("(S (S (NP (DT The) (NN postman)) (VP (VBD ran))) (S (NP (PRP it)) (VP (VBD ran))))", {}),
    (
        "(S (S (NP (DT The) (NN developer)) (VP (VBD ran))) (S (NP (PRP it)) (VP (VBD ran))))",
        {"it": "developer"},
    ),
    # It stands for a clause, or for nothing.
    (
        "(S (S (NP (NN Snow)) (VP (VBZ melts))) (CC and) (S (NP (PRP it)) (VP (VBZ is) "
        "(ADJP (JJ odd)) (SBAR (IN that) (S (NP (NN ice)) (VP (VBZ stays)))))))",
        {},
    ),
    ("(S (NP (NN Snow)) (VP (VBZ makes) (S (NP (PRP it)) (ADJP (JJ hard) (TO to)))))", {}),
    ("(S (S (NP (NN Snow)) (VP (VBZ melts))) (S (NP (PRP it)) (VP (VBZ rains))))", {}),
    # Whom Ann saw is not Ann; whose car she saw may be.
    ("(S (NP (NNP Ann)) (VP (VBD saw) (NP (PRP her))))", {}),
    ("(S (NP (NNP Ann)) (VP (VBD saw) (NP (PRP$ her) (NN car))))", {"her": "Ann"}),
    ("(S (NP (NNP Ann)) (VP (VBD gave) (NP (NNP Eve)) (PP (TO to) (NP (PRP her)))))", {}),
    (
        "(S (NP (NNP Ann)) (VP (VBD said) (SBAR (S (NP (NNP Bob)) (VP (VBD saw) "
        "(NP (PRP her)))))))",
        {"her": "Ann"},
    ),
    # Nothing is a part of itself; but a man may hide his face.
    ("(NP (NP (DT a) (NN fifth)) (PP (IN of) (NP (PRP it))))", {}),
    ("(NP (NP (DT a) (NN note)) (VP (VBG confirming) (NP (PRP it))))", {}),
    (
        "(NP (NP (DT a) (NN man)) (VP (VBG hiding) (NP (PRP$ his) (NN face))))",
        {"his": "man"},
    ),
    ("(NP (NP (NNP Ann)) (CC and) (NP (PRP$ her) (NN car)))", {"her": "Ann"}),
    # Who decides to make it makes it; who is asked to lend it money lends it.
    (
        "(S (NP (DT the) (NN board)) (VP (VBD chose) (S (VP (TO to) (VP (VB make) (S (NP (PRP it)) "
        "(NP (NN law))))))))",
        {},
    ),
    (
        "(S (NP (DT the) (NN firm)) (VP (VBD asked) (NP (DT the) (NN bank)) (S (VP (TO to) "
        "(VP (VB lend) (NP (PRP it)) (NP (NN money)))))))",
        {"it": "firm"},
    ),
    # Somebody's name is no name of a thing.
    ("(S (NP (NN colleague) (NNP Ann)) (VP (VBZ heads) (NP (PRP$ its) (NN lab))))", {}),
    ("(S (NP (NNP Ann)) (, ,) (WP who) (VP (VBZ heads) (NP (PRP$ its) (NN lab))))", {}),
    ("(S (NP (NNP Acme)) (VP (VBZ heads) (NP (PRP$ its) (NN lab))))", {"its": "Acme"}),
    # Where something is is nobody; who has no name may be anybody.
    (
        "(S (PP (IN In) (NP (NNP Rome))) (NP (DT the) (VBN accused)) (VP (VBD hid) "
        "(NP (PRP$ his) (NN car))))",
        {},
    ),
    (
        "(S (PP (IN Like) (NP (NNP Ann))) (NP (DT the) (VBN accused)) (VP (VBD hid) "
        "(NP (PRP$ her) (NN car))))",
        {"her": "Ann accused"},
    ),
    (
        "(S (PP (IN In) (NP (NNS cities))) (NP (JJ many)) (VP (VBD hid) "
        "(NP (PRP$ their) (NNS cars))))",
        {"their": "cities many"},
    ),
    # A dog is not its food, and both dogs are no two that were named.
    (
        "(S (S (NP (NN dog) (NN food)) (VP (VBZ rots))) (S (NP (PRP it)) (VP (VBZ rots))))",
        {"it": "food"},
    ),
    (f"(S {DOGS} (CC and) (S (NP (DT both) (DT the) (NNS cats)) (VP (VBP run))))", {}),
    (
        f"(S {DOGS} (CC and) (S (NP (PRP$ their) (JJ loved) (NNS ones)) (VP (VBP run))))",
        {"their": "Dogs"},
    ),
    # What is put beside a name has it.
    (
        "(S (NP (NP (PRP$ My) (NN libero)) (, ,) (NP (NNP Ann))) (VP (VBD hid) "
        "(NP (PRP$ her) (NN car))))",
        {"her": "libero Ann"},
    ),
]


@pytest.mark.parametrize(("tree", "expected"), CASES)
def test_what_pronouns_may_stand_for(tree: str, expected: dict[str, str]) -> None:
    assert meant(tree) == expected


@given(loaded_trees())
def test_pronouns_stand_for_what_comes_before(tree: Tree) -> None:
    table = TreeTable(tree)
    for place, words in antecedents(table).items():
        assert words
        assert max(words) < place


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
        # Such cats are those that were spoken of; others may be known.
        (f"(S {DOGS} (CC and) (S (NP (JJ such) (NNS cats)) (VP (VBP bite))))", "3 4 5", {3}),
        (f"(S {DOGS} (CC and) (S (NP (JJ such) (NNS cats)) (VP (VBP bite))))", "1 3 4 5", set()),
        ("(S (NP (JJ Such) (NNS cats)) (VP (VBP bite) (NP (NNS dogs))))", "0 1 2", set()),
        # That dog is the one that was named, not any dog that is.
        (
            f"(S {DOGS} (CC and) (S (NP (NNP Ann)) (VP (VBZ feeds) (NP (DT that) (NN dog)))))",
            "3 4 5 6",
            {5},
        ),
        (
            f"(S {DOGS} (CC and) (S (NP (NNP Ann)) (VP (VBZ feeds) (NP (DT that) (NN cat)))))",
            "3 4 5 6",
            set(),
        ),
        # Those who live there are not what was told.
        (f"(S {DOGS} (S (NP (NP (DT those)) (VP (VBG living))) (VP (VBD ran))))", "2 3 4", set()),
        # Most of these are dogs.
        (
            f"(S {DOGS} (S (NP (NP (JJS most)) (PP (IN of) (NP (DT these)))) (VP (VBD ran))))",
            "2 3 4 5",
            {4},
        ),
    ],
)
def test_pronouns_that_lose_all_they_may_refer_to(tree: str, kept: str, expected: set[int]) -> None:
    table = TreeTable(parse_tree(tree))
    assert set(orphans(table, list(map(int, kept.split())))) == expected


@given(loaded_trees())
def test_no_pronoun_of_a_whole_sentence_is_alone(tree: Tree) -> None:
    table = TreeTable(tree)
    assert orphans(table, range(len(table.words))) == []


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        (THEY, True),
        (f"(S {DOGS} (CC and) {THEY})", False),
        (f"(S (ADVP (RB Often)) {THEY})", True),
        ("(S (NP (PRP It)) (VP (VBZ rains)))", False),
        (DOGS, False),
        (f"(S (ADVP (RB Otherwise)) {DOGS})", True),
        ("(S (NP (DT Neither) (NN dog)) (VP (VBZ barks)))", True),
        ("(S (NP (DT Neither) (NNS dogs) (CC nor) (NNS cats)) (VP (VBP bark)))", False),
        ("(S (NP (ADJP (RB Otherwise) (JJ kind)) (NNS dogs)) (VP (VBP bark)))", False),
    ],
)
def test_a_sentence_leans_on_the_one_before_by_a_pronoun(tree: str, expected: bool) -> None:
    assert leans(TreeTable(parse_tree(tree))) == expected


def test_what_is_needed_is_found_once_a_sentence() -> None:
    table = TreeTable(parse_tree(f"(S {DOGS} (CC and) {THEY})"))
    assert references(table) is references(table)


@pytest.mark.parametrize(
    ("tree", "after", "expected"),
    [
        (DOGS, THEY, ["Dogs"]),
        (f"(S {DOGS} (CC and) (S (NP (NNS Cats)) (VP (VBP run))))", THEY, ["Dogs Cats"]),
        # It is not about dogs; they may be cats; and those of before are unknown.
        (DOGS, "(S (NP (PRP it)) (VP (VBZ bites)))", []),
        (DOGS, f"(S (S (NP (NNS Cats)) (VP (VBP run))) (CC and) {THEY})", []),
        (f"(S {THEY} (CC and) {DOGS})", THEY, []),
    ],
)
def test_what_the_next_sentence_needs(tree: str, after: str, expected: list[str]) -> None:
    table = TreeTable(parse_tree(tree))
    found = references_from(table, TreeTable(parse_tree(after)))
    assert all(need.wanting == frozenset(range(len(table.words))) for need in found)
    assert [" ".join(table.words[at] for at in sorted(n.wanted)) for n in found] == expected
