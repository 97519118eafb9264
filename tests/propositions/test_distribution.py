from __future__ import annotations

from collections import Counter

import pytest

from treewright.propositions.classes import ClassTable
from treewright.propositions.distribution import likely_classes
from treewright.propositions.gathering import Key
from treewright.propositions.sentence import Kind

NAMED = {"A_B": {"quarterback": 1.0}, "C_D": {"receiver": 1.0}}


def says(subject: str, verb: str, target: str, name: bool = True) -> Key:
    kind = Kind.NAME if name else Kind.NOUN
    return "NVN", (subject, verb, target), (kind, Kind.VERB, Kind.NOUN)


@pytest.fixture
def instances() -> Counter[Key]:
    return Counter(
        {
            says("quarterback", "throw", "pass", name=False): 30,
            says("receiver", "catch", "pass", name=False): 30,
            says("team", "win", "game", name=False): 30,
            says("A_B", "throw", "pass"): 5,
            says("C_D", "catch", "pass"): 5,
            says("E_F", "throw", "pass"): 3,
            says("G_H", "catch", "pass"): 3,
            says("Rams", "win", "game"): 3,
            says("Bears", "trail", "game"): 3,
        }
    )


def best(found: dict[str, dict[str, float]], name: str) -> str:
    return max(found[name], key=lambda noun: found[name][noun])


def test_a_name_is_what_it_does(instances: Counter[Key]) -> None:
    found = likely_classes(instances, ClassTable(NAMED), {})
    assert best(found, "E_F") == "quarterback"
    assert best(found, "G_H") == "receiver"
    assert sum(found["E_F"].values()) == pytest.approx(1.0)


def test_names_with_an_article_are_of_classes_that_have_one(instances: Counter[Key]) -> None:
    table = ClassTable({**NAMED, "Rams": {"team": 1.0}})
    for articles, expected in (({"Rams": 0.9, "Bears": 0.9}, "team"), ({"Rams": 0.9}, "receiver")):
        instances[says("C_D", "trail", "game")] = 1
        found = likely_classes(instances, table, articles)
        assert best(found, "Bears") == expected
        assert best(found, "E_F") == "quarterback"


def test_without_classes_there_is_nothing_to_compare(instances: Counter[Key]) -> None:
    assert likely_classes(instances, ClassTable({}), {}) == {}
