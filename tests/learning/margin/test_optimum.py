"""All methods reach the optimum of the whole quadratic program, between bounds that hold."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.learning.margin.frank_wolfe import FrankWolfe
from treewright.learning.margin.method import train
from treewright.learning.margin.n_slack import NSlack
from treewright.learning.margin.perceptron import Perceptron
from treewright.learning.margin.problem import RESCALINGS, Objective

from ...profiles import examples
from .toys import (
    DUAL_METHODS,
    Enumerated,
    classes,
    optimum,
    primal,
    problems,
    random_problem,
)

scales = st.sampled_from([0.01, 0.3, 1.0, 20.0])


@examples(40)
@given(problem=problems(), c=scales, rescaling=st.sampled_from(RESCALINGS))
def test_cutting_planes_find_the_optimum(problem, c, rescaling):
    objective = Objective(c=c, rescaling=rescaling, tolerance=1e-6)
    best = optimum(problem, objective)
    result = train(NSlack(problem, objective))
    assert result.converged
    found = primal(problem, objective, result.weights)
    assert found == pytest.approx(best, rel=1e-5, abs=1e-5 * max(1.0, c))
    check_bounds(result, best)


@examples(30)
@given(problem=problems(), c=scales, rescaling=st.sampled_from(RESCALINGS))
def test_frank_wolfe_finds_the_optimum(problem, c, rescaling):
    objective = Objective(c=c, rescaling=rescaling, tolerance=0.02)
    best = optimum(problem, objective)
    result = train(FrankWolfe(problem, objective), rounds=3000)
    assert result.converged
    found = primal(problem, objective, result.weights)
    assert best - 1e-6 <= found <= best + 1.1 * objective.allowed_gap(found) + 1e-6
    check_bounds(result, best)


def check_bounds(result, best):
    for report in result.reports:
        assert report.dual <= best + 1e-6 * (1 + best)
        if report.primal is not None:
            assert report.primal >= best - 1e-6 * (1 + best)
            assert report.gap >= -1e-9
    duals = [report.dual for report in result.reports]
    assert all(after >= before - 1e-9 for before, after in itertools.pairwise(duals))


@pytest.mark.parametrize("rescaling", RESCALINGS)
@pytest.mark.parametrize("c", [0.01, 1.0, 100.0])
def test_all_methods_agree(c, rescaling):
    problem = random_problem(0)
    values = []
    for method in DUAL_METHODS:
        # Frank–Wolfe comes near soon, but for the last digits it takes its time.
        tolerance = 1e-2 if method is FrankWolfe else 1e-6
        objective = Objective(c=c, rescaling=rescaling, tolerance=tolerance)
        result = train(method(problem, objective), rounds=2000)
        assert result.converged
        assert result.reports[-1].primal == pytest.approx(
            primal(problem, objective, result.weights), rel=1e-9
        )
        values.append(result.reports[-1].primal)
    close = 1e-5 * max(c, values[0])
    assert values[0] - close <= values[1] <= values[0] + 1100 * close


@pytest.mark.parametrize("method", DUAL_METHODS)
@pytest.mark.parametrize("rescaling", RESCALINGS)
def test_separable_classes_are_separated(method, rescaling):
    problem = classes(0)
    result = train(method(problem, Objective(c=1000.0, rescaling=rescaling)), rounds=2000)
    assert result.converged
    assert all(cut.loss == 0.0 for cut in problem.predict(result.weights, range(15)))


def test_the_perceptron_separates_too():
    problem = classes(1)
    result = train(Perceptron(problem))
    assert result.converged and result.reports[-1].updates == 0
    assert result.reports[-1].primal is None and result.reports[-1].gap is None
    assert all(cut.loss == 0.0 for cut in problem.predict(result.weights, range(15)))


def test_the_perceptron_returns_the_mean_of_its_weights():
    problem = random_problem(4)
    method = Perceptron(problem, seed=5)
    order_of, weights, total = np.random.Generator(np.random.PCG64(5)), np.zeros(8), np.zeros(8)
    for _ in range(3):
        for example in order_of.permutation(12).tolist():
            (cut,) = problem.predict(weights, [example])
            if cut.loss > 0:
                weights[cut.indices] += cut.values
            total += weights
        method.advance()
    assert method.learned == pytest.approx(total / 36)


@pytest.mark.parametrize("method", DUAL_METHODS)
@pytest.mark.parametrize("rescaling", RESCALINGS)
def test_without_features_the_weights_stay_zero(method, rescaling):
    losses = [np.array([0.0, 1.0, 0.25]), np.array([0.0, 0.5, 0.0]), np.array([0.0])]
    problem = Enumerated([np.zeros((len(row), 4)) for row in losses], losses)
    result = train(method(problem, Objective(c=10.0, rescaling=rescaling)))
    assert result.converged and not result.weights.any()
    assert result.reports[-1].primal == pytest.approx(10.0 * (1.0 + 0.5) / 3)


def test_the_perceptron_without_features_ends():
    problem = Enumerated([np.zeros((2, 3))], [np.array([0.0, 1.0])])
    assert train(Perceptron(problem)).converged


def test_constraints_are_dropped_and_examples_sleep():
    problem = random_problem(3, examples=40, outputs=30)
    asked = []
    separate = problem.separate
    problem.separate = lambda weights, examples, rescaling: (
        asked.append(len(examples)),
        separate(weights, examples, rescaling),
    )[1]
    objective = Objective(c=0.5, tolerance=1e-5)
    short, long = (NSlack(problem, objective, batch=8, patience=k) for k in (1, 1000))
    results = [train(run) for run in (short, long)]
    assert all(result.converged for result in results)
    assert short.constraints < long.constraints
    rounds = sum(len(result.reports) for result in results)
    assert sum(asked) < 40 * rounds
