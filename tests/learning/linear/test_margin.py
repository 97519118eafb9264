"""Large margins and mistakes over forests, against the list of all derivations."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from treewright.corpora import Pair
from treewright.learning.linear import SVM, AveragedPerceptron, ExampleSet, MarginLearner
from treewright.learning.linear.problem import ForestProblem
from treewright.learning.margin.losses import LOSSES
from treewright.learning.margin.problem import RESCALINGS, Rescaling
from treewright.pruning import Pruner
from treewright.trees import parse_tree

from ..toys import PAIRS
from .toys import EVERYTHING, MODES, Listed, listed, prepare, prepared, random_weights

each_mode = pytest.mark.parametrize("mode", MODES)


@each_mode
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("rescaling", RESCALINGS)
@pytest.mark.parametrize("by_place", [False, True])
def test_the_search_finds_the_greatest_violation(
    mode: str, loss: str, rescaling: Rescaling, by_place: bool
) -> None:
    problem = ForestProblem(with_repeats(mode), LOSSES[loss], by_place)
    numbers = range(problem.num_examples)
    for seed, scale in enumerate((0.0, 0.02)):
        weights = scale * random_weights(problem.num_features, seed)
        cuts = problem.separate(weights, numbers, rescaling)
        for number, cut in zip(numbers, cuts, strict=True):
            violations, differences, losses = outputs(
                mode, number, loss, weights, rescaling, by_place=by_place
            )
            assert cut.example == number
            assert cut.violation(weights, rescaling) == pytest.approx(violations.max(), abs=1e-9)
            found = np.zeros(problem.num_features)
            found[cut.indices] = cut.values
            # The cut is that of an output which is among the worst.
            assert any(
                np.allclose(found, differences[k]) and cut.loss == pytest.approx(losses[k])
                for k in np.flatnonzero(violations >= violations.max() - 1e-9)
            )


# The first `rain` goes, the second stays: as words both are right.
TWICE = Pair(
    "twice",
    parse_tree("(ROOT (S (NP (NN rain)) (VP (VBZ falls) (NP (NN rain)))))"),
    parse_tree("(ROOT (S (VP (VBZ falls) (NP (NN rain)))))"),
    ((1, 0), (2, 1)),
)
REPEATING = [*PAIRS, TWICE]


@cache
def with_repeats(mode: str) -> ExampleSet:
    return prepare(mode, REPEATING)


@cache
def derivations_of(mode: str, number: int) -> list[Listed]:
    data = with_repeats(mode)
    return listed(data, data.examples[number], REPEATING[number], mode)


def outputs(
    mode: str,
    number: int,
    loss: str,
    weights: np.ndarray,
    rescaling: Rescaling,
    *,
    by_place: bool = False,
) -> tuple[np.ndarray, np.ndarray, list[float]]:
    """The violation, Ψ(gold) - Ψ and the loss of every derivation, by equations 4 and 5."""
    example = with_repeats(mode).examples[number]
    derivations = derivations_of(mode, number)
    places = {place for place, _ in REPEATING[number].alignment or ()}
    [gold] = [one for one in derivations if one.derivation == example.gold]
    differences = gold.features - np.array([one.features for one in derivations])
    losses = []
    for one in derivations:
        if by_place:
            hits = sum(place in places for place in one.positions)
        else:
            hits = sum(word in example.target for word in one.words)
        losses.append(float(LOSSES[loss](hits, len(one.words) - hits, len(example.target))))
    margins = differences @ weights
    if rescaling == "margin":
        return np.array(losses) - margins, differences, losses
    return (1.0 - margins) * np.array(losses), differences, losses


def test_a_repeated_word_is_wrong_in_the_wrong_place() -> None:
    number = REPEATING.index(TWICE)
    nothing = np.zeros(with_repeats("open").rows.num_features)
    by_word, by_place = (
        outputs("open", number, "hamming", nothing, "margin", by_place=by_place)[2]
        for by_place in (False, True)
    )
    assert by_word != by_place


@each_mode
def test_prediction_takes_the_best_output(mode: str) -> None:
    problem = ForestProblem(with_repeats(mode), LOSSES["f1"])
    weights = random_weights(problem.num_features)
    for number in range(problem.num_examples):
        [cut] = problem.predict(weights, [number])
        _, differences, losses = outputs(mode, number, "f1", weights, "margin")
        margins = differences @ weights
        best = int(np.argmin(margins))
        assert cut.values @ weights[cut.indices] == pytest.approx(margins.min())
        assert cut.loss == pytest.approx(losses[best])


def test_the_gold_output_is_an_empty_cut() -> None:
    data = prepared("open")
    problem = ForestProblem(data, LOSSES["hamming"])
    learner = SVM(rules=False, **EVERYTHING, c=100.0, loss="hamming").fit_prepared(data)
    for cut in problem.predict(learner.weights_, range(problem.num_examples)):
        assert (len(cut.indices), cut.loss) == (0, 0.0)


@each_mode
@pytest.mark.parametrize(
    "learner",
    [
        lambda **more: SVM(**more, c=100.0, rescaling="slack", optimiser="n-slack"),
        lambda **more: SVM(**more, c=100.0, rescaling="margin", optimiser="n-slack"),
        lambda **more: SVM(**more, c=100.0, rescaling="margin", optimiser="frank-wolfe"),
    ],
    ids=["n-slack by slack", "n-slack by margin", "frank-wolfe"],
)
def test_what_can_be_separated_is(mode: str, learner: Any) -> None:
    fitted: MarginLearner = learner(**{"rules": False, **MODES[mode]}, **EVERYTHING).fit(PAIRS)
    transducer = Pruner.of(fitted.model_)
    for pair in PAIRS:
        best = transducer.forest(pair.source).best()
        assert best is not None
        assert best.tree.words() == pair.target.words()
    assert fitted.model_.metadata["iterations"] == len(fitted.result_.reports)


@each_mode
def test_the_perceptron_ends_without_mistakes(mode: str) -> None:
    learner = AveragedPerceptron(**{"rules": False, **MODES[mode]}, **EVERYTHING, rounds=50)
    learner.fit(PAIRS)
    assert learner.result_.converged
    assert learner.result_.reports[-1].updates == 0
    # The mean of all weights, early ones included, may still be wrong here and there.
    transducer = Pruner.of(learner.model_)
    best = [transducer.forest(pair.source).best() for pair in PAIRS]
    wrong = [
        one is None or one.tree.words() != pair.target.words()
        for pair, one in zip(PAIRS, best, strict=True)
    ]
    assert sum(wrong) <= 1


def test_problems_are_told_apart() -> None:
    prints = {
        ForestProblem(prepared(mode), LOSSES[loss]).fingerprint for mode in MODES for loss in LOSSES
    }
    assert len(prints) == len(MODES) * len(LOSSES)
