from __future__ import annotations

import pickle
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from treewright.errors import DataError, Problems, UsageError
from treewright.learning import Gibbs
from treewright.learning.gibbs import PackedPairs
from treewright.pruning import Model

from .toys import PAIRS, pair, sample_pairs

PACKED = PackedPairs.pack(sample_pairs("train")[:20])
QUICK = Gibbs(iterations=40, pruning=False)


def fit(**settings: Any) -> Gibbs:
    return replace(QUICK, **settings).fit_prepared(PACKED)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"alpha": 0.0}, r"alpha must be positive, found 0\.0"),
        ({"alpha": -1.0}, r"alpha must be positive, found -1\.0"),
        ({"alpha": float("nan")}, "alpha must be positive, found nan"),
        ({"alpha": float("inf")}, "alpha must be positive, found inf"),
        ({"alpha": "high"}, "alpha must be positive, found 'high'"),
        ({"alphas": {"NP/ε": 0.0}}, r"alpha of NP/ε must be positive, found 0\.0"),
        ({"beta": 0.0}, r"beta must lie between 0 and 1, found 0\.0"),
        ({"beta": 1.0}, r"beta must lie between 0 and 1, found 1\.0"),
        ({"betas": {"NP": 1.5}}, r"beta of NP must lie between 0 and 1, found 1\.5"),
        ({"iterations": 0}, "iterations must be at least 1 and whole, found 0"),
        ({"iterations": 2.5}, r"iterations must be at least 1 and whole, found 2\.5"),
        ({"samples": -1}, "samples must be at least 0 and whole, found -1"),
        ({"samples": -1}, "samples must be at least 0"),
        ({"spacing": 0}, "spacing must be at least 1"),
        ({"seed": -1}, "seed must be at least 0"),
        ({"kappa": 0.0}, "kappa must be positive"),
        ({"schedule": "steep"}, "unknown schedule 'steep'; choose one of: constant, cosine"),
        ({"hottest": 0.0}, "hottest must be positive"),
        ({"coldest": 9.0}, "coldest must lie between 0 and 5, found 9"),
        ({"start": "cold"}, "unknown start 'cold'; choose one of: "),
        ({"pcfg": "left"}, "unknown pcfg 'left'; choose one of: both, sides"),
        ({"smoothing": "rough"}, "unknown smoothing 'rough'; choose one of: flat, p0, plain"),
    ],
)
def test_settings_that_make_no_sense(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Gibbs(**settings)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"alphas": {"QQ/ε": 1.0}}, "the category 'QQ' of 'QQ/ε' does not occur in the pairs"),
        ({"alphas": {"NP": 1.0}}, "expected a root pair such as NP/NP or NP/ε, found 'NP'"),
        ({"betas": {"QQ": 0.5}}, "the category 'QQ', given a beta, does not occur in the pairs"),
    ],
)
def test_a_category_that_does_not_occur(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        fit(**settings)


def test_fitting_again_equals_a_fresh_fit(tmp_path: Path) -> None:
    learner = replace(QUICK)
    pairs = list(sample_pairs("train")[:20])
    assert learner.fit(pairs[:3]) is learner
    learner.fit(pairs)
    assert pairs == list(sample_pairs("train")[:20])
    learner.model_.save(tmp_path / "a")
    fit().model_.save(tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_the_seed_is_all_that_is_random() -> None:
    assert fit().log_joint_ == fit().log_joint_
    assert fit().log_joint_ != fit(seed=1).log_joint_


def test_a_fitted_learner_can_be_sent_to_another_process() -> None:
    learner = fit()
    again = pickle.loads(pickle.dumps(learner))
    assert (again.log_joint_, again.reports_) == (learner.log_joint_, learner.reports_)
    assert again.model_.grammar.rules == learner.model_.grammar.rules


@pytest.mark.parametrize("smoothing", ["plain", "p0", "flat"])
def test_a_model_survives_its_file(smoothing: str, tmp_path: Path) -> None:
    learner = fit(smoothing=smoothing, betas={"NP": 0.3}, alphas={"NP/NP": 7.0})
    model = learner.model_
    model.save(tmp_path / "m")
    loaded = Model.load(tmp_path / "m")
    assert loaded.grammar.rules == model.grammar.rules
    assert (loaded.grammar.weights == model.grammar.weights).all()
    assert loaded.metadata == model.metadata
    assert loaded.metadata["settings"] == learner.settings()
    assert loaded.metadata["objective"] == learner.log_joint_
    node = PAIRS[0].source
    assert loaded.unseen is not None and model.unseen is not None
    assert loaded.unseen.weights(node) == model.unseen.weights(node)
    totals: Counter[tuple[str, str]] = Counter()
    for rule, weight in zip(model.grammar.rules, model.grammar.weights.tolist(), strict=True):
        totals[rule.root] += np.exp(weight)
    assert all(total <= 1.0 + 1e-9 for total in totals.values())


def test_the_rules_of_a_state_derive_every_pair_once() -> None:
    learner = fit()
    roots = Counter({rule: n for rule, n in learner.rules_.items() if rule.root[0] == "ROOT"})
    assert roots.total() == len(PACKED.pairs)
    assert len(learner.model_.grammar) == len(learner.rules_) == learner.reports_[-1].rules


def test_samples_are_averaged() -> None:
    learner = fit(samples=4, spacing=2)
    roots = [n for rule, n in learner.rules_.items() if rule.root[0] == "ROOT"]
    assert sum(roots) == pytest.approx(len(PACKED.pairs))
    assert any(n % 1.0 for n in learner.rules_.values())
    assert len(learner.rules_) > len(fit().rules_)
    assert learner.log_joint_ == fit().log_joint_


def test_whole_trees_are_another_start() -> None:
    cold = {"iterations": 1, "schedule": "constant", "hottest": 1e-6}
    assert fit(start="whole", **cold).log_joint_ != fit(**cold).log_joint_


def test_insertions_are_rules_of_their_own() -> None:
    pairs = [pair("(ROOT (S (N a) (D x)))", "(ROOT (S (D (D (X the))) (N a)))", "0-1")] * 5
    shut = Gibbs(iterations=30, beta=0.1, alpha=1.0).fit(pairs)
    assert not [rule for rule in shut.rules_ if rule.root[0] == "ε"]
    free = Gibbs(iterations=30, beta=0.01, alpha=1000.0, insertions=True, schedule="constant")
    inserted = [rule for rule in free.fit(pairs).rules_ if rule.root[0] == "ε"]
    assert inserted
    assert all(rule.source is None for rule in inserted)


def test_one_bad_pair_is_reported_and_the_rest_is_learned() -> None:
    problems = Problems()
    bad = pair("(ROOT (N a))", "(ROOT (N b))", "")
    learner = replace(QUICK).fit([bad, *PAIRS], problems=problems)
    assert [error.where for error in problems.errors] == ["toy"]
    assert learner.model_.metadata["pairs"] == len(PAIRS)
    with pytest.raises(DataError, match="no pair has an admissible alignment"):
        replace(QUICK).fit([])
