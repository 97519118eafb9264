"""`AcceptanceLearner`: its slope, what it learns, and what its weights mean."""

from __future__ import annotations

import math

import numpy as np
import pytest

from treewright.learning.acceptance import AcceptanceLearner, Example, learner
from treewright.learning.acceptance.verdicts import Loss
from treewright.pruning.acceptance import SEAM_FEATURES, Acceptance

from ...pruning.acceptance.toys import toy_neighbours

NAMES = [("label", "NN"), ("label", "PP"), ("word", "of"), ("rare",)]
TAGS = ["", "NN", "IN"]

SEAMS = len(SEAM_FEATURES)
PRICES = {"": -3.0}


def random_examples(seed: int, number: int = 30) -> list[Example]:
    """Versions of no, one or more losses and seams, each accepted, refused, or nearly accepted."""
    random = np.random.default_rng(seed)
    examples = []
    for _ in range(number):
        losses = [
            Loss([name for name in NAMES[:3] if random.random() < 0.5], float(random.normal()))
            for _ in range(random.integers(0, 4))
        ]
        seams = random.normal(-2.0, 3.0, (random.integers(0, 3), SEAMS))
        pairs = [tuple(map(str, random.choice(TAGS, 2))) for _ in seams]
        examples.append(Example(losses, seams, pairs, float(random.choice([0.0, 0.7, 1.0]))))
    return examples


def likelihood(acceptance: Acceptance, examples: list[Example]) -> float:
    """The log-likelihood of verdicts by the definition."""
    total = 0.0
    for each in examples:
        odds = [
            sum(acceptance.losses.get(name, 0.0) for name in loss.features)
            + acceptance.odds * loss.odds
            + acceptance.constant
            for loss in each.losses
        ]
        seams = acceptance.seams
        for features, pair in zip(each.seams, each.tags, strict=True):
            value = float(seams.features[:-1] @ features) + float(seams.features[-1])
            odds.append(value + seams.pairs.get(pair, 0.0))
        log_p = min(-1e-6, -sum(math.log1p(math.exp(-odd)) for odd in odds))
        total += each.accepted * log_p
        total += (1.0 - each.accepted) * math.log(-math.expm1(log_p))
    return total


def prior(acceptance: Acceptance, examples: list[Example], penalty: float) -> float:
    """The prior's part of the objective; seams are weighed by how much they vary."""
    scale = np.concatenate([each.seams for each in examples]).std(axis=0)
    named = [*acceptance.losses.values(), *acceptance.seams.pairs.values()]
    own = acceptance.odds**2 + acceptance.constant**2
    of_seams = (acceptance.seams.features[:-1] * scale) ** 2
    return 0.5 * (penalty * sum(w**2 for w in named) + 0.1 * own + float(of_seams.sum()))


@pytest.mark.parametrize("seed", range(3))
def test_the_slope_is_that_of_finite_differences(seed: int) -> None:
    examples = random_examples(seed)
    pairs = [("", "NN"), ("NN", "IN")]
    design = learner._lay_out(examples, NAMES, pairs)
    random = np.random.default_rng(seed)
    size = len(NAMES) + 2 + len(pairs) + SEAMS + 1
    weights, penalties = random.normal(0.0, 0.5, size), random.random(size)
    _, slope = learner._objective(weights, design, penalties)
    step = 1e-5
    for place in range(size):
        moved = [weights + sign * step * (np.arange(size) == place) for sign in (1.0, -1.0)]
        high, low = (learner._objective(each, design, penalties)[0] for each in moved)
        assert slope[place] == pytest.approx((high - low) / (2 * step), rel=1e-4, abs=1e-5)


@pytest.mark.parametrize("seed", range(3))
def test_the_objective_is_the_likelihood_of_the_result(seed: int) -> None:
    examples = random_examples(seed)
    fitted = AcceptanceLearner(penalty=0.5).fit(examples, toy_neighbours(), PRICES)
    found = fitted.acceptance_
    expected = prior(found, examples, 0.5) - likelihood(found, examples)
    assert fitted.objective_ == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_what_is_found_is_better_than_the_start(seed: int) -> None:
    examples = random_examples(seed)
    start = AcceptanceLearner(iterations=0).fit(examples, toy_neighbours(), PRICES)
    found = AcceptanceLearner().fit(examples, toy_neighbours(), PRICES)
    assert found.objective_ < start.objective_
    assert likelihood(found.acceptance_, examples) > likelihood(start.acceptance_, examples)


def test_verdicts_that_can_be_told_apart_are_learned() -> None:
    """A good and a bad loss, a good and a bad seam; nothing else differs."""
    fine, poor = np.full((1, SEAMS), -1.0), np.full((1, SEAMS), -9.0)
    good, bad = Loss([("label", "good")], 0.0), Loss([("label", "bad")], 0.0)
    beside = [("NN", "IN")]
    examples = [
        *[Example([good], fine, beside, 1.0)] * 60,
        *[Example([bad], fine, beside, 0.0)] * 60,
        *[Example([good], poor, beside, 0.0)] * 60,
    ]
    fitted = AcceptanceLearner(penalty=0.5).fit(examples, toy_neighbours(), PRICES).acceptance_
    accepted = [
        math.exp(likelihood(fitted, [Example([loss], seam, beside, 1.0)]))
        for loss, seam in [(good, fine), (bad, fine), (good, poor)]
    ]
    assert accepted[0] > 0.9
    assert max(accepted[1:]) < 0.1


def test_the_models_own_odds_count() -> None:
    examples = [
        Example([Loss([], odds)], np.empty((0, SEAMS)), [], float(odds > 0.0))
        for odds in np.linspace(-3.0, 3.0, 40).tolist()
    ]
    fitted = AcceptanceLearner().fit([*examples, *random_examples(0, 3)], toy_neighbours(), PRICES)
    assert fitted.acceptance_.odds > 0.5


def test_rare_features_are_left_out() -> None:
    seam = np.zeros((1, SEAMS))
    often, seldom = Loss([("a",)], 0.0), Loss([("b",), ("b",), ("b",)], 0.0)
    examples = [
        *[Example([often], seam, [("NN", "IN")], 1.0)] * 3,
        *[Example([seldom], seam, [("IN", "NN")], 0.0)] * 2,
    ]
    found = AcceptanceLearner(least=3).fit(examples, toy_neighbours(), PRICES).acceptance_
    assert list(found.losses) == [("a",)]
    assert list(found.seams.pairs) == [("NN", "IN")]


def test_a_fit_is_the_same_again_and_leaves_its_input() -> None:
    examples = random_examples(4)
    before = [each.seams.copy() for each in examples]
    one = AcceptanceLearner()
    first = one.fit(examples, toy_neighbours(), PRICES).acceptance_.parts()
    second = one.fit(examples, toy_neighbours(), PRICES).acceptance_.parts()
    assert first == second
    assert first == AcceptanceLearner().fit(examples, toy_neighbours(), PRICES).acceptance_.parts()
    assert all((a == b.seams).all() for a, b in zip(before, examples, strict=True))
