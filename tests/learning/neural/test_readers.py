"""`ReaderLearner`: what it learns, what its layers say at run time, and what stays as it was."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pytest

from treewright.errors import DataError, UsageError
from treewright.learning.acceptance import Example, describe
from treewright.learning.neural import ReaderLearner, without_layers
from treewright.pruning import CompressionForest, Model, Pruner
from treewright.pruning.encoded import CLASH, REGRET, SEAM, SURPRISE, EncodedPruning
from treewright.trees import parse_tree

from ...pruning.acceptance.toys import toy_neighbours
from ...pruning.encoded.toys import model_of, random_pruning

torch = pytest.importorskip("torch")

SENTENCES = [
    "(S (NP (N a) (N b)) (VP (N c) (NP (N d) (N e))))",
    "(S (NP (N b) (N a)) (VP (N d) (NP (N c) (N e))))",
    "(S (NP (N e) (N c)) (VP (N a) (NP (N b) (N d))))",
]
PRICES = {"": -3.0}
BEFORE = {SEAM: 4, SURPRISE: 3}


def forests(pruning: EncodedPruning) -> list[CompressionForest]:
    pruner = Pruner.of(model_of(pruning))
    return [pruner.forest(parse_tree(sentence)) for sentence in SENTENCES]


def examples(pruning: EncodedPruning, accept: Any) -> list[Example]:
    """Every version of three or four words, accepted if `accept` says so of what is gone."""
    found = []
    for forest in forests(pruning):
        words = forest.source.words
        for kept in [*combinations(range(5), 4), *combinations(range(5), 3)]:
            gone = {words[place] for place in range(5) if place not in kept}
            accepted = float(accept(gone, [words[place] for place in kept]))
            found.append(describe([forest], kept, toy_neighbours(), accepted))
    return found


def small(**settings: Any) -> ReaderLearner:
    return ReaderLearner(
        **{"width": 8, "epochs": 300, "rate": 0.02, "decay": 0.0, "dropout": 0.0, **settings}
    )


def base() -> EncodedPruning:
    return random_pruning(seams=BEFORE, regret=0)


def probability(model: Model, sentence: str, kept: tuple[int, ...]) -> float:
    forest = Pruner.of(model).forest(parse_tree(sentence))
    assert model.acceptance is not None
    return model.acceptance.judge(forest, {}).probability(kept)


def test_a_word_that_must_stay_is_learned_from_its_state() -> None:
    """Features see neither which word goes (none is in the tables) nor where it stood."""
    pruning = base()
    data = examples(pruning, lambda gone, _: "e" not in gone)
    blind = [
        replace(each, losses=[replace(loss, features=[], odds=0.0) for loss in each.losses])
        for each in data
    ]
    learner = small().fit(pruning, blind, toy_neighbours(), PRICES)
    assert learner.losses_[-1] < 0.3 * learner.losses_[0]
    model = replace(model_of(learner.pruning_), acceptance=learner.acceptance_)
    for sentence in SENTENCES:
        words = parse_tree(sentence).words()
        for place, word in enumerate(words):
            kept = tuple(x for x in range(5) if x != place)
            assert (probability(model, sentence, kept) > 0.5) == (word != "e")


def test_neighbours_that_clash_are_learned() -> None:
    pruning = base()

    def accept(_: object, kept: list[str]) -> bool:
        return ("a", "c") not in pairwise(kept)

    data = [replace(each, tags=[("", "")] * len(each.tags)) for each in examples(pruning, accept)]
    learner = small().fit(pruning, data, toy_neighbours(), PRICES)
    model = replace(model_of(learner.pruning_), acceptance=learner.acceptance_)
    assert probability(model, SENTENCES[0], (0, 2, 3, 4)) < 0.3
    assert probability(model, SENTENCES[0], (1, 2, 3, 4)) > 0.5


def test_run_time_says_what_was_trained() -> None:
    """The estimate of a model equals the product that torch has computed, up to 8-bit weights."""
    from treewright.learning.neural.reader_layers import Rows, train_layers

    pruning = base()
    data = examples(pruning, lambda gone, _: "e" not in gone and "b" not in gone)
    settings = small(epochs=40)
    rows = Rows.of(pruning.network, data, settings.least)
    layers, _ = train_layers(settings, pruning.network, rows)
    with torch.no_grad():
        expected = layers(rows, np.arange(len(data))).exp().tolist()
    learner = small(epochs=40).fit(pruning, data, toy_neighbours(), PRICES)
    model = replace(model_of(learner.pruning_), acceptance=learner.acceptance_)
    versions = [
        (sentence, kept)
        for sentence in SENTENCES
        for kept in [*combinations(range(5), 4), *combinations(range(5), 3)]
    ]
    found = [probability(model, *version) for version in versions]
    assert found == pytest.approx(expected, abs=0.05)
    assert max(found) - min(found) > 0.5


def test_everything_else_of_the_network_stays() -> None:
    before = base()
    data = examples(before, lambda gone, _: "e" in gone)
    after = small(epochs=1).fit(before, data, toy_neighbours(), PRICES).pruning_
    again = EncodedPruning.restore(before.as_dict(), before.parts())
    assert set(after.network.arrays) > set(again.network.arrays)
    for name, array in again.network.arrays.items():
        assert (after.network.arrays[name] == array).all()
    left = without_layers(after).network.arrays
    assert set(left) == set(again.network.arrays)
    assert not [name for name in left if name.startswith((REGRET, CLASH))]


def test_a_fit_is_the_same_again_and_leaves_its_input() -> None:
    pruning = base()
    parts = pruning.parts()
    data = examples(pruning, lambda gone, _: "a" in gone)
    seams = [each.seams.copy() for each in data]

    def fitted(learner: ReaderLearner) -> tuple[object, object]:
        learner.fit(pruning, data, toy_neighbours(), PRICES)
        return learner.pruning_.parts(), learner.acceptance_.parts()

    one = small(epochs=3, dropout=0.3)
    first = fitted(one)
    assert first == fitted(one)
    assert first == fitted(small(epochs=3, dropout=0.3))
    assert pruning.parts() == parts
    assert all((a == b.seams).all() for a, b in zip(seams, data, strict=True))


def test_nothing_to_learn_from_is_an_error() -> None:
    nothing = Example([], np.empty((0, 10)), [], 1.0)
    with pytest.raises(DataError, match="no loss"):
        small().fit(base(), [nothing], toy_neighbours(), PRICES)


@pytest.mark.parametrize("wrong", [{"width": 0}, {"rate": 0.0}, {"dropout": 1.0}, {"penalty": -1}])
def test_wrong_settings_are_errors(wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=next(iter(wrong))):
        ReaderLearner(**wrong)
