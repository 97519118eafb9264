"""Decoding with a skeleton against enumeration: equation 7, consistency, slots, weights of zero."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.profiles import examples
from tests.translation.decoding import naive
from tests.translation.decoding.test_decoder import (
    ALL,
    TABLE,
    TARGET,
    TEXTS,
    options_of,
    problems,
)
from tests.translation.toy import toy_model
from treewright.errors import DataError, UsageError
from treewright.forest import derivation_count, kbest
from treewright.lm import LanguageModel, train_lm
from treewright.translation.decoding.decoder import Decoder, Search, SkeletalModel, decode_options
from treewright.translation.decoding.features import Features
from treewright.translation.decoding.options import Fixed
from treewright.translation.decoding.problem import zones
from treewright.translation.decoding.scorers import Scorers
from treewright.translation.decoding.skeleton import VARIANTS, SkeletonUse, consistent

X = "<X>"
WORDS = (*TEXTS, "new")


@pytest.fixture(scope="module")
def lm() -> LanguageModel:
    text = ["a b c d", "b a", "a b a c", "d c c b", "c a b", "a d"]
    return train_lm([line.split() for line in text], order=3)


@pytest.fixture(scope="module")
def skeletal() -> LanguageModel:
    text = ["a <X> c", "<X> b", "a b <X>", "<X> d <X>", "<X>", "c a"]
    return train_lm([line.split() for line in text], order=3)


def run(options, kept, lm, skeletal, use, weights, search=ALL, *, thorough=True):
    size = len(kept)
    columns = Features(TABLE, 1, use)
    models = [lm, skeletal] if use.lm else [lm]
    scorers = Scorers.of(models, TARGET, X if use.lm else None)
    if use.crossing == "never":
        options = options.take(np.flatnonzero(consistent(kept, options.start, options.end)))
    return decode_options(
        ["w"] * size,
        options,
        weights,
        columns,
        scorers,
        search,
        zones(["w"] * size, monotone_at_punctuation=False),
        kept=kept,
        thorough=thorough,
    )


def all_features(options, kept, path, lm, skeletal, use):
    full = naive.features_of(options, len(kept), path, [lm], WORDS)
    bones = naive.skeleton_features_of(options, kept, path, skeletal, WORDS, X)
    return np.concatenate([full, bones[Features(TABLE, 1, use).in_use]])


def weights_of(seed: int, use: SkeletonUse) -> np.ndarray:
    return np.random.default_rng(seed).uniform(0.1, 1.0, len(Features(TABLE, 1, use).names))


USES = st.sampled_from([*VARIANTS.values(), SkeletonUse(crossing="marked")])


@examples(80)
@given(problem=problems(), kept=st.integers(0, 15), seed=st.integers(0, 9), use=USES)
def test_equation_7_by_enumeration(lm, skeletal, problem, kept, seed, use) -> None:
    options, size = problem
    marks = np.array([bool(kept >> place & 1) for place in range(size)])
    weights = weights_of(seed, use)
    search = Search(stack=0, pops=0, distortion=-1, per_span=100)
    found = run(options, marks, lm, skeletal, use, weights, search)
    paths = list(naive.paths(found.options, size, search, [size] * (size + 1)))
    expected = sorted(
        (
            float(all_features(found.options, marks, path, lm, skeletal, use) @ weights)
            for path in paths
        ),
        reverse=True,
    )
    ranked = kbest(found.graph.forest, found.graph.scores(weights))
    assert derivation_count(found.graph.forest) == len(expected)
    best = list(itertools.islice(ranked, 20))
    assert [score for score, _ in best] == pytest.approx(expected[:20], abs=1e-4)
    for _, derivation in best[:3]:
        edges = list(derivation.edges())[::-1]
        path = tuple(int(found.option[edge]) for edge in edges if found.option[edge] >= 0)
        assert found.graph.features[edges].sum(axis=0) == pytest.approx(
            all_features(found.options, marks, path, lm, skeletal, use), abs=1e-4
        )


@examples(40)
@given(problem=problems(), kept=st.integers(0, 15), seed=st.integers(0, 9))
def test_no_phrase_crosses_the_skeleton_unless_it_may(lm, skeletal, problem, kept, seed) -> None:
    options, size = problem
    marks = np.array([bool(kept >> place & 1) for place in range(size)])
    use = VARIANTS["full"]
    found = run(options, marks, lm, skeletal, use, weights_of(seed, use), Search(stack=3, pops=5))
    for option in np.unique(found.option[found.option >= 0]):
        span = marks[found.options.start[option] : found.options.end[option]]
        assert span.all() or not span.any()


@examples(40)
@given(
    problem=problems(),
    kept=st.integers(0, 15),
    seed=st.integers(0, 9),
    stack=st.integers(1, 4),
    name=st.sampled_from(["soft", "feature"]),
)
def test_weights_of_zero_give_the_baseline_bit_for_bit(
    lm, skeletal, problem, kept, seed, stack, name
) -> None:
    options, size = problem
    marks = np.array([bool(kept >> place & 1) for place in range(size)])
    search = Search(stack=stack, pops=2 * stack)
    plain = Features(TABLE, 1)
    weights = np.random.default_rng(seed).uniform(0.1, 1.0, len(plain.names))
    baseline = decode_options(
        ["w"] * size,
        options,
        weights,
        plain,
        Scorers.of([lm], TARGET),
        search,
        zones(["w"] * size, monotone_at_punctuation=False),
    )
    use = VARIANTS[name]
    extended = np.zeros(len(Features(TABLE, 1, use).names))
    extended[: weights.size] = weights
    found = run(options, marks, lm, skeletal, use, extended, search, thorough=False)
    assert np.array_equal(found.option, baseline.option)
    assert np.array_equal(found.graph.features[:, : weights.size], baseline.graph.features)
    assert np.array_equal(found.graph.forest.tail, baseline.graph.forest.tail)
    scores = [
        columns.scores(each.graph.features, each_weights)
        for columns, each, each_weights in (
            (plain, baseline, weights),
            (Features(TABLE, 1, use), found, extended),
        )
    ]
    assert np.array_equal(*scores)


@examples(30)
@given(problem=problems(), kept=st.integers(0, 15), seed=st.integers(0, 9), stack=st.integers(1, 4))
def test_the_full_model_with_weights_of_zero_is_s_space_bit_for_bit(
    lm, skeletal, problem, kept, seed, stack
) -> None:
    options, size = problem
    marks = np.array([bool(kept >> place & 1) for place in range(size)])
    search = Search(stack=stack, pops=2 * stack)
    plain = weights_of(seed, VARIANTS["space"])
    full = np.zeros(len(Features(TABLE, 1, VARIANTS["full"]).names))
    full[: plain.size] = plain
    spaces, fulls = (
        run(options, marks, lm, skeletal, VARIANTS[name], weights, search, thorough=False)
        for name, weights in (("space", plain), ("full", full))
    )
    assert np.array_equal(spaces.option, fulls.option)
    assert np.array_equal(spaces.graph.features, fulls.graph.features[:, : plain.size])


@examples(30)
@given(problem=problems(), kept=st.integers(0, 15), seed=st.integers(0, 9))
def test_a_thorough_search_knows_features_without_weights(
    lm, skeletal, problem, kept, seed
) -> None:
    options, size = problem
    marks = np.array([bool(kept >> place & 1) for place in range(size)])
    use = VARIANTS["full"]
    weights = weights_of(seed, use)
    weights[Features(TABLE, 1, use).lm.stop :] = 0.0
    found = run(options, marks, lm, skeletal, use, weights)
    _, derivation = next(kbest(found.graph.forest, found.graph.scores(weights)))
    edges = list(derivation.edges())[::-1]
    path = tuple(int(found.option[edge]) for edge in edges if found.option[edge] >= 0)
    assert found.graph.features[edges].sum(axis=0) == pytest.approx(
        all_features(found.options, marks, path, lm, skeletal, use), abs=1e-4
    )


def test_figure_1_what_the_skeletal_model_sees(lm, skeletal) -> None:
    # Nine phrases; the first, fourth, fifth and ninth are the skeleton.
    texts = (
        "the cost|of|seawater desalination treatment|has been further|reduced|from|5 yuan|per ton|."
    )
    words = [phrase.split() for phrase in texts.split("|")]
    flat = [word for phrase in words for word in phrase]
    numbers = iter(range(len(flat)))
    spans = [(place, place + 1) for place in range(9)]
    options = options_of(
        spans,
        [[next(numbers) for _ in phrase] for phrase in words],
        [[0.0] * 4] * 9,
        [[0.0] * 6] * 9,
    )
    kept = [place in (0, 3, 4, 8) for place in range(9)]
    seen = [
        " ".join(naive.slotted(options, kept, tuple(range(count)), flat, "X"))
        for count in (1, 3, 5, 9)
    ]
    assert seen == [
        "the cost",
        "the cost X",
        "the cost X has been further reduced",
        "the cost X has been further reduced X .",
    ]


def test_a_fixed_translation_may_cross_the_skeleton(skeletal) -> None:
    model = toy_model()
    kept = np.array([True, False, True, True])
    decoder = Decoder(
        model.table, model.models, skeletal=SkeletalModel(VARIANTS["full"], skeletal, X)
    )
    weights = decoder.features.start()
    found = decoder.decode(
        ["the", "house", "is", "small"], weights, [Fixed(0, 3, ("x", "y"))], kept=kept
    )
    assert (found.options.row == -2).any()


def test_a_skeleton_must_fit_the_sentence_and_the_model(skeletal) -> None:
    model = toy_model()
    words = ["the", "house"]
    plain = Decoder(model.table, model.models)
    with pytest.raises(UsageError, match="scores no skeletons; leave them out"):
        plain.decode(words, model.weights, kept=np.array([True, False]))
    decoder = Decoder(
        model.table, model.models, skeletal=SkeletalModel(VARIANTS["full"], skeletal, X)
    )
    with pytest.raises(UsageError, match="this model scores skeletons"):
        decoder.decode(words, decoder.features.start())
    with pytest.raises(UsageError, match="skeleton_of"):
        decoder.decode(words, decoder.features.start(), kept=np.array([0, 1]))
    with pytest.raises(DataError, match="3 words; the sentence has 2"):
        decoder.decode(words, decoder.features.start(), kept=np.ones(3, np.bool_))
    with pytest.raises(UsageError, match="skeletal language model"):
        SkeletalModel(VARIANTS["no-lm"], skeletal, X)
