"""What is not English prose stays as it is, and says so; the rest is shortened."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from treewright.compression import Compressor, Request
from treewright.text import Kind, tokenize
from treewright.trees import Tree

from .test_compressor import Branching, words_of
from .test_explaining_models import learned

GERMAN = "Der alte Minister ist am Montag in Paris zurückgetreten."
ENGLISH = "The old minister resigned in Paris on Monday."
CODE = "```python\nx = total(items)\n```"
TEXT = f"{ENGLISH}\n{CODE}\n{GERMAN} Prices fell sharply in London."


class Noting(Branching):
    """A parser that notes what it reads."""

    def __init__(self) -> None:
        self.read: list[str] = []

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[Tree]:
        self.read += [" ".join(words) for words in sentences]
        return super().parse(sentences)


@pytest.fixture
def parser() -> Noting:
    return Noting()


@pytest.fixture
def compressor(parser: Noting) -> Compressor:
    return Compressor(learned("crf"), parser=parser)


def test_other_kinds_stay_and_are_not_parsed(compressor: Compressor, parser: Noting) -> None:
    result = compressor.compress(TEXT, trees=True)
    assert [part.left for part in result.sentences] == [None, Kind.CODE, Kind.FOREIGN, None]
    assert result.left == (Kind.CODE, Kind.FOREIGN)
    assert f"\n{CODE}\n{GERMAN}" in result.text
    assert len(result.text) < len(TEXT)
    assert [line.split()[0] for line in parser.read] == ["The", "Prices"]
    assert result.errors == ()


def test_any_language_is_shortened_if_requested(compressor: Compressor, parser: Noting) -> None:
    result = compressor.compress(TEXT, rate=0.5, language="any")
    assert result.left == ()
    assert result.met
    assert any("Minister" in line for line in parser.read)


def test_other_sentences_share_the_room_that_is_left(compressor: Compressor) -> None:
    alone = words_of(compressor.compress(f"{CODE}\n{GERMAN}"))
    result = compressor.compress(TEXT, max_words=alone + 5)
    assert result.met
    assert GERMAN in result.text
    assert alone + 2 <= words_of(result) <= alone + 5


def test_a_limit_that_other_kinds_exceed_is_not_met(compressor: Compressor) -> None:
    result = compressor.compress(TEXT, max_words=3)
    assert not result.met
    assert f"\n{CODE}\n{GERMAN}" in result.text


def test_text_within_its_limit_stays_because_of_the_limit(
    compressor: Compressor, parser: Noting
) -> None:
    result = compressor.compress(GERMAN, max_words=20, trees=True)
    assert (result.text, result.left, parser.read) == (GERMAN, (), [])


def test_tokens_have_a_kind_too(compressor: Compressor) -> None:
    assert compressor.compress([token.text for token in tokenize(GERMAN)]).left == (Kind.FOREIGN,)
    assert compressor.compress([token.text for token in tokenize(ENGLISH)]).left == ()


def test_json_says_why_a_sentence_was_left(compressor: Compressor) -> None:
    [result] = compressor.compress_each([TEXT], Request(alternatives=1))
    assert not isinstance(result, Exception)
    values = result.as_dict(explain=True)
    assert values["left"] == {"code": 1, "foreign": 1}
    assert [part.get("left") for part in values["sentences"]] == [None, "code", "foreign", None]
    assert "left" not in compressor.compress(ENGLISH).as_dict()
