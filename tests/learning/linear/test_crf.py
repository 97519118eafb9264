"""`CRF`: likelihood and slope against brute force, and what it learns."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from treewright.corpora import Pair
from treewright.learning.linear import CRF, ExampleSet
from treewright.learning.linear import learner as learners
from treewright.learning.linear.crf import _Likelihood
from treewright.pruning import Pruner

from ...forest.naive import log_sum
from ..toys import PAIRS
from .toys import EVERYTHING, MODES, listed, prepare, prepared, random_weights

each_mode = pytest.mark.parametrize("mode", MODES)


def naive_likelihood(
    data: ExampleSet, pairs: list[Pair], mode: str, weights: np.ndarray
) -> tuple[float, np.ndarray]:
    """Sum over lists of all derivations, and of those that give the target."""
    value, slope = 0.0, np.zeros(len(weights))
    for pair, example in zip(pairs, data.examples, strict=True):
        everything = listed(data, example, pair, mode)
        golden = [
            one
            for one in everything
            if (one.words == pair.target.words() and -1 not in one.positions)
            or one.derivation == example.gold
        ]
        for some, sign in ((golden, 1.0), (everything, -1.0)):
            scores = [float(one.features @ weights) for one in some]
            total = log_sum(scores)
            value += sign * total
            for score, one in zip(scores, some, strict=True):
                slope += sign * np.exp(score - total) * one.features
    return value, slope


@each_mode
def test_likelihood_and_slope_are_those_of_all_derivations(mode: str) -> None:
    # A source with two targets, and one pair twice: forests are joined in copies.
    pairs = [*PAIRS, PAIRS[0], Pair("other", PAIRS[0].source, PAIRS[0].source, IDENTITY)]
    data = prepare(mode, pairs)
    assert len(data.sources) == len(PAIRS)
    weights = 0.3 * random_weights(data.rows.num_features)
    with ThreadPoolExecutor(2) as pool:
        value, slope = _Likelihood(data, pool)(weights)
    expected, expected_slope = naive_likelihood(data, pairs, mode, weights)
    assert value == pytest.approx(expected)
    assert np.allclose(slope, expected_slope)


IDENTITY = tuple((i, i) for i in range(len(PAIRS[0].source.words())))


@each_mode
def test_the_slope_is_that_of_finite_differences(mode: str) -> None:
    data = prepared(mode)
    size = data.rows.num_features
    weights = 0.1 * random_weights(size)
    with ThreadPoolExecutor(1) as pool:
        likelihood = _Likelihood(data, pool)
        _, slope = likelihood(weights)
        for seed in range(5):
            step = 1e-5 * random_weights(size, seed)
            change = likelihood(weights + step)[0] - likelihood(weights - step)[0]
            assert change / 2 == pytest.approx(float(slope @ step), rel=1e-4, abs=1e-9)


@each_mode
def test_the_objective_rises_to_its_maximum(mode: str) -> None:
    data = prepared(mode)
    # With rules a target has many derivations: there are saddles, where a step gains very little.
    learner = CRF(**MODES[mode], **EVERYTHING, precision=0.5, tolerance=1e-12).fit_prepared(data)
    assert learner.converged_ is True
    assert (np.diff(learner.objective_) >= -1e-9).all()
    assert learner.model_.metadata["objective"] == pytest.approx(learner.objective_[-1])
    assert learner.model_.metadata["iterations"] == len(learner.objective_)
    with ThreadPoolExecutor(1) as pool:
        value, slope = _Likelihood(data, pool)(learner.weights_)
    penalty = 0.25 * float(learner.weights_ @ learner.weights_)
    assert value - penalty == pytest.approx(learner.objective_[-1])
    assert np.abs(slope - 0.5 * learner.weights_).max() < 1e-3


def test_few_iterations_do_not_converge() -> None:
    learner = CRF(**EVERYTHING, iterations=1).fit_prepared(prepared("open"))
    assert learner.converged_ is False
    assert len(learner.objective_) == 1
    assert learner.model_.metadata["converged"] is False


@each_mode
def test_it_prefers_the_targets_it_has_seen(mode: str) -> None:
    learner = CRF(**MODES[mode], **EVERYTHING, precision=0.01).fit(PAIRS)
    transducer = Pruner.of(learner.model_)
    for pair in PAIRS:
        best = transducer.forest(pair.source).best()
        assert best is not None
        assert best.tree.words() == pair.target.words()


def test_a_strong_prior_leaves_no_weights() -> None:
    learner = CRF(**EVERYTHING, precision=1e12).fit(PAIRS)
    assert 0.0 < np.abs(learner.weights_).max() < learners.NOTHING
    assert len(learner.model_.pruning.keys) == 0  # type: ignore[union-attr]


def test_weights_are_small_beside_the_largest() -> None:
    # However small all of them are, those that matter among them stay.
    learner = CRF(**EVERYTHING, precision=1e6).fit(PAIRS)
    sizes = np.abs(learner.weights_)
    assert sizes.max() < learners.SMALLEST
    kept = len(learner.model_.pruning.keys)  # type: ignore[union-attr]
    assert kept == (sizes > learners.SMALLEST * sizes.max()).sum() > 0


@each_mode
def test_threads_leave_no_trace(mode: str, tmp_path: Path) -> None:
    files = []
    for threads in (1, 2):
        learner = CRF(**MODES[mode], **EVERYTHING, threads=threads, iterations=5).fit(PAIRS)
        model = learner.model_
        # The number of threads itself is among the settings a model remembers.
        model.metadata["settings"].pop("threads")
        model.save(tmp_path / f"{threads}")
        files.append((tmp_path / f"{threads}").read_bytes())
    assert files[0] == files[1]
