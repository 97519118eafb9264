"""Scores equal sacrebleu's: of corpora, of sums of sentences' statistics, with references."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU, CHRF, TER

from treewright.errors import UsageError
from treewright.evaluation.translation import (
    Bleu,
    NumberedMetric,
    bleu_plus_one,
    minimum_risk,
    translation_metrics,
)

from ...profiles import examples

WORDS = ("the", "The", "cat", "sat", "mat", "on", ".", "quietly")
sentence = st.lists(st.integers(0, len(WORDS) - 1), max_size=9)


@st.composite
def corpora(draw: Any) -> tuple[list[list[int]], list[list[list[int]]]]:
    """Outputs, and for each one as many references as for the others."""
    size, number = draw(st.integers(1, 5)), draw(st.integers(1, 3))
    outputs = draw(st.lists(sentence, min_size=size, max_size=size))
    references = draw(
        st.lists(st.lists(sentence, min_size=number, max_size=number), min_size=size, max_size=size)
    )
    # An output close to its reference makes long n-grams match.
    for i, texts in enumerate(references):
        if draw(st.booleans()):
            outputs[i] = texts[0][: draw(st.integers(0, 9))] + outputs[i][:3]
    return outputs, references


Corpus = tuple[list[list[int]], list[list[list[int]]]]


def spelled(numbers: list[int]) -> str:
    return " ".join(WORDS[number] for number in numbers)


def texts(corpus: Corpus) -> tuple[list[str], list[list[str]]]:
    outputs, references = corpus
    rows = [[spelled(text) for text in row] for row in references]
    return [spelled(output) for output in outputs], [list(text) for text in zip(*rows, strict=True)]


def numbered(outputs: list[list[int]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    start = np.cumsum([0, *map(len, outputs)])
    words = np.array([word for output in outputs for word in output], np.int32)
    return np.arange(len(outputs)), start, words


@examples(40)
@given(corpora(), st.booleans())
def test_corpus_scores(corpus: Corpus, lowercase: bool) -> None:
    outputs, references = texts(corpus)
    theirs = {
        "bleu": BLEU(lowercase=lowercase, tokenize="none"),
        "chrf": CHRF(lowercase=lowercase),
        "ter": TER(case_sensitive=not lowercase),
    }
    for name, metric in translation_metrics(lowercase=lowercase).items():
        rows, signature = metric.statistics(outputs, references)
        expected = theirs[name].corpus_score(outputs, references)
        assert metric.score(rows.sum(axis=0)) == pytest.approx(expected.score, abs=1e-9)
        assert signature == str(theirs[name].get_signature())


@examples(40)
@given(corpora())
def test_numbered_words_have_the_same_statistics(corpus: Corpus) -> None:
    outputs, references = corpus
    bleu = Bleu(references)
    rows = bleu.statistics(*numbered(outputs))
    metric = translation_metrics()["bleu"]
    assert rows.tolist() == metric.statistics(*texts(corpus))[0].tolist()
    slow = NumberedMetric(metric, texts(corpus)[1], WORDS)
    assert rows.tolist() == slow.statistics(*numbered(outputs)).tolist()


@examples(40)
@given(corpora())
def test_scores_of_many_sums_at_once(corpus: Corpus) -> None:
    outputs, references = texts(corpus)
    for name, metric in translation_metrics().items():
        rows, _ = metric.statistics(outputs, references)
        sums = np.cumsum(rows, axis=0)
        theirs = {"bleu": BLEU(tokenize="none"), "chrf": CHRF(), "ter": TER(case_sensitive=True)}
        expected = [
            theirs[name].corpus_score(outputs[:i], [text[:i] for text in references]).score
            for i in range(1, len(outputs) + 1)
        ]
        assert metric.score(sums) == pytest.approx(expected, abs=1e-9)


@examples(40)
@given(corpora())
def test_sentence_scores_add_one(corpus: Corpus) -> None:
    outputs, references = texts(corpus)
    add_one = BLEU(tokenize="none", smooth_method="add-k", smooth_value=1)
    rows = Bleu(corpus[1]).statistics(*numbered(corpus[0]))
    expected = [
        add_one.corpus_score([output], [[text[i]] for text in references]).score
        for i, output in enumerate(outputs)
    ]
    assert bleu_plus_one(rows) == pytest.approx(expected, abs=1e-9)


def test_negative_numbers_and_unlike_sentences() -> None:
    """Unknown words may be negative, and each sentence has its own references."""
    bleu = Bleu([[[-1, 5]], [[-7, -1, -1]], [[]]])
    start, words = np.array([0, 2, 4, 5, 6]), np.array([-1, -1, -1, -7, 5, -1], np.int32)
    rows = bleu.statistics([0, 1, 0, 2], start, words)
    assert rows[:, :4].tolist() == [[2, 2, 1, 0], [2, 3, 2, 0], [1, 2, 1, 0], [1, 0, 0, 0]]
    with pytest.raises(ValueError, match="numbered from 0 to 2"):
        bleu.statistics([3], np.array([0, 0]), words)


def test_ter_is_negated_for_tuning() -> None:
    metric = NumberedMetric(translation_metrics()["ter"], [["the cat sat"]], WORDS)
    rows = metric.statistics([0, 0], np.array([0, 3, 5]), np.array([0, 2, 3, 0, 2], np.int32))
    assert metric.score(rows).tolist() == pytest.approx([0.0, -100 / 3])


def test_the_least_risk_is_in_the_middle() -> None:
    """Two outputs that agree outvote the likeliest one."""
    outputs = [[0, 1, 2, 3], [4, 5, 6, 7], [4, 5, 6, 6]]
    chosen, promises = minimum_risk(outputs, [0.4, 0.35, 0.25])
    assert chosen == 1
    add_one = BLEU(tokenize="none", smooth_method="add-k", smooth_value=1)
    for output, promise in zip(outputs, promises, strict=True):
        scores = [
            add_one.corpus_score([spelled(output)], [[spelled(other)]]).score for other in outputs
        ]
        assert promise == pytest.approx(np.dot([0.4, 0.35, 0.25], scores))
    assert minimum_risk(outputs, [0.9, 0.05, 0.05])[0] == 0
    with pytest.raises(ValueError, match="probabilities for 3 outputs"):
        minimum_risk(outputs, [1.0])


def test_unknown_tokenizers_are_named() -> None:
    with pytest.raises(UsageError, match="unknown tokenizer 'spm'; choose one of: 13a, char"):
        translation_metrics(tokenize="spm")


@pytest.mark.parametrize("tokenize", ["13a", "intl", "zh", "char"])
def test_tokenizers_are_sacrebleus(tokenize: str) -> None:
    output, reference = "It's 3.5%, isn't it? 你好。", "It is 3.5%, is it not? 你好吗。"
    rows, _ = translation_metrics(tokenize=tokenize)["bleu"].statistics([output], [[reference]])
    expected = BLEU(tokenize=tokenize).corpus_score([output], [[reference]]).score
    assert translation_metrics()["bleu"].score(rows[0]) == pytest.approx(expected)
