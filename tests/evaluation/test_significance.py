import json
from itertools import product

import numpy as np
import pytest

from treewright.corpora import Pair
from treewright.errors import UsageError
from treewright.evaluation import (
    TESTS,
    Evaluation,
    approximate_randomisation,
    evaluate,
    paired_bootstrap,
)
from treewright.evaluation.result import METRICS

from .toys import PAIRS, SOURCE, TARGET, chain


def many(number: int) -> list[Pair]:
    return [Pair(str(i), SOURCE, TARGET) for i in range(number)]


def good_and_bad(number: int) -> tuple[Evaluation, Evaluation]:
    pairs = many(number)
    bad = evaluate([SOURCE] * number, pairs, name="bad", relations=chain)
    return bad, evaluate([TARGET] * number, pairs, name="good", relations=chain)


@pytest.mark.parametrize("test", sorted(TESTS))
def test_a_system_does_not_differ_from_itself(test: str) -> None:
    _, good = good_and_bad(20)
    result = TESTS[test](good, good, samples=200)
    assert result.difference == 0
    assert result.p_value == 1.0


@pytest.mark.parametrize("test", sorted(TESTS))
def test_a_difference_on_every_sentence_is_no_chance(test: str) -> None:
    bad, good = good_and_bad(40)
    result = TESTS[test](bad, good, samples=500)
    assert result.difference == pytest.approx(1 - 4 / 7)
    assert result.p_value == pytest.approx(1 / 501)
    assert (result.first, result.second, result.metric) == ("bad", "good", "relation_f1")
    json.dumps(result.as_dict())


@pytest.mark.parametrize("test", sorted(TESTS))
def test_one_better_sentence_and_one_worse_are_chance(test: str) -> None:
    pairs = many(30)
    a = evaluate([TARGET] + [SOURCE] * 29, pairs, relations=chain)
    b = evaluate([SOURCE, TARGET, TARGET] + [SOURCE] * 27, pairs, relations=chain)
    assert TESTS[test](a, b, samples=500).p_value > 0.2


@pytest.mark.parametrize("test", sorted(TESTS))
def test_the_seed_decides_the_result(test: str) -> None:
    pairs = many(12)
    a = evaluate([TARGET] * 5 + [SOURCE] * 7, pairs, relations=chain)
    b = evaluate([SOURCE] * 9 + [TARGET] * 3, pairs, relations=chain)
    results = [TESTS[test](a, b, samples=300, seed=seed).as_dict() for seed in (1, 1, 2)]
    assert results[0] == results[1]
    assert results[0] != results[2]


def test_randomisation_approaches_the_exact_permutation_test() -> None:
    pairs = many(8)
    a = evaluate([SOURCE] * 6 + [TARGET] * 2, pairs, relations=chain)
    b = evaluate([TARGET] * 6 + [SOURCE] * 2, pairs, relations=chain)
    score = METRICS["relation_f1"]
    observed = abs(b.score("relation_f1") - a.score("relation_f1"))
    extreme = 0
    for swap in product([False, True], repeat=8):
        mask = np.array(swap)[:, None]
        first = np.where(mask, b.table, a.table).sum(axis=0)
        second = np.where(mask, a.table, b.table).sum(axis=0)
        extreme += abs(score(second) - score(first)) >= observed - 1e-12
    result = approximate_randomisation(a, b, samples=20_000)
    assert result.p_value == pytest.approx(extreme / 2**8, abs=0.02)
    assert result.level is None


def test_bootstrap_intervals_hold_the_score_and_widen_with_the_level() -> None:
    pairs = many(60)
    a = evaluate([SOURCE] * 30 + [TARGET] * 30, pairs, relations=chain)
    b = evaluate([TARGET] * 45 + [SOURCE] * 15, pairs, relations=chain)
    narrow, wide = (paired_bootstrap(a, b, samples=2000, level=level) for level in (0.5, 0.99))
    for result in (narrow, wide):
        for interval, value in (
            (result.first_interval, result.first_score),
            (result.second_interval, result.second_score),
            (result.difference_interval, result.difference),
        ):
            assert interval is not None
            assert interval[0] < value < interval[1]
    assert narrow.first_interval is not None
    assert wide.first_interval is not None
    assert wide.first_interval[0] < narrow.first_interval[0]


def test_a_bootstrap_interval_of_a_proportion_is_binomial() -> None:
    pairs = many(100)
    half = evaluate([TARGET, SOURCE] * 50, pairs, relations=chain)
    interval = paired_bootstrap(half, half, metric="exact_match", samples=5000).first_interval
    assert interval == pytest.approx((0.40, 0.60), abs=0.015)


def test_unlike_measurements_are_not_compared() -> None:
    a = evaluate([None] * 3, PAIRS, relations=chain, target=0)
    b = evaluate([None] * 3, PAIRS, relations=chain, target=1)
    with pytest.raises(UsageError, match="not measured on the same pairs"):
        paired_bootstrap(a, b)
    with pytest.raises(UsageError, match="unknown metric"):
        approximate_randomisation(a, a, metric="x")
    with pytest.raises(UsageError, match="at least one sample"):
        approximate_randomisation(a, a, samples=0)
    with pytest.raises(UsageError, match="between 0 and 1"):
        paired_bootstrap(a, a, level=95)


def test_batches_do_not_change_the_number_of_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    bad, good = good_and_bad(10)
    monkeypatch.setattr("treewright.evaluation.significance._CELLS", 70)
    assert paired_bootstrap(bad, good, samples=50).p_value == pytest.approx(1 / 51)
