"""Whole sentences that go for a limit, and floors: against all combinations of versions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.compression import Limit
from treewright.compression.fitting import DROPPED, DROPPED_FIRST, fit, put_together
from treewright.compression.limits import UNLIMITED
from treewright.errors import UsageError
from treewright.text import split_sentences

from .test_fitting import NEVER, Row, curves_of_words, lengths, rows

Curves = list[list[float]]
flags = st.lists(st.booleans(), min_size=4, max_size=4)


def choices(curves: Curves, may_go: Sequence[bool]) -> dict[tuple[int, ...], float]:
    """Every choice of lengths that leaves something, with its worth; 0 is a sentence that goes."""
    curves = [
        [(DROPPED if number else DROPPED_FIRST) if goes else NEVER, *curve]
        for number, (curve, goes) in enumerate(zip(curves, may_go, strict=False))
    ]
    found = {
        counts: sum(curve[n] for curve, n in zip(curves, counts, strict=True))
        for counts in product(*[range(len(curve)) for curve in curves])
    }
    return {counts: worth for counts, worth in found.items() if worth > NEVER and any(counts)}


def loose_rows(curves: Curves, may_go: Sequence[bool]) -> tuple[str, list[Row]]:
    text, candidates = rows(curves, has_whole=False)
    return text, [replace(row, may_go=g) for row, g in zip(candidates, may_go, strict=False)]


@given(curves_of_words, st.integers(1, 20), flags)
def test_sentences_go_where_that_is_worth_more(
    curves: Curves, most: int, may_go: list[bool]
) -> None:
    text, candidates = loose_rows(curves, may_go)
    result = fit(text, candidates, Limit(max_words=most), drop_sentences=True)
    every = choices(curves, may_go if len(curves) > 1 else [False])
    within = {counts: worth for counts, worth in every.items() if sum(counts) <= most}
    counts = tuple(lengths(result))
    assert result.met == bool(within)
    if within:
        assert within[counts] == max(within.values())
    else:
        # Nothing is won by dropping sentences.
        assert sum(counts) == min(sum(counts) for counts in every if all(counts))
    assert [part.dropped for part in result.sentences] == [n == 0 for n in counts]


@given(curves_of_words, st.integers(1, 60), flags)
def test_at_least_one_sentence_stays_and_characters_fit_if_they_can(
    curves: Curves, most: int, may_go: list[bool]
) -> None:
    text, candidates = loose_rows(curves, may_go)
    result = fit(text, candidates, Limit(max_chars=most), drop_sentences=True)
    sizes = {
        counts: len("\n\n".join([" ".join(["dog"] * n) for n in counts if n]))
        for counts in choices(curves, may_go if len(curves) > 1 else [False])
    }
    assert "dog" in result.text
    assert result.met == (len(result.text) <= most) == (min(sizes.values()) <= most)
    if not result.met:
        assert len(result.text) == min(size for counts, size in sizes.items() if all(counts))


@given(curves_of_words, st.integers(1, 20), st.sampled_from([0.1, 0.5, 0.9, 1.0]))
def test_a_floor_is_reached_where_the_limit_lets_it(
    curves: Curves, most: int, floor: float
) -> None:
    text, candidates = rows(curves, has_whole=False)
    result = fit(text, candidates, Limit(max_words=most, at_least=floor))
    every = choices(curves, [False] * len(curves))
    check_floor(lengths(result), every, sum(map(len, curves)) * floor, most)


@given(curves_of_words, st.sampled_from([0.1, 0.5, 0.9, 1.0]))
def test_a_floor_needs_no_limit(curves: Curves, floor: float) -> None:
    text, candidates = rows(curves, has_whole=False)
    result = fit(text, candidates, Limit(at_least=floor))
    every = choices(curves, [False] * len(curves))
    assert result.met
    check_floor(lengths(result), every, sum(map(len, curves)) * floor, sum(map(len, curves)))


def check_floor(
    counts: list[int], every: dict[tuple[int, ...], float], floor: float, most: int
) -> None:
    within = {n: worth for n, worth in every.items() if sum(n) <= most}
    if not within:
        assert sum(counts) == min(map(sum, every))
        return
    above = {n: worth for n, worth in within.items() if sum(n) >= floor - 1e-9}
    if above:
        assert above[tuple(counts)] == max(above.values())
    else:
        assert sum(counts) == max(map(sum, within))


@pytest.mark.parametrize(
    ("limit", "drops"),
    [
        (Limit(max_words=2), False),
        (Limit(max_words=2, per="sentence"), True),
        (UNLIMITED, True),
        (Limit(at_least=0.5), True),
    ],
)
def test_sentences_go_only_where_several_share_a_limit(limit: Limit, drops: bool) -> None:
    text, candidates = loose_rows([[-9.0, -9.0, -9.0], [-9.0, -9.0, -9.0]], [True, True])
    result = fit(text, candidates, limit, drop_sentences=drops)
    assert not any(part.dropped for part in result.sentences)
    assert fit(text, candidates, Limit(max_words=2), drop_sentences=True).text.count("dog") < 3


def test_one_sentence_never_goes() -> None:
    text, candidates = loose_rows([[-9.0, -9.0]], [True])
    assert fit(text, candidates, Limit(max_words=1), drop_sentences=True).text == "dog"


def test_the_first_sentence_goes_last() -> None:
    text, candidates = loose_rows([[NEVER, 0.0]] * 3, [True] * 3)
    result = fit(text, candidates, Limit(max_words=2), drop_sentences=True)
    assert lengths(result) == [2, 0, 0]


@pytest.mark.parametrize(
    ("gone", "text"),
    [
        ((), "One a.  Two b.\n\nThree c."),
        ((0,), "Two b.\n\nThree c."),
        ((1,), "One a.\n\nThree c."),
        ((2,), "One a.  Two b."),
        ((0, 1), "Three c."),
    ],
)
def test_sentences_are_joined_with_what_stood_before_them(gone: tuple[int, ...], text: str) -> None:
    source = "One a.  Two b.\n\nThree c."
    parts = []
    for number, sentence in enumerate(split_sentences(source)):
        part = Row(sentence, [0.0] * len(sentence.tokens)).version(len(sentence.tokens))
        if number in gone:
            part = replace(part, text="", spans=(), kept=(), dropped=True)
        parts.append(part)
    result = put_together(source, parts)
    assert result.text == text
    assert "".join(source[start:end] for start, end in result.spans) == text
    assert [result.tokens[place] for place in result.kept] == text.replace(".", " .").split()


# The floor itself.


@pytest.mark.parametrize("value", [0, -0.1, 1.01, float("nan"), True])
def test_a_floor_is_a_share(value: Any) -> None:
    with pytest.raises(UsageError, match="at_least must be above 0 and at most 1"):
        Limit(at_least=value)


def test_a_floor_is_a_number() -> None:
    with pytest.raises(UsageError, match="at_least"):
        Limit(at_least="0.5")  # type: ignore[arg-type]


@given(hundredths=st.integers(1, 100), length=st.integers(0, 500))
def test_a_floor_is_rounded_up_as_it_is_written(hundredths: int, length: int) -> None:
    floor = Limit(at_least=hundredths / 100).floor_of(length)
    assert floor == -(-hundredths * length // 100)


def test_no_floor_is_none() -> None:
    assert Limit(rate=0.5).floor_of(100) == 0
    assert not Limit(at_least=0.5).is_given
