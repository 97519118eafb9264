"""The kernels of MIRA against enumeration and a plain twin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.learning import _deletion_kernels as _kernels
from treewright.pruning.deletion import gather
from treewright.pruning.deletion._kernels import arc_scores
from treewright.trees import Tree

from ..profiles import examples
from ..pruning.deletion import naive
from ..pruning.deletion.toys import BITS, SHIFT, small_trees, whole_weights

few = examples(30)
seeds = st.integers(0, 9)


def some_path(tokens: int, seed: int) -> tuple[bool, ...]:
    """Return some compression."""
    every = list(naive.paths(tokens))
    return every[seed * 7919 % len(every)]


def wrong(path: tuple[bool, ...], gold: tuple[bool, ...]) -> int:
    return sum(a != b for a, b in zip(path, gold, strict=True))


@few
@given(small_trees, seeds, st.sampled_from([0.0, 1.0, 2.0]))
def test_the_best_path_is_the_best_of_all(tree: Tree, seed: int, loss: float) -> None:
    evidence, weights = gather(tree), whole_weights(seed)
    gold = some_path(evidence.tokens, seed)
    scores = arc_scores(evidence, weights, np.uint64(SHIFT))
    found = _kernels.best_path(scores, np.array(gold), loss)
    worth = {
        path: naive.score(evidence, path, weights, SHIFT) + loss * wrong(path, gold)
        for path in naive.paths(evidence.tokens)
    }
    assert worth[tuple(found.tolist())] == max(worth.values())


@few
@given(small_trees, seeds)
def test_features_are_those_of_the_twin(tree: Tree, seed: int) -> None:
    evidence = gather(tree)
    path = some_path(evidence.tokens, seed)
    slots, values = _kernels.feature_slots(evidence, np.array(path), np.uint64(SHIFT))
    found: dict[int, float] = {}
    for slot, value in zip(slots.tolist(), values.tolist(), strict=True):
        found[slot] = found.get(slot, 0.0) + value
    found = {slot: value for slot, value in found.items() if value}
    assert found == naive.features(evidence, path, SHIFT)


@few
@given(small_trees, seeds, st.sampled_from([0.001, 1.0, 100.0]), st.sampled_from([0.0, 1.0]))
def test_a_step_is_that_of_the_twin(tree: Tree, seed: int, cost: float, augment: float) -> None:
    evidence, weights = gather(tree), whole_weights(seed)
    gold = some_path(evidence.tokens, seed)
    scores = arc_scores(evidence, weights, np.uint64(SHIFT))
    path = tuple(_kernels.best_path(scores, np.array(gold), augment).tolist())
    change = naive.features(evidence, gold, SHIFT)
    for slot, value in naive.features(evidence, path, SHIFT).items():
        change[slot] = change.get(slot, 0.0) - value
    margin = sum(value * weights[slot] for slot, value in change.items())
    norm = sum(value * value for value in change.values())
    loss = wrong(path, gold)
    step = min(cost, max(0.0, loss - margin) / norm) if norm else 0.0
    expected = weights.copy()
    for slot, value in change.items():
        expected[slot] += step * value
    later, scratch = np.zeros((2, 1 << BITS))
    learned = weights.copy()
    assert loss == _kernels.learn(
        evidence,
        np.array(gold),
        _kernels.State(learned, later, scratch),
        np.uint64(SHIFT),
        cost,
        augment,
        3.0,
    )
    assert learned == pytest.approx(expected)
    assert later == pytest.approx(3.0 * (expected - weights))
    assert not scratch.any()
    if norm and step < cost and loss > margin:
        gap = sum(value * learned[slot] for slot, value in change.items())
        assert gap == pytest.approx(loss)
