from __future__ import annotations

import pytest

from treewright.propositions.classes import ClassSettings, ClassTable, build_classes
from treewright.propositions.evidence import Evidence, find_evidence
from treewright.propositions.lexicon import Lexicon
from treewright.propositions.sentence import ParsedSentence
from treewright.trees import parse_tree


def modifier(name: str, noun: str, before: str = "", tag: str = "NN") -> Evidence:
    return Evidence(name, noun, before, "modifier", tag)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "(ROOT (NP (NN quarterback) (NNP Steve) (NNP Young)))",
            ("Steve_Young", "quarterback", "modifier"),
        ),
        (
            "(ROOT (S (NP (NP (NNP Holt)) (, ,) (NP (DT the) (NN receiver)) (, ,))"
            " (VP (VBD left))))",
            ("Holt", "receiver", "apposition"),
        ),
        (
            "(ROOT (S (NP (NNP Holt)) (VP (VBZ is) (NP (DT a) (NN receiver)))))",
            ("Holt", "receiver", "copula"),
        ),
        ("(ROOT (NP (NNP QB) (NNP Steve) (NNP Young)))", ("Steve_Young", "QB", "letters")),
        ("(ROOT (NP (NNP Rookie) (NNP Jay) (NNP Ray)))", ("Jay_Ray", "rookie", "letters")),
        (
            "(ROOT (NP (NP (NNS receivers)) (PP (JJ such) (IN as) (NP (NNP Holt)))))",
            ("Holt", "receiver", "such as"),
        ),
    ],
)
def test_evidence(text: str, expected: tuple[str, str, str]) -> None:
    every = [
        (one.name, one.noun, one.way) for one in find_evidence(ParsedSentence(parse_tree(text)))
    ]
    assert expected in every


def test_a_noun_used_for_one_name_only_is_left_out() -> None:
    found = [modifier("A_B", "guard"), modifier("C_D", "guard"), modifier("A_B", "evening")]
    table = build_classes(found, {}, ClassSettings())
    assert table.classes("A_B") == {"guard": 1.0}
    assert build_classes(found, {}, ClassSettings(entities=1)).classes("A_B").keys() == {
        "guard",
        "evening",
    }


def test_a_name_has_at_most_so_many_classes() -> None:
    found = [
        modifier(name, noun)
        for place, noun in enumerate(("a", "b", "c", "d"))
        for name in ("A_B", "C_D")
        for _ in range(5 - place)
    ]
    table = build_classes(found, {}, ClassSettings(most=2))
    assert list(table.classes("A_B")) == ["a", "b"]


def test_unknown_names_have_the_commonest_classes() -> None:
    table = ClassTable({"A_B": {"guard": 2.0}, "C_D": {"host": 1.0}})
    lexicon = Lexicon(table, {"C_D": 1.0}, unknown=1)
    assert [noun for noun, _ in lexicon.candidates["<name>"]] == ["guard"]
    both = Lexicon(table, {"C_D": 1.0}).candidates
    # A host takes an article, and so does the name that is looked up.
    assert dict(both["<the name>"])["host"] > dict(both["<the name>"])["guard"]


def test_letters_stand_for_the_class_that_they_abbreviate() -> None:
    names = ("A_B", "C_D", "E_F")
    found = [Evidence(name, "QB", "", "letters") for name in names]
    found += [modifier("A_B", "quarterback"), modifier("G_H", "quarterback")]
    table = build_classes(found, {}, ClassSettings())
    assert table.classes("C_D") == {"quarterback": 1.0}
    assert table.name("QB_C_D") == "C_D"
    assert table.written("QB_C_D") == "quarterback"


def test_letters_of_a_league_are_no_class() -> None:
    found = [Evidence(name, "AFC", "", "letters") for name in ("North", "South", "East")]
    assert build_classes(found, {}, ClassSettings()).prefixes == {}


def test_a_title_is_no_part_of_a_name() -> None:
    found = [modifier(name, "rookie") for name in ("A_B", "C_D", "E_F")]
    found.append(Evidence("Jay_Ray", "rookie", "", "letters", "NNP"))
    table = build_classes(found, {}, ClassSettings())
    assert table.name("Rookie_Jay_Ray") == "Jay_Ray"
    assert table.classes("Jay_Ray") == {"rookie": 1.0}


def test_mistagged_nouns_count_if_they_are_nouns_elsewhere() -> None:
    found = [modifier("A_B", "forward", tag="RB"), modifier("C_D", "forward", tag="RB")]
    assert build_classes(found, {"forward": 5}, ClassSettings()).classes("A_B")
    assert not build_classes(found, {}, ClassSettings()).classes("A_B")


def test_compounds_are_one_class() -> None:
    found = [modifier(name, "back", "running") for name in ("A_B", "C_D", "E_F")] * 2
    found += [modifier("G_H", "back", "star"), modifier("G_H", "guard", "star")]
    found += [modifier("A_B", "guard")]
    table = build_classes(found, {}, ClassSettings())
    assert "running back" in table.classes("A_B")
    assert "back" in table.classes("G_H")


def test_calendar_names_need_no_evidence() -> None:
    assert build_classes([], {}, ClassSettings()).classes("Monday") == {"day": 1.0}
