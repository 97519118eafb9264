from __future__ import annotations

import numpy as np
import pytest

from treewright.errors import UsageError
from treewright.grammar import Extraction
from treewright.learning import EM, TrainingSet

from .naive import iterate
from .toys import PAIRS

DATA = TrainingSet.prepare(PAIRS, Extraction(parts=3, min_count=1))


def test_the_toy_pairs_have_several_derivations_each() -> None:
    from treewright.forest import derivation_count

    assert min(derivation_count(forest) for forest in DATA.forests) > 1


def test_plain_em_never_lowers_the_likelihood() -> None:
    learner = EM(alpha=1.0, iterations=40, tolerance=0.0).fit_prepared(DATA)
    gains = np.diff(learner.objective_)
    assert (gains >= -1e-9).all()
    assert learner.objective_[-1] > learner.objective_[0] + 1.0


def test_map_em_never_lowers_the_posterior() -> None:
    learner = EM(alpha=1.5, iterations=40, tolerance=0.0).fit_prepared(DATA)
    assert (np.diff(learner.objective_) >= -1e-9).all()


@pytest.mark.parametrize("alpha", [1.0, 1.3])
def test_iterations_equal_enumeration(alpha: float) -> None:
    learner = EM(alpha=alpha, iterations=5, tolerance=0.0).fit_prepared(DATA)
    grammar = DATA.grammar
    weights = grammar.normalised(np.ones(len(grammar))).weights
    for objective in learner.objective_:
        likelihood, expected = iterate(DATA.forests, weights.tolist())
        prior = (alpha - 1.0) * weights.sum() if alpha > 1.0 else 0.0
        assert objective == pytest.approx(likelihood + prior)
        mass = np.array([expected[rule] for rule in range(len(grammar))]) + alpha - 1.0
        totals: dict[tuple[str, str], float] = {}
        for rule, value in zip(grammar.rules, mass, strict=True):
            totals[rule.root] = totals.get(rule.root, 0.0) + value
        with np.errstate(divide="ignore"):
            weights = np.array(
                [
                    np.log(value / totals[rule.root])
                    for rule, value in zip(grammar.rules, mass, strict=True)
                ]
            )
    last = learner.model_.grammar.counts
    assert last == pytest.approx(mass)


def test_it_stops_when_the_objective_stands_still() -> None:
    learner = EM(iterations=500, tolerance=1e-7).fit_prepared(DATA)
    assert learner.converged_
    assert len(learner.objective_) < 500


def test_flat_smoothing_adds_delta_minus_one_to_every_rule() -> None:
    model = EM(smoothing="flat", delta=1.5, iterations=3).fit_prepared(DATA).model_
    grammar = model.grammar
    for root in grammar.roots:
        chosen = [i for i, rule in enumerate(grammar.rules) if rule.root == root]
        mass = grammar.counts[chosen] + 0.5
        expected = np.log(mass / (mass.sum() + 0.5))
        assert grammar.weights[chosen] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"alpha": 0.5}, "alpha must be at least 1"),
        ({"delta": 1.0}, "delta must be greater than 1"),
        ({"kappa": 0.0}, "kappa must be positive"),
        ({"iterations": 0}, "iterations must be at least 1"),
        ({"tolerance": -1.0}, "tolerance must not be negative"),
        ({"smoothing": "magic"}, "choose one of: flat, plain"),
    ],
)
def test_settings_out_of_range_are_refused(settings: dict[str, float], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        EM(**settings)
