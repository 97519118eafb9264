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
from treewright.pruning.encoded import (
    CLASH,
    REGRET,
    SEAM,
    SURPRISE,
    EncodedPruning,
    PriceNetwork,
)
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


def blinded(examples: list[Example]) -> list[Example]:
    """Versions of which only the layers can tell anything."""
    return [
        replace(
            each,
            losses=[replace(loss, features=[], odds=0.0) for loss in each.losses],
            seams=np.zeros_like(each.seams),
            tags=[("", "")] * len(each.tags),
        )
        for each in examples
    ]


def silenced(pruning: EncodedPruning, layer: str) -> EncodedPruning:
    """The same network, in which a layer says nothing."""
    network = pruning.network
    arrays = {
        name: np.zeros_like(array) if name.startswith(f"{layer}_out") else array
        for name, array in network.arrays.items()
    }
    return EncodedPruning(PriceNetwork(network.inventory, network.labels, arrays))


def test_a_word_that_must_stay_is_learned_from_its_state() -> None:
    """Without what seams say, which know of the same words."""
    pruning = base()
    data = [
        replace(each, seams=each.seams[:0], tags=[], ends=[])
        for each in blinded(examples(pruning, lambda gone, _: "e" not in gone))
    ]
    seam = blinded(examples(pruning, lambda *_: True))[:1]
    learner = small().fit(pruning, [*data, *seam], toy_neighbours(), PRICES)
    assert learner.losses_[-1] < 0.3 * learner.losses_[0]
    for forest in forests(learner.pruning_):
        assert forest.regrets is not None
        of_words = [forest.regrets[leaf] for leaf in forest.source.leaves]
        worst = max(zip(of_words, forest.source.words, strict=True))
        assert worst[1] == "e"


def test_neighbours_that_clash_are_learned() -> None:
    pruning = base()

    def accept(_: object, kept: list[str]) -> bool:
        return ("a", "c") not in pairwise(kept)

    data = [replace(each, losses=[], nodes=[]) for each in blinded(examples(pruning, accept))]
    loss = blinded(examples(pruning, lambda *_: True))[:1]
    learner = small().fit(pruning, [*data, *loss], toy_neighbours(), PRICES)
    forest = forests(learner.pruning_)[0]
    assert forest.clashes is not None
    # Tokens are numbered from 1 there: `a` and `c`, `b` and `d`, `c` and `e`.
    assert forest.clashes[1, 3] > max(forest.clashes[2, 4], forest.clashes[3, 5]) + 1.0


@pytest.mark.parametrize("layer", [REGRET, CLASH])
def test_both_layers_have_a_say(layer: str) -> None:
    pruning = base()
    data = examples(pruning, lambda gone, _: "e" not in gone)
    learner = small(epochs=40).fit(pruning, data, toy_neighbours(), PRICES)
    whole, part = (
        replace(model_of(each), acceptance=learner.acceptance_)
        for each in (learner.pruning_, silenced(learner.pruning_, layer))
    )
    kept = (0, 2, 3, 4)
    found = [probability(model, SENTENCES[0], kept) for model in (whole, part)]
    assert abs(found[0] - found[1]) > 1e-3


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
