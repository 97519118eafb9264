from __future__ import annotations

import pytest

from treewright.propositions.classes import ClassSettings, ClassTable, build_classes
from treewright.propositions.evidence import AGENT, Evidence, agent_noun, find_evidence
from treewright.propositions.lexicon import Lexicon
from treewright.propositions.sentence import ParsedSentence
from treewright.trees import parse_tree


def modifier(name: str, noun: str, before: str = "", tag: str = "NN") -> Evidence:
    return Evidence(name, noun, before, "modifier", tag)


def who(clause: str) -> str:
    """Return the tree of a sentence about `Holt, who …`."""
    relative = f"(SBAR (WHNP (WP who)) (S {clause}))"
    return f"(ROOT (S (NP (NP (NNP Holt)) (, ,) {relative} (, ,)) (VP (VBD left)) (. .)))"


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
        ("(ROOT (NP (NNP Rookie) (NNP Jay) (NNP Ray)))", ("Jay_Ray", "rookie", "title")),
        (
            "(ROOT (NP (NP (NNS receivers)) (PP (JJ such) (IN as) (NP (NNP Holt)))))",
            ("Holt", "receiver", "such as"),
        ),
        (
            "(ROOT (NP (NP (NNS receivers)) (PP (JJ such) (IN as)"
            " (NP (NP (NNP Al) (NNP Holt)) (CC and) (NP (NNP Rice))))))",
            ("Rice", "receiver", "such as"),
        ),
        ("(ROOT (NP (NNP Mr.) (NNP Holt)))", ("Holt", "Mr.", "title")),
        (who("(VP (VBZ plays) (NP (NN guard)))"), ("Holt", "guard", "relative")),
        (who("(VP (VBZ plays) (PP (IN for) (NP (NNP Dallas))))"), ("Holt", "player", "relative")),
        (who("(VP (VBZ is) (NP (DT a) (NN receiver)))"), ("Holt", "receiver", "relative")),
        (
            who("(VP (VBD worked) (PP (IN as) (NP (DT a) (NN scout))))"),
            ("Holt", "scout", "relative"),
        ),
        (
            who("(VP (VBD was) (VP (VBN named) (NP (NN captain))))"),
            ("Holt", "captain", "relative"),
        ),
    ],
)
def test_evidence(text: str, expected: tuple[str, str, str]) -> None:
    every = [
        (one.name, one.noun, one.way) for one in find_evidence(ParsedSentence(parse_tree(text)))
    ]
    assert expected in every


@pytest.mark.parametrize(
    "text",
    [
        who("(VP (VBD scored) (NP (CD 20) (NNS points)))"),
        who("(VP (VBZ plays) (NP (DT a) (NN game)))").replace("who", "which"),
        who("(VP (VBD threw) (NP (DT a) (NN pass)))"),
        "(ROOT (S (NP (NNP Holt)) (VP (VBD knew) (SBAR (WHNP (WP who)) (S (VP (VBZ plays)"
        " (NP (NN guard))))))))",
    ],
)
def test_no_class_from_other_clauses(text: str) -> None:
    found = find_evidence(ParsedSentence(parse_tree(text)))
    assert not [one for one in found if one.way == "relative"]


@pytest.mark.parametrize(
    ("verb", "noun"),
    [
        ("play", "player"),
        ("manage", "manager"),
        ("run", "runner"),
        ("coach", "coach"),
        ("direct", "director"),
        ("operate", "operator"),
        ("carry", "carrier"),
        ("train", "trainer"),
    ],
)
def test_agent_nouns(verb: str, noun: str) -> None:
    assert agent_noun(verb) == noun


def test_what_somebody_does_is_a_class_only_if_names_are_called_so() -> None:
    found = [Evidence("A_B", "player", "", "relative", AGENT)]
    assert not build_classes(found, {}, ClassSettings()).classes("A_B")
    found += [modifier("C_D", "player"), modifier("E_F", "player")]
    assert build_classes(found, {}, ClassSettings()).classes("A_B") == {"player": 0.25}
    without = ClassSettings(ways=("modifier",))
    assert not build_classes(found, {}, without).classes("A_B")


def test_titles() -> None:
    found = [modifier(name, "captain") for name in ("A_B", "C_D", "E_F")]
    found += [
        Evidence("Sue_Ray", "Dame", "", "title"),
        Evidence("Jay_Ray", "captain", "", "title", "NNP"),
        Evidence("Low", "captain", "", "title", "NNP"),
        Evidence("Center", "target", "", "title", "NNP"),
    ]
    table = build_classes(found, {}, ClassSettings())
    assert set(table.classes("Sue_Ray")) == {"woman"}
    assert table.name("Dame_Sue_Ray") == "Sue_Ray"
    assert set(table.classes("Low")) == {"captain"}
    assert table.name("Captain_Low") == "Low"
    assert table.name("Target_Center") == "Target_Center"
    without = build_classes(found, {}, ClassSettings(ways=("modifier",)))
    assert not without.classes("Low")
    assert without.name("Dame_Sue_Ray") == "Dame_Sue_Ray"


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


def test_an_unknown_name_is_no_month() -> None:
    lexicon = Lexicon(build_classes([], {}, ClassSettings()), {})
    assert [noun for noun, _ in lexicon.candidates["<name>"]] == ["name"]


def test_letters_stand_for_the_class_that_they_abbreviate() -> None:
    names = ("A_B", "C_D", "E_F")
    found = [Evidence(name, "QB", "", "letters") for name in names]
    found += [modifier("A_B", "quarterback"), modifier("G_H", "quarterback")]
    table = build_classes(found, {}, ClassSettings())
    assert table.classes("C_D") == {"quarterback": 1.0}
    assert table.name("QB_C_D") == "C_D"


def test_letters_of_a_league_are_no_class() -> None:
    found = [Evidence(name, "AFC", "", "letters") for name in ("North", "South", "East")]
    assert build_classes(found, {}, ClassSettings()).prefixes == {}


def test_a_title_is_no_part_of_a_name() -> None:
    found = [modifier(name, "rookie") for name in ("A_B", "C_D", "E_F")]
    found.append(Evidence("Jay_Ray", "rookie", "", "title", "NNP"))
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
