"""Sums over pairs of words, against plain-Python twins."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.pruning import _kernels

from ..grammar.strategies import quick
from ..grammar.test_index import uncompiled

WORDS = 4
each_mode = pytest.mark.parametrize("mode", [nullcontext, lambda: uncompiled(_kernels)])
edges = st.lists(st.tuples(st.integers(-1, WORDS - 1), st.floats(-9, 9)), max_size=12)


@each_mode
@quick
@given(edges=edges)
def test_sum_pairs_equals_its_twin(mode: Any, edges: list[tuple[int, float]]) -> None:
    pairs = np.array([word for word, _ in edges], dtype=np.int32)
    uses = np.array([use for _, use in edges], dtype=np.float64)
    with mode():
        found = _kernels.sum_pairs(pairs, uses, WORDS)
    assert found.tolist() == [
        sum((use for word, use in edges if word == wanted), 0.0) for wanted in range(WORDS)
    ]


@each_mode
@quick
@given(edges=edges, worth=st.lists(st.floats(-9, 9), min_size=WORDS, max_size=WORDS))
def test_add_pairs_equals_its_twin(
    mode: Any, edges: list[tuple[int, float]], worth: list[float]
) -> None:
    pairs = np.array([word for word, _ in edges], dtype=np.int32)
    weights = np.array([weight for _, weight in edges], dtype=np.float64)
    with mode():
        _kernels.add_pairs(weights, pairs, np.array(worth))
    assert weights.tolist() == [
        weight + worth[word] if word >= 0 else weight for word, weight in edges
    ]
