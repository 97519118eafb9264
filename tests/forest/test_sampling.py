from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.forest import Forest, ForestBuilder, sample
from treewright.randomness import generator

from . import naive
from .strategies import quick, twice, weighted_forests


def test_frequencies_are_the_exact_distribution() -> None:
    builder = ForestBuilder()
    leaf, dead, middle, root = (builder.add_node() for _ in range(4))
    builder.add_edge(leaf, [], 0)
    builder.add_edge(leaf, [], 1)
    builder.add_edge(middle, [leaf, leaf], 2)
    builder.add_edge(middle, [leaf], 3)
    builder.add_edge(middle, [dead], 4)
    builder.add_edge(root, [middle, leaf], 5)
    builder.add_edge(root, [leaf], 6)
    forest = builder.build()
    weights = np.array([0.0, -0.7, 0.3, -0.2, 9.0, 0.4, 0.1])
    scored = naive.scored_derivations(forest, weights)
    log_z = naive.log_sum([score for score, _ in scored])
    size = 20_000
    drawn = Counter(sample(forest, weights, generator(1), size=size))
    assert drawn.keys() == {derivation for _, derivation in scored}
    distance = sum(abs(drawn[d] / size - math.exp(s - log_z)) for s, d in scored) / 2
    assert distance < 0.01


@quick
@given(weighted_forests(), st.integers(0, 99))
def test_only_derivations_of_positive_weight_are_drawn(
    case: tuple[Forest, np.ndarray], seed: int
) -> None:
    forest, weights = case
    possible = {derivation for _, derivation in naive.scored_derivations(forest, weights)}
    if possible:
        drawn = sample(forest, weights, generator(seed), size=5)
        assert set(drawn) <= possible
        assert drawn == sample(forest, weights, generator(seed), size=5)


def test_nothing_to_sample() -> None:
    assert sample(twice(), np.zeros(3), generator(0), size=0) == []
    with pytest.raises(ValueError, match="no derivation of positive weight"):
        sample(twice(), [0.0, 0.0, -math.inf], generator(0), size=1)
