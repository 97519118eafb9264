from __future__ import annotations

import pytest

from treewright.errors import DataError
from treewright.text import Truecaser

TEXT = [
    line.split()
    for line in (
        "The man met Anna in Berlin .",
        "Then Anna left the city .",
        "May I ? I may .",
        "THE WHOLE LINE IN CAPITALS",
        "A Title In Which Berlin Stands",
        "She said : Yes , it may rain . Berlin is far from the USA .",
    )
]


@pytest.fixture(scope="module")
def truecaser() -> Truecaser:
    return Truecaser.learn(TEXT)


@pytest.mark.parametrize(
    ("words", "truecased"),
    [
        ("The man left", "the man left"),
        ("Anna left", "Anna left"),
        ("May she ?", "may she ?"),
        ('" The man "', '" the man "'),
        ("Zebras met The man . The USA", "Zebras met The man . the USA"),
        ("", ""),
    ],
)
def test_first_words_get_their_usual_form(truecaser: Truecaser, words: str, truecased: str) -> None:
    assert truecaser.truecase(words.split()) == truecased.split()


@pytest.mark.parametrize(
    ("words", "recased"),
    [
        ("the man met anna in berlin .", "The man met Anna in Berlin ."),
        ("may i ? i may .", "May I ? I may ."),
        ('" zebras live in the usa ! " the man left', '" Zebras live in the USA ! " The man left'),
        ("ANNA may", "ANNA may"),
        ("3 men left", "3 men left"),
    ],
)
def test_output_in_lower_case_gets_its_capitals(
    truecaser: Truecaser, words: str, recased: str
) -> None:
    assert truecaser.recase(words.split()) == recased.split()


def test_titles_and_punctuation_teach_nothing(truecaser: Truecaser) -> None:
    assert truecaser.recase(["x", "whole", "title"]) == ["X", "whole", "title"]
    assert b"." not in truecaser.parts()["usual_case.txt"]


def test_ties_go_to_lower_case() -> None:
    text = [["a", "Rose", "b"], ["a", "rose", "b"]]
    assert Truecaser.learn(text).recase(["a", "rose"]) == ["A", "rose"]
    assert Truecaser.learn(text[::-1]).parts() == Truecaser.learn(text).parts()


def test_a_truecaser_comes_back_from_its_parts(truecaser: Truecaser) -> None:
    again = Truecaser.from_parts(truecaser.parts())
    assert again.parts() == truecaser.parts()
    assert len(again) == len(truecaser)
    with pytest.raises(DataError, match=r"x\.model: the truecaser in it cannot be read"):
        Truecaser.from_parts({}, where="x.model")
    with pytest.raises(DataError, match="cannot be read"):
        Truecaser.from_parts({"usual_case.txt": b"\xff\n"})
