"""Skeletons found by compression models."""

from __future__ import annotations

import numpy as np
import pytest

from treewright.compression import Compressor
from treewright.corpora import MAX_WORDS, count_words
from treewright.errors import Problems, UsageError
from treewright.translation.skeletons.files import keep_stop, skeleton_of
from treewright.translation.skeletons.finding import SkeletonFinder

TEXT = """\
A young man in a red coat is slowly walking his two dogs along the old river .

Yes .
The committee said on Monday that it would meet again , probably in May .
"""
SENTENCES = [line.split() for line in TEXT.splitlines()]


def test_a_skeleton_is_what_a_compressor_keeps_and_the_stop() -> None:
    compressor = Compressor.load("news")
    for words, [kept, *_] in zip(SENTENCES, SkeletonFinder(rate=0.6)(SENTENCES), strict=True):
        assert kept.size == len(words)
        if not words:
            continue
        found = compressor.compress(words, rate=0.6, per="sentence", language="any")
        assert np.flatnonzero(kept).tolist() == sorted({*found.kept, len(words) - 1})
        left = [word for word, stays in zip(words, kept, strict=True) if stays]
        assert count_words(left) <= max(1, 0.6 * count_words(words))


def test_several_skeletons_are_distinct_and_the_best_one_is_first() -> None:
    best = [first for [first, *_] in SkeletonFinder(rate=0.6)(SENTENCES)]
    lists = list(SkeletonFinder(rate=0.6, nbest=4)(SENTENCES))
    assert [len(several) for several in lists] == [4, 1, 1, 4]
    for first, several in zip(best, lists, strict=True):
        assert (several[0] == first).all()
        assert len({kept.tobytes() for kept in several}) == len(several)
        assert all(kept[-1] for kept in several if kept.size)


def test_processes_find_the_same() -> None:
    sentences = SENTENCES * 30
    alone = list(SkeletonFinder()(sentences))
    together = list(SkeletonFinder(jobs=2)(sentences))
    assert [kept.tolist() for [kept] in alone] == [kept.tolist() for [kept] in together]


def test_what_cannot_be_shortened_is_its_own_skeleton() -> None:
    problems = Problems()
    long = ["word"] * (MAX_WORDS + 1)
    [_, [kept]] = SkeletonFinder()([["Yes", "."], long], problems=problems)
    assert kept.all()
    [error] = problems.errors
    assert error.where == "sentence 2"
    assert kept.all()


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("he said so .", [3]),
        ('" no ! "', [2]),
        ("no stop", []),
        ("。", [0]),
        ('"', []),
        ("", []),
    ],
)
def test_the_stop_that_ends_a_sentence(text: str, kept: list[int]) -> None:
    words = text.split()
    assert np.flatnonzero(keep_stop(words, skeleton_of([], len(words)))).tolist() == kept


def test_requests_that_make_no_sense() -> None:
    for settings in ({"nbest": 0}, {"jobs": 0}):
        with pytest.raises(UsageError, match="must be at least 1, found 0"):
            SkeletonFinder(**settings)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="rate must be above 0"):
        list(SkeletonFinder(rate=0.0)(SENTENCES))
