"""Tests of differences between translations, against plain loops over resampled corpora."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from sacrebleu.metrics import BLEU

from treewright.errors import DataError, UsageError
from treewright.evaluation import approximate_randomisation, bootstrap_interval, paired_bootstrap
from treewright.evaluation.translation import (
    TranslationEvaluation,
    evaluate_translation,
    translation_metrics,
)
from treewright.randomness import generator

REFERENCES = [
    "the cat sat on the mat quietly",
    "a dog ran over the green hill",
    "we saw three old boats",
    "nobody came to the small party",
    "it will rain again tomorrow morning",
]
GOOD = [
    "the cat sat on the mat",
    "a dog ran over the hill",
    "we saw three old boats",
    "nobody came to a small party",
    "it will rain tomorrow morning",
]
BAD = [
    "cat the on mat sat",
    "a dog ran over the hill",
    "we saw boats three old",
    "somebody came to a party",
    "it rains tomorrow",
]


def measured(outputs: Sequence[str], name: str = "system") -> TranslationEvaluation:
    return evaluate_translation(outputs, [REFERENCES], translation_metrics(), name=name)


def bleu_of(outputs: Sequence[str], references: Sequence[str]) -> float:
    return BLEU(tokenize="none").corpus_score(outputs, [references]).score


def test_the_bootstrap_equals_a_plain_loop_over_corpora() -> None:
    samples, rng, number = 120, generator(3), len(GOOD)
    a, b = [], []
    for times in rng.multinomial(number, np.full(number, 1 / number), size=samples):
        drawn = [i for i in range(number) for _ in range(times[i])]
        references = [REFERENCES[i] for i in drawn]
        a.append(bleu_of([BAD[i] for i in drawn], references))
        b.append(bleu_of([GOOD[i] for i in drawn], references))
    differences = np.subtract(b, a)
    observed = bleu_of(GOOD, REFERENCES) - bleu_of(BAD, REFERENCES)
    extreme = sum(abs(d - differences.mean()) >= abs(observed) - 1e-12 for d in differences)
    result = paired_bootstrap(measured(BAD), measured(GOOD), metric="bleu", samples=samples, seed=3)
    assert result.p_value == (extreme + 1) / (samples + 1)
    assert result.difference == pytest.approx(observed)
    assert result.first_interval == pytest.approx(tuple(np.quantile(a, [0.025, 0.975])))
    assert result.difference_interval == pytest.approx(
        tuple(np.quantile(differences, [0.025, 0.975]))
    )
    alone = bootstrap_interval(measured(BAD), "bleu", samples=samples, seed=3)
    assert alone == pytest.approx(result.first_interval)


def test_randomisation_equals_a_plain_loop_over_swaps() -> None:
    samples, rng = 120, generator(3)
    observed = bleu_of(GOOD, REFERENCES) - bleu_of(BAD, REFERENCES)
    extreme = 0
    for swaps in rng.integers(0, 2, size=(samples, len(GOOD))):
        a = [good if swap else bad for good, bad, swap in zip(GOOD, BAD, swaps, strict=True)]
        b = [bad if swap else good for good, bad, swap in zip(GOOD, BAD, swaps, strict=True)]
        difference = bleu_of(b, REFERENCES) - bleu_of(a, REFERENCES)
        extreme += abs(difference) >= abs(observed) - 1e-9
    result = approximate_randomisation(
        measured(BAD), measured(GOOD), metric="bleu", samples=samples, seed=3
    )
    assert result.p_value == (extreme + 1) / (samples + 1)


def test_what_cannot_be_compared_or_scored() -> None:
    other = evaluate_translation(GOOD, [GOOD], translation_metrics(), name="other")
    with pytest.raises(UsageError, match="not measured on the same"):
        paired_bootstrap(measured(GOOD), other, metric="bleu")
    with pytest.raises(UsageError, match="unknown metric 'relation_f1'"):
        paired_bootstrap(measured(GOOD), measured(BAD))
    with pytest.raises(DataError, match="5 outputs for 4 references"):
        evaluate_translation(GOOD, [REFERENCES[:4]], translation_metrics())
    with pytest.raises(DataError, match="no sentences"):
        evaluate_translation([], [[]], translation_metrics())
    with pytest.raises(DataError, match="no reference"):
        evaluate_translation(GOOD, [], translation_metrics())
