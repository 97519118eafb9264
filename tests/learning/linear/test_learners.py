"""What all learners of linear models have in common: settings, files, training as decoding."""

from __future__ import annotations

import copy
import itertools
from typing import Any

import numpy as np
import pytest

from treewright.alignment import align_pairs
from treewright.corpora import read_pairs
from treewright.data import sample_path
from treewright.errors import UsageError
from treewright.learning.linear import CRF, SVM, AveragedPerceptron, ExampleSet, LinearLearner
from treewright.learning.linear import learner as learners
from treewright.pruning import Pruner
from treewright.pruning.features import templates

from ..toys import PAIRS
from .toys import EVERYTHING, MODES, random_weights

each_mode = pytest.mark.parametrize("mode", MODES)
LEARNERS = [
    CRF(**EVERYTHING, iterations=4),
    CRF(**EVERYTHING, iterations=4, rules=True, open=False),
    SVM(**EVERYTHING, rounds=2, rules=True, rescaling="slack", optimiser="n-slack", c=0.01),
    SVM(**EVERYTHING, rounds=2),
    AveragedPerceptron(**EVERYTHING, rounds=2, rules=True),
]
PAPER: dict[str, Any] = {"by_place": False, "rescaling": "slack", "optimiser": "n-slack"}
each_learner = pytest.mark.parametrize(
    "learner", LEARNERS, ids=[f"{number}-{one.name}" for number, one in enumerate(LEARNERS)]
)


@each_learner
def test_a_model_says_what_of_the_pairs_is_in_it(learner: LinearLearner) -> None:
    about = copy.deepcopy(learner).fit(PAIRS).model_.metadata
    assert about["unreached"] == 0
    assert about["features"] > 0
    assert about["iterations"] >= 1


# Training and decoding have to agree: what an edge scores in the one, it scores in the other.


class Fixed(LinearLearner):
    """Learns nothing, and has whatever weights it is given."""

    name = "fixed"

    def fit_prepared(self, data: ExampleSet, **_: object) -> Fixed:
        # Weights as a model keeps them: of half the precision, none too small.
        weights = random_weights(data.rows.num_features).astype(np.float32).astype(np.float64)
        largest = np.abs(weights).max(initial=0.0)
        weights[np.abs(weights) <= learners.SMALLEST * largest] = largest
        self.weights_ = weights
        self.model_ = self.finish(data, weights, {})
        return self


def check_agreement(learner: LinearLearner, data: ExampleSet, pairs: list[Any]) -> None:
    transducer = Pruner.of(learner.model_)
    for pair, example in zip(pairs, data.examples, strict=True):
        found, forest = transducer.forest(pair.source), example.source.forest
        for name in ("head", "tail_ptr", "tail"):
            assert (getattr(found.forest, name) == getattr(forest, name)).all()
        scores = data.rows.edge_scores(forest, learner.weights_)
        assert found.weights.tolist() == pytest.approx(scores.tolist(), abs=1e-9)
        by_row = np.append(data.rows.scores(learner.weights_), 0.0)
        assert np.allclose(by_row[forest.label], scores)


GROUPS = ["", *templates.GROUPS, ",".join(templates.GROUPS), "drops,gaps,lost tokens"]


@each_mode
@pytest.mark.parametrize("without", GROUPS)
def test_training_and_decoding_agree(mode: str, without: str) -> None:
    learner = Fixed(**MODES[mode], **EVERYTHING, without=without)
    data = learner.prepare(PAIRS)
    check_agreement(learner.fit_prepared(data), data, PAIRS)


@each_mode
@pytest.mark.parametrize("least", [1, 2, 3])
def test_they_agree_where_rare_features_and_rules_have_no_part(mode: str, least: int) -> None:
    learner = Fixed(**MODES[mode], min_count=least, min_rule_count=least)
    data = learner.prepare(PAIRS)
    check_agreement(learner.fit_prepared(data), data, PAIRS)


def sample() -> list[Any]:
    return list(itertools.islice(align_pairs(read_pairs(sample_path("train"))), 12))


@each_mode
def test_they_agree_on_real_sentences(mode: str) -> None:
    pairs = sample()
    learner = Fixed(**MODES[mode], min_rule_count=1)
    data = learner.prepare(pairs)
    check_agreement(learner.fit_prepared(data), data, pairs)


@pytest.mark.parametrize(
    "learner",
    [
        CRF(precision=0.1, iterations=40),
        SVM(c=1.0, rounds=10, rules=True, loss="precision-bp2", **PAPER),
        SVM(rounds=10),
    ],
)
def test_real_sentences_are_learned(learner: LinearLearner) -> None:
    pairs = sample()
    fitted = copy.deepcopy(learner).fit(pairs)
    transducer = Pruner.of(fitted.model_)
    right = 0
    for pair in pairs:
        best = transducer.forest(pair.source).best()
        right += best is not None and best.tree.words() == pair.target.words()
    assert right >= len(pairs) - 2


# Settings.


@each_mode
@pytest.mark.parametrize("kind", [CRF, SVM, AveragedPerceptron])
def test_all_features_may_be_too_rare(mode: str, kind: type[LinearLearner]) -> None:
    fitted = kind(**{"rules": False, **MODES[mode]}, min_count=10**6).fit(PAIRS)
    assert Pruner.of(fitted.model_).forest(PAIRS[0].source).best() is not None


@pytest.mark.parametrize(
    ("kind", "settings", "message"),
    [
        (SVM, {"c": 0.0}, "c must be positive"),
        (SVM, {"c": -1.0}, "c must be positive"),
        (SVM, {"c": float("nan")}, "c must be positive"),
        (SVM, {"tolerance": float("inf")}, "tolerance must be positive"),
        (SVM, {"loss": "regret"}, "unknown loss 'regret'; choose one of: .*hamming"),
        (
            SVM,
            {"optimiser": "1-slack"},
            "unknown optimiser '1-slack'; choose one of: frank",
        ),
        (SVM, {"rescaling": "none"}, "unknown rescaling 'none'; choose one of: margin, slack"),
        (SVM, {"rescaling": "slack"}, "frank-wolfe needs rescaling margin"),
        (SVM, {"rounds": 0}, "rounds must be at least 1"),
        (AveragedPerceptron, {"threads": 1.5}, "threads must be at least 1 and whole"),
        (AveragedPerceptron, {"loss": "regret"}, "unknown loss"),
        (SVM, {"seed": -1}, "seed must be at least 0 and whole, found -1"),
        (AveragedPerceptron, {"seed": 0.5}, "seed must be at least 0 and whole"),
        (CRF, {"precision": 0}, "precision must be positive"),
        (CRF, {"iterations": True}, "iterations must be at least 1 and whole"),
        (CRF, {"min_count": 0}, "min_count must be at least 1"),
        (CRF, {"min_rule_count": -1}, "min_rule_count must be at least 1"),
        (CRF, {"without": "words, tips"}, "unknown feature group 'tips'"),
        (CRF, {"open": False}, "needs rules or open deletions"),
    ],
)
def test_bad_settings_are_named(
    kind: type[LinearLearner], settings: dict[str, Any], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        kind(**settings)
