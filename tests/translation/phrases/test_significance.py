"""Ratings by Fisher's test equal those of scipy, from counts by looking at every sentence."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.stats import fisher_exact

from tests.translation.phrases import plain
from tests.translation.phrases.test_building import build
from treewright.errors import UsageError
from treewright.translation import PhraseSettings
from treewright.translation.phrases._kernels import log_chance


def holds(sentence: plain.Phrase, phrase: plain.Phrase) -> bool:
    size = len(phrase)
    return any(sentence[k : k + size] == phrase for k in range(len(sentence)))


def rating(pairs: list[plain.Aligned], f: plain.Phrase, e: plain.Phrase) -> float:
    has = [(holds(pair.source, f), holds(pair.target, e)) for pair in pairs]
    square = [[has.count((one, other)) for other in (True, False)] for one in (True, False)]
    return -math.log(fisher_exact(square, alternative="greater")[1])


@given(plain.corpora())
@settings(max_examples=30)
def test_pairs_below_the_threshold_go(pairs: list[plain.Aligned]) -> None:
    pairs = pairs * 2
    for least in (0.3, 0.7, 1.5):
        kept = {(option.source, option.target) for option in build(pairs, significance=str(least))}
        for option in build(pairs):
            value = rating(pairs, option.source, option.target)
            if abs(value - least) > 1e-6:
                assert ((option.source, option.target) in kept) == (value > least)


def test_the_chance_is_that_of_scipy_in_a_large_text() -> None:
    total = 60_000
    log_factorial = np.array([math.lgamma(k + 1) for k in range(total + 1)])
    for shared, with_f, with_e in [(1, 1, 1), (2, 40, 3), (30, 9000, 400), (90, 9000, 400)]:
        rest = total - with_f - with_e + shared
        square = [[shared, with_f - shared], [with_e - shared, rest]]
        expected = fisher_exact(square, alternative="greater")[1]
        found = log_chance(shared, with_f, with_e, total, log_factorial)
        assert math.exp(found) == pytest.approx(expected, rel=1e-6)


def test_single_pairs_are_rated_alpha() -> None:
    pairs = [plain.aligned(f"f{k} ||| e{k} ||| 0-0") for k in range(20)]
    pairs += [plain.aligned("twice ||| zweimal ||| 0-0")] * 2
    assert len(build(pairs, significance="alpha-epsilon")) == 21
    dropped = build(pairs, significance="alpha+epsilon")
    assert [option.source for option in dropped] == [("twice",)]
    # What stays has the probabilities of the whole.
    assert dropped.options("twice")[0].counts == (2, 2, 2)


def test_levels_are_checked() -> None:
    for wrong in ("alpha", "-1", "nan"):
        with pytest.raises(UsageError, match=r"none, alpha-epsilon, alpha\+epsilon or a number"):
            PhraseSettings(significance=wrong)
