"""A text fitted into a limit, against all combinations of its sentences' versions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from treewright.compression import Limit
from treewright.compression.candidates import Candidates, Unchanged, has_words
from treewright.compression.finding import find_prunings
from treewright.compression.fitting import LIKELY, UNLIKELY, fit, put_together, shares
from treewright.compression.limits import UNLIMITED
from treewright.compression.result import Compression, Shortened
from treewright.corpora import is_word
from treewright.errors import DataError
from treewright.text import Sentence, cut, split_sentences

from ..profiles import examples
from .stages import at_once
from .test_compressor import Branching
from .test_explaining import pruning_model

brief = examples(40)
NEVER = -math.inf


@dataclass
class Row:
    """A sentence of words that keeps its first ones; `known` are the scores of 1, 2, … words, and
    `odds`, where known, what readers think of them.
    """

    sentence: Sentence
    known: Sequence[float]
    demanded: frozenset[int] = frozenset()
    has_whole: bool = True
    may_go: bool = False
    odds: Sequence[float] | None = None
    fills: bool = False
    leans: bool = False

    @property
    def scores(self) -> np.ndarray:
        return np.array([NEVER, *self.known])

    def version(self, cost: int) -> Shortened:
        assert self.scores[cost] > NEVER
        kept = tuple(range(cost))
        text, spans = cut(self.sentence, kept)
        acceptable = None if self.odds is None else self.odds[cost - 1]
        return Shortened(text, spans, kept, None, 0.0, acceptable, sentence=self.sentence)

    def whole(self) -> Shortened | None:
        return self.version(len(self.sentence.tokens)) if self.has_whole else None


def rows(curves: Sequence[Sequence[float]], *, has_whole: bool = True) -> tuple[str, list[Row]]:
    """A text of one paragraph a curve, with as many words as the curve has scores."""
    text = "\n\n".join(" ".join(["dog"] * len(curve)) for curve in curves)
    found = split_sentences(text)
    return text, [
        Row(sentence, curve, has_whole=has_whole)
        for sentence, curve in zip(found, curves, strict=True)
    ]


def lengths(result: Compression) -> list[int]:
    return [len(part.kept) for part in result.sentences]


score = st.one_of(st.integers(-8, 8).map(float), st.just(NEVER))
curves_of_words = st.lists(
    st.lists(score, min_size=1, max_size=5).filter(lambda curve: max(curve) > NEVER),
    min_size=1,
    max_size=4,
)


def worth(curves: Sequence[Sequence[float]], counts: Sequence[int]) -> float:
    return sum(curve[n - 1] for curve, n in zip(curves, counts, strict=True))


@given(curves_of_words, st.integers(1, 20))
def test_the_room_of_a_text_is_shared_where_it_is_worth_most(
    curves: list[list[float]], most: int
) -> None:
    text, candidates = rows(curves, has_whole=False)
    result = fit(text, candidates, Limit(max_words=most))
    counts = lengths(result)
    every = [
        choice
        for choice in product(*[range(1, len(curve) + 1) for curve in curves])
        if worth(curves, choice) > NEVER
    ]
    within = [choice for choice in every if sum(choice) <= most]
    assert result.met == bool(within)
    assert {part.met for part in result.sentences} == {result.met}
    if within:
        assert sum(counts) <= most
        assert worth(curves, counts) == max(worth(curves, choice) for choice in within)
    else:
        assert sum(counts) == min(map(sum, every))


@pytest.mark.parametrize(
    ("most", "kept"),
    [
        (5, 5),
        (4, 4),
        # Two words score less than three, but readers would accept them.
        (3, 2),
    ],
)
def test_a_shorter_version_is_taken_instead_of_one_that_hardly_any_reader_accepts(
    most: int, kept: int
) -> None:
    text, [row] = rows([[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]], has_whole=False)
    candidates = [replace(row, odds=[0.0, UNLIKELY, 0.0, 1.0, 1.0, 1.0, 1.0])]
    result = fit(text, candidates, Limit(max_words=most))
    assert (lengths(result), result.met) == ([kept], True)


@pytest.mark.parametrize(
    ("odds", "exceeds", "kept"),
    [
        # Two words would be readable enough within a limit, four are beyond it.
        ([0.0, UNLIKELY, 0.0, LIKELY, 1.0, 1.0, 1.0], True, 4),
        ([0.0, UNLIKELY, 0.0, LIKELY, 1.0, 1.0, 1.0], False, 1),
        ([0.0, 0.1, 0.3, 0.0, 1.0, 1.0, 1.0], True, 5),
        # Nothing is readable: the best of it.
        ([0.0, 0.1, 0.3, 0.0, 0.1, 0.2, 0.1], True, 3),
    ],
)
def test_what_hardly_any_reader_accepts_exceeds_the_limit_or_not(
    odds: list[float], exceeds: bool, kept: int
) -> None:
    text, [row] = rows([[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]], has_whole=False)
    result = fit(text, [replace(row, odds=odds)], Limit(max_words=1), exceeds=exceeds)
    assert (lengths(result), result.met) == ([kept], not exceeds)


def test_only_sentences_without_an_acceptable_version_are_longer() -> None:
    text, [first, second] = rows([[0.0, 1.0, 2.0], [0.0, 1.0, 2.0]], has_whole=False)
    candidates = [replace(first, odds=[1.0] * 3), replace(second, odds=[0.0, LIKELY, 1.0])]
    result = fit(text, candidates, Limit(max_words=2))
    assert (lengths(result), result.met) == ([1, 2], False)
    going = [replace(row, may_go=True) for row in candidates]
    assert fit(text, going, Limit(max_words=2), drop_sentences=True).met


def test_sentences_that_nobody_accepts_do_not_all_go() -> None:
    text, found = rows([[0.0, 1.0], [0.0, 1.0]], has_whole=False)
    bad = [replace(row, odds=[0.1, 0.15], may_go=True) for row in found]
    result = fit(text, bad, Limit(max_words=3), drop_sentences=True)
    assert result.text
    # The likelier one of the first sentence; the second may go.
    assert (lengths(result), result.met) == ([2, 0], True)


def test_a_sentence_that_reads_well_does_not_go_if_the_limit_is_exceeded_anyway() -> None:
    text, [first, second] = rows([[0.0] * 5 + [6.0], [0.0, 1.0]], has_whole=False)
    candidates = [
        replace(first, odds=[0.0] * 5 + [1.0]),
        replace(second, odds=[1.0, 1.0], may_go=True),
    ]
    result = fit(text, candidates, Limit(max_words=4), drop_sentences=True)
    assert (lengths(result)[0], result.met) == (6, False)
    assert lengths(result)[1]


def test_the_likeliest_version_is_taken_if_readers_accept_none() -> None:
    text, [row] = rows([[0.0, 1.0, 5.0, 2.0]], has_whole=False)
    result = fit(text, [replace(row, odds=[0.01, 0.05, 0.19, 0.1])], Limit(max_words=3))
    assert lengths(result) == [3]


@pytest.mark.parametrize(
    ("limit", "sizes", "expected"),
    [
        (Limit(), [10], [0.8]),
        (Limit(rate=0.7), [10], [0.7]),
        (Limit(rate=0.7), [10, 10], [0.7, 0.7]),
        (Limit(rate=0.9), [10], [0.8]),
        (Limit(max_words=10), [20], [0.5]),
        (Limit(max_words=10), [20, 20], [0.25, 0.25]),
        (Limit(max_words=10), [27], [0.35]),
        (Limit(max_words=10, per="sentence"), [20, 40], [0.5, 0.25]),
        (Limit(max_words=1), [99], [0.05]),
        (Limit(max_chars=21), [10], [0.55]),
    ],
)
def test_about_what_share_of_a_text_may_stay(
    limit: Limit, sizes: list[int], expected: list[float]
) -> None:
    text, found = rows([[0.0] * size for size in sizes])
    assert shares(text, [row.sentence for row in found], limit) == pytest.approx(expected)


def test_in_a_document_only_its_prose_can_give_way() -> None:
    text, [row] = rows([[0.0] * 10])
    prose = len(text)
    limit = Limit(max_chars=1000 + prose // 2)
    [share] = shares(text, [row.sentence], limit, lambda result: 1000 + len(result.text))
    assert share == pytest.approx(0.5, abs=0.05)


@given(curves_of_words, st.integers(1, 5))
def test_a_limit_of_each_sentence_is_no_other_sentences_business(
    curves: list[list[float]], most: int
) -> None:
    text, candidates = rows(curves, has_whole=False)
    result = fit(text, candidates, Limit(max_words=most, per="sentence"))
    for part, curve in zip(result.sentences, curves, strict=True):
        possible = [n for n in range(1, len(curve) + 1) if curve[n - 1] > NEVER]
        within = [n for n in possible if n <= most]
        assert part.met == bool(within)
        if within:
            assert curve[len(part.kept) - 1] == max(curve[n - 1] for n in within)
        else:
            assert len(part.kept) == min(possible)
    assert result.met == all(part.met for part in result.sentences)


@given(curves_of_words, st.integers(1, 99))
def test_a_rate_is_of_the_text_or_of_each_sentence(
    curves: list[list[float]], hundredths: int
) -> None:
    text, candidates = rows(curves, has_whole=False)
    words = [len(curve) for curve in curves]
    rate = hundredths / 100
    shared = fit(text, candidates, Limit(rate=rate))
    most = max(1, hundredths * sum(words) // 100)
    assert lengths(shared) == lengths(fit(text, candidates, Limit(max_words=most)))
    each = fit(text, candidates, Limit(rate=rate, per="sentence"))
    for row, part in zip(candidates, each.sentences, strict=True):
        own = Limit(max_words=max(1, hundredths * len(row.known) // 100))
        [alone] = fit(text, [row], own).sentences
        assert (part.kept, part.met) == (alone.kept, alone.met)


@given(curves_of_words)
def test_without_a_limit_every_sentence_has_its_best_version(curves: list[list[float]]) -> None:
    text, candidates = rows(curves)
    result = fit(text, candidates, UNLIMITED)
    assert lengths(result) == [1 + curve.index(max(curve)) for curve in curves]
    assert result.met


@given(curves_of_words)
def test_what_is_within_the_limit_stays_whatever_it_is_worth(curves: list[list[float]]) -> None:
    curves = [[*curve[:-1], -99.0] for curve in curves]
    text, candidates = rows(curves)
    words = sum(map(len, curves))
    for limit in (
        Limit(rate=1.0),
        Limit(max_words=words),
        Limit(max_words=words, per="sentence"),
        Limit(max_chars=len(text)),
        Limit(max_tokens=words),
    ):
        result = fit(text, candidates, limit)
        assert (result.text, result.met) == (text, True)


def test_room_goes_where_it_costs_least() -> None:
    text, candidates = rows([[0.0, 1.0, 9.0], [0.0, 5.0, 6.0]])
    assert lengths(fit(text, candidates, Limit(max_words=4))) == [3, 1]
    assert lengths(fit(text, candidates, Limit(max_words=3))) == [1, 2]
    assert lengths(fit(text, candidates, Limit(max_words=2))) == [1, 1]
    unmet = fit(text, candidates, Limit(max_words=1))
    assert (lengths(unmet), unmet.met) == ([1, 1], False)


def test_nothing_fits_anything() -> None:
    for limit in (UNLIMITED, Limit(max_words=1), Limit(max_chars=1, per="sentence")):
        result = fit(" \n", [], limit)
        assert (result.text, result.sentences, result.spans, result.met) == ("", (), (), True)


@pytest.mark.parametrize(
    ("limit", "message"),
    [
        (Limit(max_words=2), r"what is to be kept \(one five nine\) has 3 words, the limit is 2;"),
        (Limit(max_chars=12), "has 13 characters, the limit is 12; raise the limit or keep less"),
        (Limit(max_tokens=2), "has 3 tokens, the limit is 2"),
        (Limit(max_tokens=2, tokenizer=str.split), "has 3 tokens, the limit is 2"),
    ],
)
def test_demands_over_the_limit_contradict_it(limit: Limit, message: str) -> None:
    text = "one two three four five\n\nsix seven eight nine"
    candidates = [
        Row(sentence, [NEVER] * (len(sentence.tokens) - 1) + [0.0], frozenset(demanded))
        for sentence, demanded in zip(split_sentences(text), ([0, 4], [3]), strict=True)
    ]
    with pytest.raises(DataError, match=message):
        fit(text, candidates, limit)


def test_long_demands_are_not_all_shown() -> None:
    [sentence] = split_sentences("a b c d e f g")
    row = Row(sentence, [NEVER] * 6 + [0.0], frozenset(range(7)))
    with pytest.raises(DataError, match=r"\(a b c d e …\) has 7 words, the limit is 3"):
        fit(sentence.text, [row], Limit(max_words=3))


def test_demands_that_fit_but_not_with_the_rest_are_not_met() -> None:
    text, [first, second] = rows([[NEVER, 0.0], [0.0]])
    first.demanded = frozenset({0})
    result = fit(text, [first, second], Limit(max_words=2))
    assert (result.met, lengths(result)) == (False, [2, 1])


def test_sentences_keep_what_stands_between_them() -> None:
    text = "  One two. \n\n Three four!\tFive six?  "
    sentences = split_sentences(text)
    kept = ([0, 1, 2], [1, 2], [0])
    parts = []
    for sentence, places in zip(sentences, kept, strict=True):
        written, spans = cut(sentence, places)
        parts.append(Shortened(written, spans, tuple(places), None, 0.0, None, sentence=sentence))
    result = put_together(text, parts)
    assert result.text == "One two. \n\n Four!\tFive?"
    assert result.spans == ((2, 14), (20, 30), (34, 35))
    assert "".join(text[a:b] for a, b in result.spans) == "One two. \n\n four!\tFive?"
    assert result.kept == (0, 1, 2, 4, 5, 6)


WORDS = "a I of the dog barked, U.S. (old) — well-known “No” $5 20% cats' it's ..."
few_words = st.lists(st.sampled_from(WORDS.split()), min_size=1, max_size=5).map(" ".join)
small_texts = st.lists(
    st.tuples(few_words, st.sampled_from([".", "!", "", ' "'])).map("".join),
    min_size=1,
    max_size=2,
).map("\n\n".join)
TOKENIZERS = {
    "characters": None,
    "own": None,
    "quarters up": lambda text: math.ceil(len(text) / 4),
    "thirds down": lambda text: len(text) // 3,
    "bytes": lambda text: text.encode(),
    "pieces": str.split,
}


def candidates_of(text: str, limit: Limit) -> list[Candidates]:
    model = pruning_model()
    found: list[Candidates] = []
    for sentence in split_sentences(text):
        if not has_words(sentence):
            found.append(Unchanged.of(sentence, limit))
            continue
        [tree] = Branching().parse([sentence.words])
        forest = model.engine().forest(tree)
        work = find_prunings(forest, sentence, tree, keeps=(), limit=limit, agree=True)
        found.append(at_once(work))
    return found


@brief
@given(small_texts, st.integers(1, 30), st.sampled_from(sorted(TOKENIZERS)))
def test_characters_and_tokens_are_never_too_many_where_some_version_has_fewer(
    text: str, most: int, kind: str
) -> None:
    if kind == "characters":
        limit = Limit(max_chars=most)
    else:
        limit = Limit(max_tokens=most, tokenizer=TOKENIZERS[kind])
    candidates = candidates_of(text, limit)
    assume(candidates)
    result = fit(text, candidates, limit)
    assert result.met == (limit.measure(result.text) <= most)
    if not result.met:
        shortest = min(
            limit.measure(put_together(text, parts).text)
            for parts in product(*[worded(each) for each in candidates])
        )
        assert shortest > most
        assert limit.measure(result.text) <= shortest + (kind not in ("characters", "bytes"))


def worded(candidates: Candidates) -> list[Shortened]:
    """The versions that have words, if there are any."""
    costs = np.flatnonzero(np.isfinite(candidates.scores)).tolist()
    versions = [candidates.version(cost) for cost in costs]
    return [version for version in versions if any(map(is_word, version.text))] or versions


@brief
@given(small_texts, st.integers(1, 12))
def test_marks_alone_are_no_version_of_a_sentence_with_words(text: str, most: int) -> None:
    for limit in (Limit(max_chars=most), Limit(max_words=most), Limit(max_tokens=most)):
        candidates = candidates_of(text, limit)
        for part in fit(text, candidates, limit).sentences:
            assert any(map(is_word, part.text)) or not has_words(part.sentence)
