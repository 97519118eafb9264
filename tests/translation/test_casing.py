"""Capitals: what a model sees, and what people see."""

from __future__ import annotations

import pytest

from treewright.errors import UsageError
from treewright.translation import Casing

TEXT = [
    line.split() for line in ("Der Mann sieht den Hund .", "Ein Hund bellt .", "er sieht Anna .")
]


@pytest.mark.parametrize(
    "name, seen, shown",
    [
        ("lower", "der hund sieht anna .", "Der Hund sieht Anna ."),
        ("true", "Der Hund sieht Anna .", "Der Hund sieht Anna ."),
        ("cased", "Der Hund sieht Anna .", "Der Hund sieht Anna ."),
    ],
)
def test_words_go_in_as_the_model_knows_them_and_come_out_as_people_write_them(
    name: str, seen: str, shown: str
) -> None:
    casing = Casing.learn(name, TEXT)
    prepared = casing.prepare(["Der", "Hund", "sieht", "Anna", "."])
    assert " ".join(prepared) == seen
    assert " ".join(casing.finish(prepared)) == shown
    restored = Casing.from_parts(casing.parts())
    assert restored.finish(prepared) == casing.finish(prepared)


def test_a_first_word_is_seen_in_its_usual_form() -> None:
    casing = Casing.learn("true", TEXT)
    assert casing.prepare(["Sieht", "er", "Anna", "?"]) == ["sieht", "er", "Anna", "?"]
    assert casing.finish(["sieht", "er", "Anna", "?"]) == ["Sieht", "er", "Anna", "?"]


def test_an_unknown_casing_is_an_error() -> None:
    with pytest.raises(UsageError, match="lower"):
        Casing.learn("upper", TEXT)
