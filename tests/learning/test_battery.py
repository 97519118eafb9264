"""Checks that every learner passes."""

from __future__ import annotations

import copy
import dataclasses
import importlib.util
import inspect
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from treewright.corpora import Pair
from treewright.errors import DataError, Problems, UsageError
from treewright.grammar import Extraction
from treewright.learning import CRF, EM, SVM, VB, AveragedPerceptron, Deletion, Gibbs
from treewright.learning.learner import Learner
from treewright.learning.neural import NeuralCRF
from treewright.pruning import Model, Pruner
from treewright.pruning.deletion import DeletionModel

from .neural.toys import start_small
from .toys import PAIRS

Any_ = Learner[Any, Any]
EXTRACTION = Extraction(parts=2, min_count=1)
EVERYTHING: dict[str, Any] = {"extraction": EXTRACTION, "min_count": 1, "min_rule_count": 1}
LEARNERS: dict[str, Any_] = {
    "em": EM(extraction=EXTRACTION, iterations=5),
    "em-flat": EM(extraction=EXTRACTION, iterations=5, smoothing="flat"),
    "vb": VB(extraction=EXTRACTION, iterations=5),
    "vb-p0": VB(extraction=EXTRACTION, iterations=5, smoothing="p0"),
    "gibbs": Gibbs(iterations=5),
    "gibbs-sampled": Gibbs(
        iterations=3, samples=2, spacing=1, smoothing="p0", resample_hyperparameters=True
    ),
    "crf": CRF(**EVERYTHING, iterations=4),
    "crf-rules": CRF(**EVERYTHING, iterations=4, rules=True),
    "svm": SVM(**EVERYTHING, rounds=2),
    "svm-rules": SVM(
        **EVERYTHING, rounds=2, rules=True, rescaling="slack", optimiser="n-slack", c=0.01
    ),
    "perceptron": AveragedPerceptron(**EVERYTHING, rounds=2, rules=True),
    "deletion": Deletion(epochs=2, bits=12),
    "neural": NeuralCRF(epochs=1, node=4, gap=4),
}
needs_torch = pytest.mark.skipif(
    importlib.util.find_spec("torch") is None, reason="training a network needs torch"
)


@pytest.fixture
def learner(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Any_]:
    """Return a fresh learner; torch is left as it was."""
    if request.param != "neural":
        yield copy.deepcopy(LEARNERS[request.param])
        return
    import torch

    start_small(monkeypatch, tmp_path)
    threads = torch.get_num_threads()
    yield copy.deepcopy(LEARNERS[request.param])
    torch.use_deterministic_algorithms(False)
    torch.set_num_threads(threads)
    torch.set_flush_denormal(False)


each_learner = pytest.mark.parametrize(
    "learner",
    [pytest.param(name, marks=[needs_torch] if name == "neural" else []) for name in LEARNERS],
    indirect=True,
)
each_name = pytest.mark.parametrize("name", list(LEARNERS))


def fitted(learner: Any_, pairs: list[Pair] = PAIRS, **options: Any) -> Any:
    return copy.deepcopy(learner).fit(pairs, **options)


def saved(learner: Any, folder: Path) -> bytes:
    learner.model_.save(folder / "saved")
    return (folder / "saved").read_bytes()


def weights_of(model: Model | DeletionModel) -> list[list[float]]:
    """Return the weight of every edge of every source's forest."""
    make = Pruner.of(model).forest if isinstance(model, Model) else model.forest
    return [make(pair.source).weights.tolist() for pair in PAIRS]


def test_every_learner_there_is_takes_part() -> None:
    def concrete(kind: type) -> set[type]:
        below = {found for sub in kind.__subclasses__() for found in concrete(sub)}
        own = kind.__module__.startswith("treewright.") and not inspect.isabstract(kind)
        return below | {kind} if own else below

    assert {type(learner) for learner in LEARNERS.values()} == concrete(Learner)


@each_learner
def test_fitting_again_equals_a_fresh_fit(learner: Any_, tmp_path: Path) -> None:
    once = saved(fitted(learner), tmp_path)
    assert saved(fitted(learner), tmp_path) == once
    other = fitted(learner, PAIRS[:2])
    assert saved(other.fit(PAIRS), tmp_path) == once


@each_learner
def test_fit_returns_itself_and_leaves_its_input_alone(learner: Any_) -> None:
    pairs, before = list(PAIRS), pickle.dumps(PAIRS)
    settings = copy.deepcopy(learner.settings())
    assert learner.fit(pairs) is learner
    assert pairs == PAIRS
    assert pickle.dumps(PAIRS) == before
    assert learner.settings() == settings


@each_name
def test_a_constructor_stores_its_parameters_and_nothing_else(name: str) -> None:
    learner = LEARNERS[name]
    names = {field.name for field in dataclasses.fields(learner)}
    assert set(vars(learner)) == names
    assert set(learner.settings()) == names


@each_learner
def test_what_is_learned_ends_in_an_underscore(learner: Any_) -> None:
    names = set(vars(learner))
    new = set(vars(learner.fit(PAIRS))) - names
    assert "model_" in new
    assert all(name.endswith("_") or name.startswith("_") for name in new)


@each_learner
def test_a_model_says_how_it_was_made(learner: Any_) -> None:
    about = learner.fit(PAIRS).model_.metadata
    assert about["learner"] == learner.name
    assert about["settings"] == learner.settings()
    assert about["pairs"] == len(PAIRS)


@each_learner
def test_a_model_survives_its_file(learner: Any_, tmp_path: Path) -> None:
    model = learner.fit(PAIRS).model_
    model.save(tmp_path / "model")
    loaded = type(model).load(tmp_path / "model")
    assert loaded.metadata == model.metadata
    assert weights_of(loaded) == weights_of(model)
    loaded.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "model").read_bytes()


@each_learner
def test_a_learner_can_be_sent_to_another_process(learner: Any_) -> None:
    learner.fit(PAIRS)
    other = pickle.loads(pickle.dumps(learner))
    assert other.settings() == learner.settings()
    assert weights_of(other.model_) == weights_of(learner.model_)


@each_learner
def test_one_bad_pair_is_reported_and_the_rest_is_learned(learner: Any_, tmp_path: Path) -> None:
    unaligned = Pair("bad", PAIRS[0].source, PAIRS[0].target)
    problems = Problems()
    without = saved(fitted(learner), tmp_path)
    assert saved(fitted(learner, [unaligned, *PAIRS], problems=problems), tmp_path) == without
    assert [error.where for error in problems.errors] == ["bad"]
    with pytest.raises(DataError, match="bad: the pair has no word alignment"):
        fitted(learner, [unaligned, *PAIRS])


@each_learner
def test_nothing_to_learn_from_is_an_error(learner: Any_) -> None:
    with pytest.raises(DataError, match="at least one aligned pair"):
        learner.fit([])


WRONG: dict[str, list[object]] = {
    "int": [-1, 2.5, "three", None, True, float("nan")],
    "float": [-1.0, "half", None, float("nan"), float("inf"), True],
    "str": ["nonsense", 3],
}
NAMES = {"without": "feature group"}


@each_name
def test_settings_that_make_no_sense_are_named(name: str) -> None:
    learner = LEARNERS[name]
    for field in dataclasses.fields(learner):
        for value in WRONG.get(str(field.type), []):
            with pytest.raises(UsageError, match=NAMES.get(field.name, field.name)):
                dataclasses.replace(learner, **{field.name: value})  # type: ignore[type-var]
