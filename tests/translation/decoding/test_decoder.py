"""The decoder against enumeration: scores, translations, features, limits."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.profiles import examples
from tests.translation.decoding import naive
from treewright.corpora import Vocabulary
from treewright.forest import derivation_count, kbest, viterbi
from treewright.lm import LanguageModel, train_lm
from treewright.translation.decoding.decoder import Search, decode_options
from treewright.translation.decoding.features import Features
from treewright.translation.decoding.options import Options
from treewright.translation.decoding.problem import zones
from treewright.translation.decoding.scorers import Scorers

TEXTS = ("a", "b", "c", "d")
TARGET = Vocabulary(TEXTS)
TABLE = ("p(f|e)", "p(e|f)")
ALL = Search(stack=0, pops=0, distortion=-1)


@pytest.fixture(scope="module")
def models() -> tuple[LanguageModel, ...]:
    text = ["a b c d", "b a", "a b a c", "d c c b", "c a b", "a d"]
    lines = [line.split() for line in text]
    return train_lm(lines, order=3), train_lm([line[::-1] for line in lines[:4]], order=2)


@st.composite
def problems(draw: st.DrawFn) -> tuple[Options, int]:
    """Draw a sentence's options: one for each word at least, others of up to three words."""
    size = draw(st.integers(1, 4))
    spans = [(i, i + 1) for i in range(size)]
    spans += draw(
        st.lists(
            st.sampled_from([(i, j) for i in range(size) for j in range(i + 1, size + 1)]),
            max_size=3,
        )
    )
    words = [draw(st.lists(st.integers(0, len(TEXTS)), max_size=2)) for _ in spans]
    value = st.integers(-8, 0).map(lambda n: n / 4)
    features = [[draw(value), draw(value), 1.0, len(w)] for w in words]
    reordering = [[draw(value) for _ in range(6)] for _ in words]
    return options_of(spans, words, features, reordering), size


def options_of(
    spans: Sequence[tuple[int, int]],
    words: Sequence[Sequence[int]],
    features: Sequence[Sequence[float]],
    reordering: Sequence[Sequence[float]],
) -> Options:
    return Options(
        np.array([start for start, _ in spans], np.int32),
        np.array([end for _, end in spans], np.int32),
        np.arange(len(spans)),
        np.cumsum([0, *map(len, words)]).astype(np.int64),
        np.array([word for part in words for word in part], np.int32),
        np.array(features, np.float64),
        np.array(reordering, np.float64),
        ("new",),
    )


def weights_of(seed: int, columns: Features) -> np.ndarray:
    return np.random.default_rng(seed).uniform(0.1, 1.0, len(columns.names))


def run(options, size, models, search, weights, columns):
    boundary = zones(["w"] * size, monotone_at_punctuation=search.monotone_at_punctuation)
    return decode_options(
        ["w"] * size, options, weights, columns, Scorers.of(models, TARGET), search, boundary
    )


@examples(60)
@given(problem=problems(), seed=st.integers(0, 9), limit=st.integers(-1, 3), both=st.booleans())
def test_an_unlimited_search_is_enumeration(models, problem, seed, limit, both) -> None:
    options, size = problem
    used = models if both else models[:1]
    columns = Features(TABLE, len(used))
    weights = weights_of(seed, columns)
    search = Search(stack=0, pops=0, distortion=limit, per_span=100)
    found = run(options, size, used, search, weights, columns)
    texts = (*TEXTS, "new")
    zone = [size] * (size + 1)
    expected = sorted(
        (
            float(naive.features_of(options, size, path, used, texts) @ weights)
            for path in naive.paths(options, size, search, zone)
        ),
        reverse=True,
    )
    scores = found.graph.scores(weights)
    assert derivation_count(found.graph.forest) == len(expected)
    ranked = [score for score, _ in itertools.islice(kbest(found.graph.forest, scores), 20)]
    assert ranked == pytest.approx(expected[:20], abs=1e-4)


@examples(60)
@given(problem=problems(), seed=st.integers(0, 9))
def test_features_and_words_are_those_of_the_path(models, problem, seed) -> None:
    options, size = problem
    columns = Features(TABLE, 1)
    weights = weights_of(seed, columns)
    found = run(options, size, models[:1], ALL, weights, columns)
    for _, derivation in itertools.islice(
        kbest(found.graph.forest, found.graph.scores(weights)), 5
    ):
        edges = list(derivation.edges())[::-1]
        path = tuple(int(found.option[edge]) for edge in edges if found.option[edge] >= 0)
        features = found.graph.features[edges].sum(axis=0)
        assert features == pytest.approx(
            naive.features_of(found.options, size, path, models[:1], (*TEXTS, "new")), abs=1e-4
        )
        start = found.graph.word_start
        words = [w for e in edges for w in found.graph.words[start[e] : start[e + 1]].tolist()]
        assert tuple(words) == naive.words_of(found.options, path)


@examples(60)
@given(problem=problems(), seed=st.integers(0, 9))
def test_a_narrow_search_finds_a_translation_that_the_wide_one_scores_no_lower(
    models, problem, seed
) -> None:
    options, size = problem
    columns = Features(TABLE, 1)
    weights = weights_of(seed, columns)
    wide = run(options, size, models[:1], ALL, weights, columns)
    narrow = run(
        options, size, models[:1], Search(stack=2, pops=3, threshold=5.0), weights, columns
    )
    best, _ = viterbi(wide.graph.forest, wide.graph.scores(weights))
    found, derivation = viterbi(narrow.graph.forest, narrow.graph.scores(weights))
    assert derivation is not None
    assert found <= best + 1e-9


def test_nothing_behind_punctuation_is_translated_before_it() -> None:
    sentence = ["a", "b", ",", "c", "."]
    assert zones(sentence, monotone_at_punctuation=True).tolist() == [2, 2, 3, 4, 5, 5]
    assert zones(sentence, monotone_at_punctuation=False).tolist() == [5] * 6


def test_zones_limit_the_search(models) -> None:
    spans = [(0, 1), (1, 2), (2, 3), (1, 3), (0, 2)]
    options = options_of(spans, [[0], [1], [2], [3], [3]], [[0.0] * 4] * 5, [[0.0] * 6] * 5)
    columns = Features(TABLE, 1)
    weights = weights_of(1, columns)
    boundary = np.array([1, 2, 3, 3])
    found = decode_options(
        ["a", ",", "b"], options, weights, columns, Scorers.of(models[:1], TARGET), ALL, boundary
    )
    paths = list(naive.paths(found.options, 3, ALL, boundary.tolist()))
    assert derivation_count(found.graph.forest) == len(paths) == 3
