"""Limits: what may be asked for, how much room it gives, and what a token takes of it."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.compression import Limit
from treewright.compression.limits import UNLIMITED, Tokenizer
from treewright.errors import UsageError
from treewright.text import Sentence, split_sentences, tokenize

from ..text.strategies import texts

TEXT = "Well,  he didn't pay $5 (or 20%) today."


def sentence_of(text: str) -> Sentence:
    return Sentence(text, tokenize(text))


def words(number: int) -> Sentence:
    return sentence_of(" ".join(["dog"] * number))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"rate": 0.5, "max_words": 3}, "rate and max_words contradict each other"),
        ({"max_words": 3, "max_chars": 9, "max_tokens": 1}, "max_words and max_chars and max_tok"),
        ({"rate": 0.0}, "rate must be above 0 and at most 1, found 0.0"),
        ({"rate": 1.01}, "rate must be above 0 and at most 1, found 1.01"),
        ({"rate": -0.5}, "found -0.5"),
        ({"rate": math.nan}, "found nan"),
        ({"rate": math.inf}, "found inf"),
        ({"max_words": 0}, "max_words must be a whole number of at least 1, found 0"),
        ({"max_chars": -1}, "max_chars must be a whole number of at least 1, found -1"),
        ({"max_tokens": 2.5}, "max_tokens must be a whole number of at least 1, found 2.5"),
        ({"max_words": "3"}, "max_words must be a whole number of at least 1, found '3'"),
        ({"max_words": True}, "max_words must be a whole number of at least 1, found True"),
        ({"tokenizer": str.split}, "a tokenizer is for max_tokens, which is not given"),
        ({"max_words": 3, "tokenizer": len}, "a tokenizer is for max_tokens"),
        ({"max_words": 3, "per": "line"}, "unknown scope 'line'; choose one of: sentence, text"),
    ],
    ids=str,
)
def test_a_limit_that_makes_no_sense_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Limit(**given)


def test_no_limit_is_no_limit() -> None:
    assert not UNLIMITED.is_given
    for name, value in {"rate": 1.0, "max_words": 1, "max_chars": 1, "max_tokens": 1}.items():
        assert Limit(**{name: value}).is_given  # type: ignore[arg-type]


def test_numbers_of_numpy_are_numbers() -> None:
    assert Limit(max_words=np.int64(3)).room([words(9)]) == 3  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("rate", "number", "room"),
    [
        (0.5, 10, 5),
        (0.5, 11, 5),
        (0.29, 100, 29),
        (0.57, 100, 57),
        (0.7, 10, 7),
        (0.1, 3, 1),
        (0.01, 1, 1),
        (1.0, 7, 7),
        (0.999, 7, 6),
        (1 / 3, 9, 3),
    ],
)
def test_a_rate_is_rounded_down_yet_leaves_a_word(rate: float, number: int, room: int) -> None:
    assert Limit(rate=rate).room([words(number)]) == room


@given(st.integers(1, 100), st.integers(1, 60))
def test_a_rate_in_hundredths_is_taken_as_it_is_written(hundredths: int, number: int) -> None:
    exact = max(1, math.floor(Fraction(hundredths, 100) * number))
    assert Limit(rate=hundredths / 100).room([words(number)]) == exact


def test_a_rate_is_of_the_words_of_all_sentences_together() -> None:
    assert Limit(rate=0.5).room([words(3), words(3)]) == 3
    assert Limit(rate=0.5).room([words(3)]) == 1
    assert Limit(rate=0.5).room([sentence_of("No — !!! 👍 5, yes.")]) == 1


@pytest.mark.parametrize("name", ["max_words", "max_chars", "max_tokens"])
def test_a_number_is_the_room_whatever_there_is(name: str) -> None:
    limit = Limit(**{name: 7})  # type: ignore[arg-type]
    assert limit.room([words(3)]) == limit.room([words(30), words(2)]) == 7


def test_words_have_a_letter_or_a_digit() -> None:
    sentence = sentence_of(TEXT)
    expected = {"Well": 1, "he": 1, "did": 1, "n't": 1, "pay": 1, "5": 1, "or": 1, "20": 1}
    costs = Limit(max_words=1).costs(sentence).tolist()
    found = {word: cost for word, cost in zip(sentence.words, costs, strict=True) if cost}
    assert found == {**expected, "today": 1}
    assert Limit(rate=0.5).costs(sentence).tolist() == costs == UNLIMITED.costs(sentence).tolist()
    assert Limit(max_words=1).measure(TEXT) == 9


def test_characters_have_the_white_space_before_them() -> None:
    sentence = sentence_of("  He,  too.")
    limit = Limit(max_chars=1)
    assert limit.costs(sentence).tolist() == [3, 1, 5, 1]
    assert limit.measure("He,  too.") == 9
    assert limit.measure("👍🏽é") == 3


def test_characters_of_a_later_sentence_are_counted_from_its_start() -> None:
    second = split_sentences("He came. She left.")[1]
    assert Limit(max_chars=1).costs(second).tolist() == [4, 5, 1]


def test_tokens_are_the_packages_own_if_nothing_is_said() -> None:
    limit = Limit(max_tokens=1)
    assert limit.costs(sentence_of(TEXT)).tolist() == [1] * 15
    assert limit.measure(TEXT) == 15
    assert limit.measure("") == 0


@pytest.mark.parametrize(
    "tokenizer",
    [
        str.split,
        lambda text: len(text.split()),
        lambda text: np.int64(len(text.split())),
        lambda text: np.array(text.split()),
        lambda text: tuple(text.split()),
    ],
)
def test_a_tokenizer_gives_tokens_or_their_number(tokenizer: Tokenizer) -> None:
    limit = Limit(max_tokens=3, tokenizer=tokenizer)
    assert limit.measure("the old dog barked.") == 4
    assert limit.costs(sentence_of("the old dog barked.")).tolist() == [1, 1, 1, 1, 1]


def test_a_tokenizer_sees_the_space_before_a_token() -> None:
    seen = []

    def tokenizer(text: str) -> int:
        seen.append(text)
        return len(text)

    limit = Limit(max_tokens=3, tokenizer=tokenizer)
    assert limit.costs(sentence_of(" The  dog.")).tolist() == [3, 5, 1]
    assert seen == ["The", "  dog", "."]


def test_no_token_is_for_free_under_a_tokenizer() -> None:
    limit = Limit(max_tokens=3, tokenizer=lambda text: len(text) // 4)
    assert limit.costs(sentence_of("The dog is gone")).tolist() == [1, 1, 1, 1]


LIMITS = [
    Limit(rate=0.5),
    Limit(max_chars=5),
    Limit(max_tokens=5),
    Limit(max_tokens=5, tokenizer=lambda text: math.ceil(len(text) / 4)),
]


@given(texts, st.sampled_from(LIMITS))
def test_whole_sentences_cost_what_they_measure_or_little_more(text: str, limit: Limit) -> None:
    for sentence in split_sentences(text):
        costs = limit.costs(sentence)
        assert len(costs) == len(sentence.tokens)
        assert costs.min() >= 0
        measured = limit.measure(sentence.detokenize())
        if limit.max_chars is not None:
            assert costs.sum() == measured + 1
        elif limit.tokenizer is not None:
            assert costs.sum() >= measured
