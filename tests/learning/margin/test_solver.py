"""The quadratic programs, against a general-purpose method; singular Gram matrices."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from treewright.errors import DataError
from treewright.learning.margin.solver import solve

from ...profiles import examples


def value(gram, bounds, alphas):
    return 0.5 * alphas @ gram @ alphas - bounds @ alphas


def reference(gram, bounds, cap):
    found = minimize(
        lambda share: value(gram, bounds, cap * share),
        np.zeros(len(bounds)),
        jac=lambda share: cap * (cap * (gram @ share) - bounds),
        bounds=[(0.0, 1.0)] * len(bounds),
        constraints={"type": "ineq", "fun": lambda share: 1.0 - share.sum()},
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )
    share = found.x.clip(0.0)
    return value(gram, bounds, cap * share / max(1.0, share.sum()))


@examples(60)
@given(
    seed=st.integers(0, 10**6),
    size=st.integers(1, 8),
    rank=st.integers(0, 8),
    cap=st.sampled_from([1e-5, 0.1, 1.0, 1e4]),
    warm=st.booleans(),
)
def test_the_best_feasible_point_is_found(seed, size, rank, cap, warm):
    random = np.random.default_rng(seed)
    vectors = random.integers(-2, 3, (size, rank)).astype(float)
    gram, bounds = vectors @ vectors.T, random.uniform(-0.2, 1.0, size)
    start = cap * random.dirichlet(np.ones(size)) if warm else None
    alphas = solve(gram, bounds, cap, start)
    assert (alphas >= 0.0).all() and alphas.sum() <= cap * (1 + 1e-15)
    best = min(0.0, reference(gram, bounds, cap))
    assert value(gram, bounds, alphas) <= best + 1e-6 * abs(best)
    if start is not None:
        assert value(gram, bounds, alphas) <= value(gram, bounds, start)


@pytest.mark.parametrize("size", [2, 20, 100])
@pytest.mark.parametrize("cap", [1e-6, 1.0, 1e6])
def test_repeated_and_nearly_repeated_constraints(size, cap):
    random = np.random.default_rng(0)
    one = random.normal(size=(1, 50)) + 1e-5 * random.normal(size=(size, 50))
    for vectors in (np.repeat(one[:1], size, axis=0), one, np.zeros((size, 50))):
        gram, bounds = vectors @ vectors.T, np.full(size, 0.5)
        alphas = solve(gram, bounds, cap)
        single = min(cap, 0.5 / gram[0, 0]) if gram[0, 0] else cap
        assert value(gram, bounds, alphas) <= (1 - 1e-6) * value(
            gram[:1, :1], bounds[:1], np.array([single])
        )


def test_multipliers_without_influence_are_exactly_zero():
    gram, bounds = np.eye(3), np.array([1.0, 0.9, -1.0])
    alphas = solve(gram, bounds, 0.05)
    assert alphas[1] == alphas[2] == 0.0 and alphas[0] == pytest.approx(0.05)


def test_what_is_not_finite_is_an_error():
    with pytest.raises(DataError, match="not finite"):
        solve(np.array([[np.nan]]), np.ones(1), 1.0)


def test_a_failing_solver_is_an_error(monkeypatch):
    import daqp

    monkeypatch.setattr(daqp, "solve", lambda *args, **kwargs: (np.zeros(2), 0.0, -2, {}))
    with pytest.raises(DataError, match=r"over 2 constraints .* exit flag -2"):
        solve(np.eye(2), np.ones(2), 1.0)
