"""The kernels of acceptance against plain-Python twins, compiled or not."""

from __future__ import annotations

import math
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.pruning import Gaps, gaps
from treewright.pruning._kernels import sum_dropped
from treewright.pruning.acceptance import _kernels
from treewright.pruning.acceptance.neighbours import Neighbours, Table
from treewright.pruning.acceptance.seams import SEAM_FEATURES, Ends, Told
from treewright.trees import Tree, TreeTable

from ...grammar.strategies import quick, trees
from ...grammar.test_index import uncompiled
from .toys import random_acceptance, toy_neighbours

each_mode = pytest.mark.parametrize("mode", [nullcontext, lambda: uncompiled(_kernels)])
seeds = st.integers(0, 2**32 - 1)


def log_p(table: Table, a: int, b: int, c: int) -> float:
    """The twin of `log_probability`: the row of a context as a dictionary."""
    size = len(table.pair)
    row = slice(table.row[a * size + b], table.row[a * size + b + 1])
    known = dict(zip(table.classes[row].tolist(), table.values[row].tolist(), strict=True))
    return float(known.get(c, table.rest[a * size + b] + table.pair[b, c]))


def described(table: Table, found: list[int], told: Told, left: int, right: int) -> list[float]:
    """The twin of `describe_seam`, over the classes of a sentence without its ends."""

    def at(place: int) -> int:
        return found[place] if 0 <= place < len(found) else 0

    joined = log_p(table, at(left - 1), at(left), at(right))
    was = log_p(table, at(right - 2), at(right - 1), at(right))
    expected = log_p(table, at(left - 1), at(left), at(left + 1))
    after = change = 0.0
    if right < len(found):
        after = log_p(table, at(left), at(right), at(right + 1))
        change = after - log_p(table, at(right - 1), at(right), at(right + 1))
    return [
        joined,
        after,
        joined - was,
        change,
        max(0.0, was - joined - 1.5),
        max(0.0, -change - 1.5),
        joined - expected,
        told.surprises[left + 1][right + 1] if left >= 0 and right < len(found) else 0.0,
        told.chances[left + 1][right + 1],
        told.clashes[left + 1][right + 1],
    ]


def told_at_random(random: np.random.Generator, size: int) -> Told:
    return Told(*random.normal(size=(3, size + 2, size + 2)))


def classes_of(neighbours: Neighbours, seed: int, size: int) -> list[int]:
    top = len(neighbours.words) + len(neighbours.tags)
    return np.random.default_rng(seed).integers(1, top + 1, size).tolist()


def all_seams(size: int) -> list[tuple[int, int]]:
    return [(a, b) for a in range(-1, size) for b in range(a + 2, size + 1) if b - a < size + 1]


def with_edges(found: list[int]) -> np.ndarray:
    return np.array([0, 0, *found, 0, 0], dtype=np.int32)


@each_mode
def test_probabilities_equal_their_twin(mode: Any) -> None:
    table = toy_neighbours().table
    size = len(table.pair)
    with mode():
        for a, b, c in np.ndindex(size, size, size):
            assert _kernels.log_probability(table, a, b, c) == pytest.approx(
                log_p(table, a, b, c), abs=1e-5
            )


@each_mode
@quick
@given(seed=seeds, size=st.integers(1, 6))
def test_features_of_seams_equal_their_twin(mode: Any, seed: int, size: int) -> None:
    neighbours = toy_neighbours()
    found = classes_of(neighbours, seed, size)
    told = told_at_random(np.random.default_rng(seed), size)
    seams = all_seams(size)
    pairs = np.array(seams, dtype=np.int64).reshape(-1, 2)
    with mode():
        features = _kernels.describe_seams(neighbours.table, with_edges(found), told, pairs)
        unknown = _kernels.describe_seams(neighbours.table, with_edges(found), Told(), pairs)
    assert features.shape == (len(seams), len(SEAM_FEATURES))
    for row, (left, right) in zip(features.tolist(), seams, strict=True):
        twin = described(neighbours.table, found, told, left, right)
        assert row == pytest.approx(twin, abs=1e-5)
    assert (unknown[:, :-3] == features[:, :-3]).all()
    assert not unknown[:, -3:].any()


@each_mode
@quick
@given(seed=seeds, size=st.integers(1, 5), care=st.sampled_from([0.0, 0.1, 1.0, 9.0]))
def test_weights_of_seams_equal_their_twin(mode: Any, seed: int, size: int, care: float) -> None:
    """Each is asked for twice: the second time it is known. Scores of neighbours are added."""
    random = np.random.default_rng(seed)
    weights, neighbours = random_acceptance(seed).seams, toy_neighbours()
    tags = random.integers(0, len(weights.tags) + 1, size + 2).astype(np.int32)
    found = classes_of(neighbours, seed, size)
    added = random.normal(size=(size + 2, size + 2))
    data = ends(size, care, weights.features, weights.bias, tags, with_edges(found), added)
    data = data._replace(told=(told := told_at_random(random, size)))
    for left, right in [*all_seams(size), *all_seams(size), (0, 1)]:
        with mode():
            weight = _kernels.weigh_seam(data, left, right) - added[left + 1, right + 1]
        if right == left + 1:
            assert weight == pytest.approx(0.0)
            continue
        features = described(neighbours.table, found, told, left, right)
        odds = float(weights.features[:-1] @ features + weights.features[-1])
        odds += weights.bias[tags[left + 1], tags[right + 1]]
        assert weight == pytest.approx(-care * np.logaddexp(0.0, -odds), rel=1e-4, abs=1e-4)


def ends(
    size: int,
    care: float,
    weights: np.ndarray,
    bias: np.ndarray,
    tags: np.ndarray,
    classes: np.ndarray,
    added: np.ndarray | None = None,
) -> Ends:
    return Ends(
        np.array([-1, *range(size)], dtype=np.int32),
        np.array([False] * size + [True]),
        size + 2,
        care,
        weights,
        bias,
        tags,
        classes,
        toy_neighbours().table,
        Told(),
        np.zeros((size + 2, size + 2)) if added is None else added,
        np.ones((size + 2, size + 2)),
        np.zeros(len(SEAM_FEATURES)),
    )


@pytest.mark.parametrize("odds", [-1e6, -40.0, -30.0, -29.0, 0.0, 40.0])
def test_no_odds_overflow(odds: float) -> None:
    weights, none = np.array([0.0] * len(SEAM_FEATURES) + [odds]), np.zeros((1, 1))
    data = ends(3, 1.0, weights, none, np.zeros(5, np.int32), with_edges([1, 1, 1]))
    assert _kernels.weigh_seam(data, 0, 2) == pytest.approx(-np.logaddexp(0.0, -odds))


@each_mode
@given(kept=st.lists(st.booleans(), min_size=1, max_size=5))
@quick
def test_the_algebra_adds_every_seam_once(mode: Any, kept: list[bool]) -> None:
    """However tokens are put together, a version weighs as much as its seams."""
    size = len(kept)
    weights = random_acceptance(1).seams
    found = classes_of(toy_neighbours(), 1, size)
    tags = np.zeros(size + 2, np.int32)
    data = ends(size, 1.0, weights.features, weights.bias, tags, with_edges(found))
    places = [place for place in range(size) if kept[place]]
    with mode():
        states = [_kernels.start_with_word(data, k + 1 if kept[k] else 0, 0) for k in range(size)]
        from_left, from_right = folded(data, states), folded(data, states, backwards=True)
        seams = [(a, b) for a, b in zip([-1, *places], [*places, size], strict=True) if b > a + 1]
        expected = sum([_kernels.weigh_seam(data, *seam) for seam in seams]) if places else 0.0
        inner = _kernels.close_ends(data, 0, from_left[0])
    assert from_left[0] == from_right[0] == inner[0]
    assert inner[1] == 0.0
    assert from_left[1] == pytest.approx(expected)
    assert from_right[1] == pytest.approx(expected)
    if places:
        assert from_left[0] == (places[0] + 1) * data.base + places[-1] + 1
    else:
        assert from_left[0] == 0


def folded(
    data: Ends, states: list[tuple[int, float]], *, backwards: bool = False
) -> tuple[int, float]:
    """What all states come to, joined from the left or from the right, at the root."""
    state, total = 0, 0.0
    for next_, weight in states[::-1] if backwards else states:
        pair = (next_, state) if backwards else (state, next_)
        state, added = _kernels.join_ends(data, 0, 0, *pair)
        total += added + weight
    state, added = _kernels.close_ends(data, len(data.is_root) - 1, state)
    return state, total + added


@each_mode
@given(reached=st.lists(st.tuples(st.integers(0, 4), st.integers(-9, 9))), beam=st.integers(1, 6))
@quick
def test_edges_beyond_the_beam_are_left_out(
    mode: Any, reached: list[tuple[int, int]], beam: int
) -> None:
    """From the best on, until one reaches a state too many."""
    order = sorted(range(len(reached)), key=lambda edge: -reached[edge][1])
    known: set[int] = set()
    left = len(order)
    for place, edge in enumerate(order):
        if reached[edge][0] not in known and len(known) == beam:
            left = place
            break
        known.add(reached[edge][0])
    weights = np.zeros(len(reached))
    states = np.array([state for state, _ in reached], dtype=np.int64)
    scores = np.array([score for _, score in reached], dtype=np.float64)
    with mode():
        _kernels.leave_out(weights, states, scores, beam)
    assert np.flatnonzero(weights == -np.inf).tolist() == sorted(order[left:])


# What gaps drop.


def children_in(table: TreeTable, found: Gaps, gap: int) -> list[int]:
    siblings = table.children[found.parent[gap]]
    return [x for x in siblings if found.first[gap] <= x <= found.last[gap]]


def odds_twin(table: TreeTable, found: Gaps, uses: np.ndarray, bound: float) -> list[float]:
    odds = [-bound] * len(table)
    for node in range(len(table)):
        own = [g for g in range(len(found.parent)) if found.parent[g] == node]
        kept = sum(uses[g] for g in own if found.left[g] < 0 and not found.resumes[g])
        for child in table.children[node]:
            share = sum(uses[g] for g in own if child in children_in(table, found, g))
            share = share / kept if kept else 0.0
            if share >= 1.0:
                odds[child] = bound
            elif share > 0.0:
                odds[child] = float(np.clip(math.log(share / (1.0 - share)), -bound, bound))
    return odds


@each_mode
@quick
@given(tree=trees(), seed=seeds, longest=st.sampled_from([1, 2, 12]))
def test_odds_of_dropping_equal_their_twin(mode: Any, tree: Tree, seed: int, longest: int) -> None:
    table, random = TreeTable(tree), np.random.default_rng(seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gaps, "LONGEST", longest)
        found = Gaps.of(table.arrays.end)
    uses = random.choice([0.0, 1e-9, 0.3, 1.0], len(found.parent)) * random.random()
    with mode():
        odds = _kernels.odds_of_dropping(found, table.arrays.end, uses, 9.0)
    assert odds.tolist() == pytest.approx(odds_twin(table, found, uses, 9.0), abs=1e-6)


@each_mode
@quick
@given(tree=trees(), seed=seeds)
def test_sums_of_what_gaps_drop_equal_their_twin(mode: Any, tree: Tree, seed: int) -> None:
    table, random = TreeTable(tree), np.random.default_rng(seed)
    found = Gaps.of(table.arrays.end)
    values = np.where(random.random(len(table)) < 0.1, np.nan, random.normal(size=len(table)))
    with mode():
        sums = sum_dropped(found, table.arrays.end, values)
    twin = [sum(values[children_in(table, found, g)]) for g in range(len(found.parent))]
    assert sums.tolist() == pytest.approx(twin, nan_ok=True)


@each_mode
@quick
@given(tree=trees(), seed=seeds)
def test_what_is_dropped_anywhere_equals_its_twin(mode: Any, tree: Tree, seed: int) -> None:
    table = TreeTable(tree)
    found = Gaps.of(table.arrays.end)
    random = np.random.default_rng(seed)
    used = random.integers(-1, len(found.parent), size=5, dtype=np.int32)
    values = random.normal(size=len(table))
    with mode():
        dropped = _kernels.dropped_anywhere(found, table.arrays.end, used)
        sums = _kernels.sum_by_edge(found, table.arrays.end, used, values)
    twin = [children_in(table, found, g) if g >= 0 else [] for g in used.tolist()]
    assert np.flatnonzero(dropped).tolist() == sorted({x for each in twin for x in each})
    assert sums.tolist() == pytest.approx([sum(values[each]) for each in twin])
