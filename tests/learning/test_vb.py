from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import digamma

from treewright.errors import UsageError
from treewright.grammar import PCFG, BaseDistribution, Extraction
from treewright.learning import EM, VB, TrainingSet

from .naive import iterate
from .toys import PAIRS

DATA = TrainingSet.prepare(PAIRS, Extraction(parts=3, min_count=1))
BASE = BaseDistribution(
    PCFG.read_off(pair.source for pair in PAIRS), PCFG.read_off(pair.target for pair in PAIRS), 0.1
)


@pytest.mark.parametrize("alpha", [0.01, 1.0, 1e4])
def test_the_free_energy_never_falls(alpha: float) -> None:
    learner = VB(alpha=alpha, iterations=40, tolerance=0.0).fit_prepared(DATA)
    assert learner.objective_[0] == -math.inf
    assert (np.diff(learner.objective_[1:]) >= -1e-9).all()


def test_updates_are_digammas_of_counts_and_prior() -> None:
    learner = VB(alpha=5.0, iterations=2, tolerance=0.0)
    data = DATA
    start = learner.start(data)
    _, expected = iterate(data.forests, start.tolist())
    counts = np.array([expected[rule] for rule in range(len(data.grammar))])
    weights = learner.update(data, counts)
    for i, rule in enumerate(data.grammar.rules):
        of_root = [k for k, other in enumerate(data.grammar.rules) if other.root == rule.root]
        total = counts[of_root].sum()
        prior = 5.0 * math.exp(BASE.log_probability(rule))
        assert weights[i] == pytest.approx(digamma(counts[i] + prior) - digamma(total + 5.0))


def test_a_sparse_prior_uses_fewer_rules_than_em() -> None:
    em = EM(iterations=30).fit_prepared(DATA).model_.grammar
    vb = VB(alpha=1e-3, iterations=30).fit_prepared(DATA).model_.grammar
    assert (vb.counts > 0.01).sum() < (em.counts > 0.01).sum()


def test_p0_smoothing_weighs_rules_by_the_posterior_mean() -> None:
    model = VB(alpha=3.0, smoothing="p0", iterations=5).fit_prepared(DATA).model_
    grammar = model.grammar
    for i, rule in enumerate(grammar.rules):
        of_root = [k for k, other in enumerate(grammar.rules) if other.root == rule.root]
        prior = 3.0 * math.exp(BASE.log_probability(rule))
        mean = (grammar.counts[i] + prior) / (grammar.counts[of_root].sum() + 3.0)
        assert grammar.weights[i] == pytest.approx(math.log(mean))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"alpha": 0.0}, "alpha must be positive"),
        ({"beta": 1.0}, "beta must lie between 0 and 1"),
        ({"kappa": -1.0}, "kappa must be positive"),
        ({"smoothing": "flat"}, "choose one of: p0, plain"),
    ],
)
def test_settings_out_of_range_are_refused(settings: dict[str, float], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        VB(**settings)
