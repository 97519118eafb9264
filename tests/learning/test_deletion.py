from __future__ import annotations

import copy
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from treewright.compression import Rewriter
from treewright.corpora import Pair
from treewright.errors import DataError, Problems, UsageError
from treewright.learning import Deletion
from treewright.learning import _deletion_kernels as _kernels
from treewright.pruning.deletion import DeletionModel
from treewright.randomness import generator
from treewright.trees import Tree, parse_tree

from .toys import PAIRS, TEXTS

SEPARABLE = [pair for pair in PAIRS if pair.id != "3"]
"""Without the pair in which an adverb stays that goes elsewhere."""
SMALL = Deletion(bits=14, augment=0.0)


def learned(pairs: list[Pair], **settings: Any) -> DeletionModel:
    return replace(SMALL, **settings).fit(pairs).model_


def outputs(model: DeletionModel, pairs: list[Pair]) -> list[tuple[str, ...]]:
    rewritings = Rewriter(model=model)(pair.source for pair in pairs)
    return [r.best.tree.words() if r.best else () for r in rewritings]


@pytest.mark.parametrize("augment", [0.0, 1.0])
def test_what_can_be_separated_is(augment: float) -> None:
    learner = replace(SMALL, epochs=20, cost=1.0, augment=augment).fit(SEPARABLE)
    if not augment:
        assert learner.losses_[-1] == 0.0
    assert outputs(learner.model_, SEPARABLE) == [pair.target.words() for pair in SEPARABLE]


def test_losses_are_shares_of_all_tokens() -> None:
    learner = copy.copy(SMALL).fit(PAIRS)
    assert len(learner.losses_) == learner.epochs
    assert 0.0 < learner.losses_[0] <= 1.0
    assert learner.model_.metadata["objective"] == -learner.losses_[-1]


def test_the_weights_are_averaged_over_all_steps() -> None:
    learner = replace(SMALL, epochs=3, cost=0.1)
    data = learner.prepare(PAIRS)
    state = _kernels.State(*np.zeros((3, 1 << learner.bits)))
    randomness = generator(learner.seed)
    states = []
    for _ in range(learner.epochs):
        for place in randomness.permutation(len(data)).tolist():
            shift = np.uint64(64 - learner.bits)
            pair = data.evidence[place], data.kept[place]
            _kernels.learn(*pair, state, shift, learner.cost, 0.0, 0.0)
            states.append(state.weights.copy())
    found = learner.fit_prepared(data).model_.weights
    assert found.any()
    assert found == pytest.approx(np.mean(states, axis=0), abs=1e-6)


def test_fitting_again_equals_a_fresh_fit(tmp_path: Path) -> None:
    learned(PAIRS).save(tmp_path / "a")
    again = copy.copy(SMALL).fit(PAIRS[:2])
    again.fit(PAIRS).model_.save(tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    learned(PAIRS, seed=1).save(tmp_path / "c")
    assert (tmp_path / "c").read_bytes() != (tmp_path / "a").read_bytes()


def test_a_model_survives_its_file(tmp_path: Path) -> None:
    model = learned(PAIRS)
    model.save(tmp_path / "m")
    loaded = DeletionModel.load(tmp_path / "m")
    assert loaded.metadata == model.metadata
    assert (loaded.weights == model.weights).all()


def test_learners_and_data_can_be_sent_to_another_process() -> None:
    fitted = copy.copy(SMALL).fit(PAIRS)
    assert pickle.loads(pickle.dumps(fitted)).losses_ == fitted.losses_
    data = pickle.loads(pickle.dumps(Deletion().prepare(PAIRS)))
    assert (SMALL.fit_prepared(data).model_.weights == fitted.model_.weights).all()


SOURCE, TARGET = map(parse_tree, TEXTS[0])
BAD = {
    "the pair has no word alignment": Pair("bad", SOURCE, TARGET),
    "the target has no words": Pair("bad", SOURCE, Tree("ROOT"), ()),
    "does not lead, in order": Pair("bad", SOURCE, TARGET, ((1, 1), (2, 0))),
    "from one source word to each": Pair("bad", SOURCE, TARGET, ((1, 0),)),
    "is aligned to another word, 'now'": Pair("bad", SOURCE, TARGET, ((0, 0), (2, 1))),
}


@pytest.mark.parametrize("message", BAD)
def test_one_bad_pair_is_reported_and_the_rest_is_learned(message: str) -> None:
    problems = Problems()
    fitted = copy.copy(SMALL).fit([BAD[message], *PAIRS], problems=problems)
    [error] = problems.errors
    assert error.where == "bad"
    assert message in error.message
    assert (fitted.model_.weights == learned(PAIRS).weights).all()
    with pytest.raises(DataError, match="bad: "):
        SMALL.prepare([BAD[message]])


def test_the_number_of_slots_is_limited() -> None:
    with pytest.raises(UsageError, match="bits must be at most 26, found 40"):
        Deletion(bits=40)
    with pytest.raises(UsageError, match="bits must be at least 8"):
        Deletion(bits=2)
