"""`align_words`: right links on an easy text, the same in any number of threads."""

from __future__ import annotations

import numpy as np
import pytest

from treewright.alignment import (
    SYMMETRIZATIONS,
    AlignmentSettings,
    align_words,
    learn,
    learned_links,
)
from treewright.alignment.statistical.numbering import Text
from treewright.alignment.statistical.sampling.sampler import Sampler
from treewright.alignment.statistical.sampling.settings import Sampling
from treewright.compiling import forced
from treewright.corpora import Links
from treewright.errors import DataError, UsageError

from .toys import LEXICON, toy_pairs

SOURCES, TARGETS = toy_pairs(100)


def accuracy(links: Links) -> float:
    """Return the share of links between words that translate each other."""
    right = total = 0
    for source, target, alignment in zip(SOURCES, TARGETS, links, strict=False):
        right += sum(LEXICON[source[i]] == target[j] for i, j in alignment)
        total += max(len(alignment), len(source))
    return right / total


def test_words_are_linked_to_their_translations() -> None:
    assert accuracy(align_words(SOURCES, TARGETS)) > 0.95


@pytest.mark.parametrize("seed", range(3))
def test_lines_that_were_not_translated_are_linked_word_for_word(seed: int) -> None:
    """The same words in the same order; some occur twice, some have translations elsewhere."""
    same = [
        ["and", "the", "cat", "and", "the", "dog", "and", "the", "bird"],
        ["haus", "baum", "haus", "mann"],
        [",", "ok", ",", "ok", "."],
    ]
    links = align_words([*same, *SOURCES], [*same, *TARGETS], seed=seed)
    for line, alignment in zip(same, links, strict=False):
        assert alignment == tuple((k, k) for k in range(len(line)))


def test_every_symmetrization_links_them() -> None:
    text = Text.of(zip(SOURCES, TARGETS, strict=True), lowercase=True)
    learned = learn(text, AlignmentSettings())
    for way in SYMMETRIZATIONS:
        settings = AlignmentSettings(symmetrize=way)
        assert accuracy(learned_links(learned, text, settings)) > 0.8


def test_threads_do_not_change_the_result() -> None:
    alone = align_words(SOURCES[:20], TARGETS[:20], seed=3)
    for jobs in (2, 8):
        assert list(align_words(SOURCES[:20], TARGETS[:20], seed=3, jobs=jobs)) == list(alone)


def test_the_seed_decides() -> None:
    first, again, other = (
        list(align_words(SOURCES[:30], TARGETS[:30], seed=seed)) for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other


def test_uncompiled_kernels_give_the_same_probabilities() -> None:
    text = Text.of(zip(SOURCES[:8], TARGETS[:8], strict=True), lowercase=True)
    found = []
    for compiled in (True, False):
        with forced(compiled=compiled):
            sampler = Sampler(text, Sampling(), seed=1)
            for step in Sampling(sweeps=(2, 2, 4)).steps(8):
                sampler.advance(*step)
            found.append(sampler.posteriors(0, len(text)))
    np.testing.assert_array_equal(found[0], found[1])


def test_case_counts_only_on_request() -> None:
    sources = [[word.upper() for word in source] for source in SOURCES[:20]] + SOURCES[20:40]
    plain = align_words(SOURCES[:40], TARGETS[:40])
    assert list(align_words(sources, TARGETS[:40])) == list(plain)
    assert list(align_words(sources, TARGETS[:40], lowercase=False)) != list(plain)


def test_a_pair_with_an_empty_side_keeps_its_place() -> None:
    links = align_words([["a"], [], ["a"]], [["x"], ["x"], []])
    assert len(links) == 3
    assert links[1] == links[2] == ()


@pytest.mark.parametrize("pairs", [[], [[]]])
def test_no_words_no_links(pairs: list[list[str]]) -> None:
    assert list(align_words(pairs, pairs)) == [()] * len(pairs)


def test_a_sentence_that_is_too_long_is_named() -> None:
    with pytest.raises(DataError, match=r"pair 2: the target sentence .*501"):
        align_words([["a"], ["a"]], [["b"], ["b"] * 501])


def test_the_longest_sentences_are_sampled() -> None:
    text = Text.of([(["a", "b"] * 250, ["c", "d"] * 250)], lowercase=True)
    sampler = Sampler(text, Sampling(samplers=1))
    for step in Sampling(sweeps=(1, 1, 2)).steps(1):
        sampler.advance(*step)
    forward, reverse = sampler.posteriors(0, 1)
    for matrix, axis in ((forward, 0), (reverse, 1)):
        assert 0 < matrix.reshape(500, 500).sum(axis=axis).max() <= 1 + 1e-3


def test_bad_requests_say_what_is_wrong() -> None:
    with pytest.raises(UsageError, match="1 source sentences, but 0 target sentences"):
        align_words([["a"]], [])
    with pytest.raises(UsageError, match=r"unknown method 'best'; choose one of: .*bayes"):
        align_words([["a"]], [["b"]], method="best")
    with pytest.raises(UsageError, match="jobs must be at least 1, found 0"):
        align_words([["a"]], [["b"]], jobs=0)
