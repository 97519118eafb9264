"""`FeatureRows` and its kernels, against a dense matrix."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from treewright.forest import Forest
from treewright.learning.linear import _kernels
from treewright.learning.linear.rows import FeatureRows, number_features

from ...grammar.test_index import uncompiled
from ...profiles import examples
from ..toys import PAIRS
from .toys import MODES, dense, listed, prepared, random_weights

each_mode = pytest.mark.parametrize("mode", [nullcontext, lambda: uncompiled(_kernels)])
few = examples(25)


@st.composite
def feature_rows(draw: Any) -> FeatureRows:
    """Rows of all kinds, some kinds without any, with columns left out and columns twice."""
    rng = np.random.default_rng(draw(st.integers(0, 1 << 20)))
    rules, drops, gaps, tokens = (draw(st.integers(0, 5)) for _ in range(4))
    first, others = draw(st.integers(0, 4)), draw(st.integers(0, 6))
    of_rules = rng.normal(size=(rules, first)) * (rng.random((rules, first)) < 0.6)

    def columns(rows: int) -> np.ndarray:
        listed = rng.integers(-1, others, (rows, draw(st.integers(0, 3))))
        return np.where(listed < 0, -1, listed + first).astype(np.int32)

    spans = np.sort(rng.integers(0, tokens + 1, (drops, 2)), axis=1)
    return FeatureRows(
        csr_matrix(of_rules), columns(drops), columns(gaps), columns(tokens), spans, first + others
    )


def flat_forest(labels: np.ndarray) -> Forest:
    size = len(labels)
    return Forest.from_arrays(
        head=np.zeros(size, dtype=int),
        tail_ptr=np.zeros(size + 1, dtype=int),
        tail=[],
        label=labels,
        num_nodes=1,
    )


@each_mode
@few
@given(rows=feature_rows(), seed=st.integers(0, 1 << 20))
def test_rows_are_a_matrix(rows: FeatureRows, seed: int, mode: Any) -> None:
    rng = np.random.default_rng(seed)
    matrix = dense(rows)
    weights = rng.normal(size=rows.num_features)
    uses = rng.normal(size=rows.num_rows) * (rng.random(rows.num_rows) < 0.7)
    labels = rng.integers(-1, rows.num_rows, 12)
    with mode():
        scores = rows.scores(weights)
        totals = rows.totals(uses)
        of_edges = rows.edge_scores(flat_forest(labels), weights)
    by_row = matrix @ weights
    assert scores.tolist() == pytest.approx(by_row.tolist(), abs=1e-9)
    assert totals.tolist() == pytest.approx((matrix.T @ uses).tolist(), abs=1e-9)
    expected = [by_row[label] if label >= 0 else 0.0 for label in labels]
    assert of_edges.tolist() == pytest.approx(expected, abs=1e-9)


@few
@given(rows=feature_rows(), seed=st.integers(0, 1 << 20))
def test_vectors_are_sums_of_rows(rows: FeatureRows, seed: int) -> None:
    rng = np.random.default_rng(seed)
    chosen = rng.integers(0, rows.num_rows, 6 if rows.num_rows else 0)
    signs = rng.choice([1.0, -1.0], len(chosen))
    columns, values = rows.vector(chosen, signs)
    assert (np.diff(columns) > 0).all()
    assert (values != 0.0).all()
    found = np.zeros(rows.num_features)
    found[columns] = values
    assert found.tolist() == pytest.approx((dense(rows)[chosen].T @ signs).tolist(), abs=1e-9)


@pytest.mark.parametrize("mode", MODES)
def test_the_vector_of_a_derivation_is_the_sum_of_its_edges(mode: str) -> None:
    data = prepared(mode)
    weights = random_weights(data.rows.num_features)
    for pair, example in zip(PAIRS, data.examples, strict=True):
        of_edges = data.rows.edge_scores(example.source.forest, weights)
        for one in listed(data, example, pair, mode):
            rows = example.source.rows(one.derivation)
            columns, values = data.rows.vector(rows, np.ones(len(rows)))
            found = np.zeros(data.rows.num_features)
            found[columns] = values
            assert np.allclose(found, one.features)
            assert one.derivation.score(of_edges) == pytest.approx(one.features @ weights)


keys = st.lists(st.lists(st.integers(1, 6), min_size=2, max_size=2), max_size=4)


@given(arrays=st.lists(keys, min_size=1, max_size=3), least=st.integers(1, 3))
def test_features_seen_often_enough_get_a_number(arrays: list[list[list[int]]], least: int) -> None:
    parts = [np.array(rows, dtype=np.uint64).reshape(-1, 2) for rows in arrays]
    found, columns = number_features(parts, least, 7)
    flat = [key for rows in arrays for row in rows for key in row]
    often = sorted(key for key in set(flat) if flat.count(key) >= least)
    assert found.tolist() == often
    for rows, numbers in zip(arrays, columns, strict=True):
        expected = [[7 + often.index(k) if k in often else -1 for k in row] for row in rows]
        assert numbers.tolist() == expected
