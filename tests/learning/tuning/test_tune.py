"""Tuning finds what brute force finds, improves made-up systems, and stops when it should."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from treewright.errors import UsageError
from treewright.evaluation.translation import Bleu
from treewright.learning.tuning import Mert, Mira, Pro, SearchGraph, tune
from treewright.learning.tuning import _kernels as kernels

from .toys import Rights, flat_graph, outputs, sausage

METHODS = {
    "mert": Mert(restarts=1, directions=2),
    "graphs": Mert(over="graphs", restarts=1, directions=2),
    "mira": Mira(),
    "pro": Pro(interpolation=1.0, samples=1000),
}
each_method = pytest.mark.parametrize("name", list(METHODS))


def made_up(seed: int, sentences: int = 30) -> list[SearchGraph]:
    """Graphs in which the right word of each step tends to have a large first feature, a small
    second one, and no particular third one.
    """
    rng = np.random.default_rng(seed)
    many = []
    for _ in range(sentences):
        features = rng.normal(size=(5, 4, 3))
        features[:, 0] += [1.5, -0.7, 0.0]
        many.append(sausage(features))
    return many


def best_of_all_directions(graphs: Sequence[SearchGraph], angles: int) -> float:
    """The best score of any weights of two features, by trying angles."""
    everything = [outputs(graph) for graph in graphs]
    best = 0.0
    for angle in np.linspace(0, 2 * np.pi, angles, endpoint=False):
        weights = np.array([np.cos(angle), np.sin(angle)])
        chosen = [max(found, key=lambda each: each[0] @ weights)[1] for found in everything]
        rights = sum(word == 0 for words in chosen for word in words)
        best = max(best, 100 * rights / sum(map(len, chosen)))
    return best


@pytest.mark.parametrize("over", ["lists", "graphs"])
def test_mert_finds_the_optimum_of_two_features(over: str) -> None:
    rng = np.random.default_rng(4)
    graphs = [
        flat_graph(rng.normal(size=(8, 2)), [tuple(rng.integers(0, 2, 4)) for _ in range(8)])
        for _ in range(12)
    ]
    found = tune(lambda weights: graphs, Rights(), [1.0, 0.1], method=Mert(over=over))
    assert found.curve[found.best].score >= best_of_all_directions(graphs, 2000) - 1e-9
    assert found.curve[0].score < found.curve[found.best].score


@each_method
def test_every_method_improves_a_made_up_system(name: str) -> None:
    graphs, held_out = made_up(0), made_up(1)
    found = tune(
        lambda weights: graphs, Rights(), [-0.2, 0.4, 0.4], method=METHODS[name], iterations=6
    )
    start, best = found.curve[0].score, found.curve[found.best].score
    assert start < 20
    assert best > 75
    assert np.abs(found.weights).sum() == pytest.approx(1.0)
    assert found.weights[0] > 0 > found.weights[1]
    unseen = tune(
        lambda weights: held_out, Rights(), found.weights, method=METHODS[name], iterations=1
    )
    assert unseen.curve[0].score > 65


@each_method
def test_bleu_is_tuned_as_well(name: str) -> None:
    graphs = made_up(2, sentences=15)
    bleu = Bleu([[[0] * 5]] * len(graphs))
    found = tune(lambda weights: graphs, bleu, [-0.2, 0.4, 0.4], method=METHODS[name], iterations=6)
    assert found.curve[found.best].score > found.curve[0].score + 30


@each_method
def test_the_same_seed_gives_the_same_weights(name: str) -> None:
    graphs = made_up(3, sentences=8)
    results = [
        tune(
            lambda weights: graphs,
            Rights(),
            [0.1, 0.4, 0.5],
            method=METHODS[name],
            iterations=2,
            seed=seed,
        )
        for seed in (1, 1, 2)
    ]
    assert results[0] == results[1]
    assert results[0] != results[2]


@each_method
def test_signs_and_fixed_weights_are_obeyed(name: str) -> None:
    graphs = made_up(0, sentences=10)
    common: dict[str, Any] = {"method": METHODS[name], "iterations": 3}
    found = tune(
        lambda weights: graphs,
        Rights(),
        [0.2, 0.4, 0.4],
        signs=[0, 1, -1],
        fixed=[0, 0, 1],
        **common,
    )
    for each in found.curve:
        assert each.weights[1] >= 0
        assert each.weights[2] == 0.4
    found = tune(lambda weights: graphs, Rights(), [0.2, 0.4, -0.4], signs=[-0, 1, -1], **common)
    for each in found.curve:
        assert each.weights[1] >= 0 >= each.weights[2]
        assert np.abs(each.weights).sum() == pytest.approx(1.0)


def test_a_decoder_that_finds_more_with_better_weights() -> None:
    """A decoder that prunes: lists must be gathered over rounds to get anywhere."""
    everything = [outputs(graph) for graph in made_up(5)]
    features = [np.array([f for f, _ in found]) for found in everything]

    def decode(weights: np.ndarray) -> Any:
        for rows, found in zip(features, everything, strict=True):
            ranked = np.argsort(-(rows @ weights), kind="stable")[:5]
            yield flat_graph(rows[ranked], [found[i][1] for i in ranked])

    found = tune(decode, Rights(), [-0.2, 0.4, 0.4], method=METHODS["mert"], iterations=6)
    assert found.curve[0].score < 20
    assert found.curve[found.best].score > 75
    assert found.curve[1].predicted is not None


def test_the_second_set_chooses_and_stops() -> None:
    """The second set wants the opposite, so that its best round is the first."""
    graphs = made_up(0, sentences=10)
    opposite = [SearchGraph(g.forest, -g.features, g.word_start, g.words) for g in graphs]
    calls: list[int] = []

    def decode(weights: np.ndarray) -> list[SearchGraph]:
        calls.append(len(calls))
        wiggled = 1 + 0.05 * len(calls)
        return [SearchGraph(g.forest, g.features * wiggled, g.word_start, g.words) for g in graphs]

    found = tune(
        decode,
        Rights(),
        [-0.2, 0.4, 0.4],
        method=Mira(),
        second=(lambda weights: opposite, Rights()),
        patience=2,
    )
    assert found.best == 0
    assert len(found.curve) == len(calls) == 3
    assert found.why == "the second set got no better for 2 rounds"
    assert found.weights.tolist() == list(found.curve[0].weights)


def test_tuning_stops_when_nothing_is_new() -> None:
    graph = flat_graph([[1.0, 0.0], [0.0, 1.0]], [(1,), (0,)])
    found = tune(lambda weights: [graph], Rights(), [1.0, 0.1], method=Mert())
    assert found.curve[-1].score == 100
    assert found.why == "decoding found nothing new"


def test_what_is_wrong_is_said() -> None:
    graph = flat_graph([[1.0, 0.0]], [(1,)])

    def attempt(start: Any, **options: Any) -> None:
        tune(lambda weights: [graph], Rights(), start, method=Mert(), **options)

    with pytest.raises(ValueError, match="3 weights for 2 features of sentence 0"):
        attempt([1, 1, 1])
    with pytest.raises(UsageError, match="at least one start weight"):
        attempt([0, 0])
    with pytest.raises(UsageError, match="finite"):
        attempt([1, np.nan])
    with pytest.raises(UsageError, match="one sign"):
        attempt([1, 1], signs=[1])
    with pytest.raises(UsageError, match="start weight 1 is -1"):
        attempt([1, -1], signs=[1, 1])
    with pytest.raises(UsageError, match="all weights are fixed"):
        attempt([1, 1], fixed=[1, 1])
    with pytest.raises(UsageError, match="at least 1"):
        attempt([1, 1], iterations=0)
    with pytest.raises(UsageError, match="no sentences"):
        tune(lambda weights: [], Rights(), [1.0], method=Mert())
    for wrong in ({"over": "words"}, {"most": 0}, {"restarts": -1}):
        with pytest.raises(UsageError):
            Mert(**wrong)  # type: ignore[arg-type]
    for wrong in ({"c": 0.0}, {"epochs": 0}):
        with pytest.raises(UsageError):
            Mira(**wrong)  # type: ignore[arg-type]
    for wrong in ({"interpolation": 0.0}, {"pairs": 0}, {"penalty": -1.0}):
        with pytest.raises(UsageError):
            Pro(**wrong)  # type: ignore[arg-type]


def plain_epoch(
    lists: Sequence[tuple[np.ndarray, np.ndarray]],
    order: Sequence[int],
    c: float,
    kinds: Sequence[int],
    weights: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    weights, total = weights.copy(), np.zeros_like(weights)
    free = np.array(kinds) != 2
    for visit in order:
        features, gains = lists[visit]
        scores = features @ weights
        hope, fear = (scores + gains).argmax(), (scores - gains).argmax()
        change = (features[hope] - features[fear]) * free
        loss = gains[hope] - gains[fear] - (scores[hope] - scores[fear])
        if loss > 0 and change.any():
            weights = weights + min(c, loss / (change @ change)) * change
            for i, kind in enumerate(kinds):
                if kind in (1, -1) and weights[i] * kind < 0:
                    weights[i] = 0
        total = total + weights
    return weights, total


def test_an_epoch_of_mira_equals_its_plain_twin() -> None:
    rng = np.random.default_rng(0)
    sizes = [4, 1, 7, 3]
    lists = [(rng.normal(size=(n, 4)), rng.normal(size=n)) for n in sizes]
    start = np.cumsum([0, *sizes])
    order, kinds = np.array([2, 0, 3, 1]), np.array([0, 1, -1, 2])
    weights, total = np.array([0.1, 0.2, -0.1, 0.3]), np.zeros(4)
    expected = plain_epoch(lists, order.tolist(), 0.05, kinds.tolist(), weights)
    features = np.concatenate([rows for rows, _ in lists])
    gains = np.concatenate([values for _, values in lists])
    kernels.mira_epoch(start, features, gains, order, 0.05, kinds, weights, total)
    assert weights == pytest.approx(expected[0])
    assert total == pytest.approx(expected[1])
    assert [b - a for a, b in pairwise(start)] == sizes
