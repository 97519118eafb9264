"""The sampler's visits against the posterior, enumerated."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from treewright.learning.gibbs.packing import read_alignments
from treewright.learning.gibbs.sampler import Sampler

from . import exact
from .toys import SHAPES, Corpus

SAMPLES = 3000
Probabilities = Mapping[Any, float]

shapes = pytest.mark.parametrize("corpus", SHAPES.values(), ids=SHAPES)


def visits(corpus: Corpus, temperature: float) -> Counter[Any]:
    """Count the states that a chain visits, looking at every third."""
    sampler = corpus.sampler(seed=1)
    sampler.start_at_random()
    seen: Counter[bytes] = Counter()
    for _ in range(SAMPLES):
        for _ in range(3):
            sampler.sweep(temperature)
        seen[sampler.to.tobytes()] += 1
    return Counter({_state(sampler, key): count for key, count in seen.items()})


def _state(sampler: Sampler, to: bytes) -> tuple[exact.PairState, ...]:
    found = read_alignments(sampler.packed, np.frombuffer(to, dtype=np.int32))
    return tuple((alignment.to, alignment.inserted) for alignment in found)


@cache
def enumerated(corpus: Corpus) -> dict[tuple[exact.PairState, ...], float]:
    return exact.log_joints(
        corpus.pairs,
        corpus.base_distribution(),
        corpus.alpha,
        corpus.alphas,
        insertions=corpus.insertions,
    )


def distance(seen: Counter[Any], expected: Probabilities) -> float:
    """Return the total variation between visits and probabilities, in units of its expectation.

    The expectation is that of independent samples, by the normal approximation.
    """
    total = seen.total()
    found = sum(abs(seen[state] / total - p) for state, p in expected.items())
    return found / sum(math.sqrt(2 / math.pi * p * (1 - p) / total) for p in expected.values())


@pytest.mark.parametrize("temperature", [1.0, 2.0])
@shapes
def test_visits_follow_the_posterior(corpus: Corpus, temperature: float) -> None:
    expected = exact.tempered(enumerated(corpus), temperature)
    assert distance(visits(corpus, temperature), expected) < 1.6


@shapes
def test_a_hot_chain_visits_every_admissible_state_and_no_other(corpus: Corpus) -> None:
    assert set(visits(corpus, 50.0)) == set(enumerated(corpus))


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("chain", 38),  # Σ_k C(3, k) C(3 + k - 1, k)
        ("deletions", 2**4 * 8),
        ("three source nodes on one target node", 2**6),
        ("insertions", 2**4 * 8),
        ("unlinked target words without insertions", 2 * 8),
        ("crossing links", 8 * 8),
    ],
)
def test_states_counted_by_hand(name: str, count: int) -> None:
    assert len(enumerated(SHAPES[name])) == count


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("two pairs that share rules", {"alpha": 2.0}),
        ("deletions", {"base": {"beta": 0.35}}),
        ("deletions", {"base": {"insertions": False}}),
    ],
)
def test_the_comparison_notices_another_posterior(name: str, changes: dict[str, Any]) -> None:
    corpus = SHAPES[name]
    other = exact.tempered(enumerated(replace(corpus, **changes)), 1.0)
    assert distance(visits(corpus, 1.0), other) > 1.6


@pytest.mark.parametrize("seed", [1, 2])
def test_a_cold_chain_never_goes_down_and_ends_where_no_single_move_goes_up(seed: int) -> None:
    for corpus in SHAPES.values():
        sampler = corpus.sampler(seed)
        sampler.start_at_random()
        before = -math.inf
        while sampler.sweep(0.0):
            assert sampler.log_joint >= before
            before = sampler.log_joint
        log_joints = enumerated(corpus)
        end = _state(sampler, sampler.to.tobytes())
        assert log_joints[end] == pytest.approx(sampler.log_joint)
        near = [value for state, value in log_joints.items() if _moves(state, end) == 1]
        assert max(near) <= log_joints[end] + 1e-9


def _moves(state: tuple[exact.PairState, ...], other: tuple[exact.PairState, ...]) -> int:
    """Count the nodes whose alignment differs."""
    sides = [(a, b) for p, q in zip(state, other, strict=True) for a, b in zip(p, q, strict=True)]
    return sum(x != y for a, b in sides for x, y in zip(a, b, strict=True))
