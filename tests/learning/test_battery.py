"""Checks that every learner passes."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import pytest

from treewright.errors import DataError, Problems
from treewright.grammar import Extraction
from treewright.learning import EM, VB, IterativeLearner
from treewright.pruning import Model

from .toys import PAIRS

EXTRACTION = Extraction(parts=2, min_count=1)
LEARNERS = [
    EM(extraction=EXTRACTION, iterations=5),
    EM(extraction=EXTRACTION, iterations=5, smoothing="flat"),
    VB(extraction=EXTRACTION, iterations=5),
    VB(extraction=EXTRACTION, iterations=5, smoothing="p0"),
]
each_learner = pytest.mark.parametrize(
    "learner", LEARNERS, ids=lambda learner: f"{learner.name}-{learner.smoothing}"
)


def saved(learner: IterativeLearner, path: Path) -> bytes:
    learner.model_.save(path)
    return path.read_bytes()


@each_learner
def test_fitting_again_equals_a_fresh_fit(learner: IterativeLearner, tmp_path: Path) -> None:
    once = saved(copy.deepcopy(learner).fit(PAIRS), tmp_path / "a")
    other = copy.deepcopy(learner).fit(PAIRS[:2])
    assert saved(other.fit(PAIRS), tmp_path / "b") == once


@each_learner
def test_fit_returns_itself_and_leaves_its_input_alone(learner: IterativeLearner) -> None:
    pairs = list(PAIRS)
    fresh = copy.deepcopy(learner)
    settings = fresh.settings()
    assert fresh.fit(pairs) is fresh
    assert pairs == PAIRS
    assert fresh.settings() == settings


@each_learner
def test_a_model_survives_its_file(learner: IterativeLearner, tmp_path: Path) -> None:
    model = copy.deepcopy(learner).fit(PAIRS).model_
    model.save(tmp_path / "model")
    loaded = Model.load(tmp_path / "model")
    assert loaded.grammar.rules == model.grammar.rules
    assert (loaded.grammar.weights == model.grammar.weights).all()
    assert loaded.metadata == model.metadata
    node = PAIRS[0].source
    assert loaded.unseen is not None and model.unseen is not None
    assert loaded.unseen.weights(node) == model.unseen.weights(node)


@each_learner
def test_a_learner_can_be_sent_to_another_process(learner: IterativeLearner) -> None:
    fitted = copy.deepcopy(learner).fit(PAIRS)
    assert pickle.loads(pickle.dumps(fitted)).objective_ == fitted.objective_


@each_learner
def test_one_bad_pair_is_reported_and_the_rest_is_learned(learner: IterativeLearner) -> None:
    from treewright.corpora import Pair

    problems = Problems()
    unaligned = Pair("bad", PAIRS[0].source, PAIRS[0].target)
    fitted = copy.deepcopy(learner).fit([unaligned, *PAIRS], problems=problems)
    assert [error.where for error in problems.errors][:1] == ["bad"]
    assert fitted.model_.metadata["derived"] >= len(PAIRS)


@each_learner
def test_nothing_to_learn_from_is_an_error(learner: IterativeLearner) -> None:
    with pytest.raises(DataError, match="at least one aligned pair"):
        copy.deepcopy(learner).fit([])
