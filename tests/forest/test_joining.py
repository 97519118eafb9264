"""Joined forests, against brute force over derivations."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.forest import (
    Forest,
    derivation_count,
    edge_posteriors,
    join_forests,
    log_partition,
)

from .strategies import forests, quick, twice, weighted_forests

several = st.lists(st.tuples(weighted_forests(max_nodes=4), st.integers(0, 3)), max_size=4)


@quick
@given(several)
def test_a_join_is_the_product_of_its_parts(
    parts: list[tuple[tuple[Forest, np.ndarray], int]],
) -> None:
    copies = [number for _, number in parts]
    joined = join_forests([forest for (forest, _), _ in parts], copies)
    weights = np.concatenate([*[weights for (_, weights), _ in parts], [0.0]])
    of_parts = [log_partition(*part) for part, _ in parts]
    # A part without a copy is nowhere, even if it has no derivation.
    total = sum(z * number for z, number in zip(of_parts, copies, strict=True) if number)
    assert log_partition(joined, weights) == pytest.approx(total)
    found = edge_posteriors(joined, weights)
    if total == -math.inf:
        assert not found.any()
        return
    expected = [
        number * (edge_posteriors(*part) if number else np.zeros(part[0].num_edges))
        for part, number in parts
    ]
    assert found.tolist() == pytest.approx(np.concatenate([*expected, [1.0]]).tolist(), abs=1e-9)


@quick
@given(st.lists(forests(max_nodes=4), max_size=3))
def test_edges_stay_in_their_order(parts: list[Forest]) -> None:
    joined = join_forests(parts)
    assert joined.label.tolist() == [*np.concatenate([[], *[p.label for p in parts]]), -1]
    assert derivation_count(joined) == math.prod(map(derivation_count, parts))
    assert joined.num_nodes == 1 + sum(part.num_nodes for part in parts)
    first = 0
    for part in parts:
        for edge in range(part.num_edges):
            shift = joined.head[first + edge] - part.head[edge]
            assert joined.tails(first + edge) == tuple(t + shift for t in part.tails(edge))
        first += part.num_edges
    assert joined.tails(first) == tuple(np.cumsum([part.num_nodes for part in parts]) - 1)


def test_a_part_may_be_there_more_than_once() -> None:
    joined = join_forests([twice(), twice()], [3, 1])
    assert derivation_count(joined) == 4**3 * 4
    assert edge_posteriors(joined, np.zeros(7)).tolist() == [3, 3, 3, 1, 1, 1, 1]


def test_nothing_joined_is_one_derivation() -> None:
    assert log_partition(join_forests([]), np.zeros(1)) == 0.0
