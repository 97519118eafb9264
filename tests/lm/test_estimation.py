from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.lm.plain import PlainModel
from treewright.errors import DataError, UsageError
from treewright.lm import BEGIN, SPECIAL, LanguageModel, train_lm
from treewright.lm._kernels import extend

TEXT = [
    line.split()
    for line in (
        "the cat sat on the mat",
        "the dog sat on the cat",
        "a cat and a dog",
        "the mat",
        "the cat sat",
        "a dog sat on a mat and the cat sat on the dog",
    )
]
sentences = st.lists(st.lists(st.sampled_from("abcd"), max_size=6), min_size=1, max_size=12).filter(
    any
)
cutoffs = st.sampled_from([(0,), (0, 1), (0, 0, 1), (0, 1, 2)])


def prob_after(model: LanguageModel, context: tuple[str, ...], word: str) -> float:
    state = 0
    for other in context:
        state = extend(model.arrays, state, model.vocabulary.find(other, 0))[1]
    log_prob, _ = extend(model.arrays, state, model.vocabulary.find(word, 0))
    return float(np.exp(log_prob))


def contexts(words: list[str], order: int) -> list[tuple[str, ...]]:
    """All contexts, those that begin a sentence included."""
    inner = [word for word in words if word not in SPECIAL[1:]]
    return [
        (*start, *rest)
        for length in range(order)
        for start in ((), (SPECIAL[BEGIN],))
        if len(start) <= length
        for rest in itertools.product(inner, repeat=length - len(start))
    ]


@given(sentences, st.integers(1, 4), cutoffs)
def test_probabilities_are_those_of_the_definition_and_sum_to_one(
    text: list[list[str]], order: int, prune: tuple[int, ...]
) -> None:
    prune = prune[:order]
    full = (*prune, *[prune[-1]] * (order - len(prune)))
    model, plain = train_lm(text, order, prune=prune), PlainModel(text, order, full)
    for context in contexts(plain.words, order)[:60]:
        probs = {word: prob_after(model, context, word) for word in plain.words}
        expected = {word: plain.prob(word, context) for word in plain.words}
        del probs[SPECIAL[BEGIN]], expected[SPECIAL[BEGIN]]
        assert probs == pytest.approx(expected, rel=2e-6)
        assert sum(probs.values()) == pytest.approx(1, abs=1e-6)


@given(sentences, st.integers(1, 5), cutoffs)
def test_the_model_has_the_ngrams_that_occur_often_enough(
    text: list[list[str]], order: int, prune: tuple[int, ...]
) -> None:
    prune = prune[:order]
    full = (*prune, *[prune[-1]] * (order - len(prune)))
    plain = PlainModel(text, order, full)
    wanted = sum(plain.kept(gram) for gram in plain.counts) + 1
    assert len(train_lm(text, order, prune=prune)) == wanted


def test_histories_that_no_longer_matter_leave_the_same_state() -> None:
    model = train_lm(TEXT, 4)
    number = model.vocabulary.find

    def state(text: str) -> int:
        found = 0
        for word in text.split():
            found = extend(model.arrays, found, number(word, 0))[1]
        return found

    assert state("cat zebra") == 0
    assert state("a dog sat") != state("the dog sat")
    assert state("mat on a") == state("on a") != state("a")
    assert state("a mat </s>") == 0


def test_sentences_may_be_scored_one_by_one_or_together() -> None:
    model = train_lm(TEXT, 3)
    together = model.score_all(model.encode(TEXT))
    assert together.tolist() == [value for words in TEXT for value in model.score(words)]
    found = model.perplexity(TEXT)
    assert found.tokens == sum(len(words) + 1 for words in TEXT)
    assert found.perplexity == pytest.approx(np.exp(-together.mean()))
    assert found.unknown == 0
    assert found.known_perplexity == found.perplexity


def test_unknown_words_have_the_uniform_share_and_can_be_left_out_of_the_perplexity() -> None:
    model = train_lm(TEXT, 2)
    scores = model.score(["the", "zebra"])
    found = model.perplexity([["the", "zebra"], []])
    assert (found.sentences, found.tokens, found.unknown) == (1, 3, 1)
    assert found.known_perplexity == pytest.approx(np.exp(-(scores[0] + scores[2]) / 2))
    assert prob_after(model, (), "zebra") == pytest.approx(
        PlainModel(TEXT, 2, (0, 0)).prob("x", ())
    )


def test_tiny_text_falls_back_to_fixed_discounts_and_says_so() -> None:
    model = train_lm([["one", "word"]], 3)
    assert model.metadata["fallback"] == [1, 2, 3]
    assert model.metadata["discounts"][0] == [0.5, 1.0, 1.5]


@pytest.mark.parametrize(
    ("text", "settings", "error", "message"),
    [
        ([["a"], ["b", "<s>"]], {}, DataError, "sentence 2: the word '<s>'"),
        ([[], []], {}, DataError, "every sentence is empty"),
        (TEXT, {"order": 7}, UsageError, "1 to 6, found 7"),
        (TEXT, {"prune": (1,)}, UsageError, "first cut-off must be 0"),
        (TEXT, {"prune": (0, 2, 1)}, UsageError, "must not fall .* 0 2 1"),
        (TEXT, {"order": 2, "prune": (0, 0, 1)}, UsageError, "3 cut-offs .* order 2"),
    ],
)
def test_what_cannot_be_learned_from_is_said(text, settings, error, message) -> None:
    with pytest.raises(error, match=message):
        train_lm(text, **settings)
