"""Sparse kernels against plain dense arithmetic."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.learning.margin import _kernels
from treewright.learning.margin.rows import Rows

from ...profiles import examples

SIZE = 9
vectors = st.dictionaries(st.integers(0, SIZE - 1), st.integers(-4, 4).map(float), max_size=SIZE)


def sparse(entries):
    indices = np.array(sorted(entries), np.int32)
    return indices, np.array([entries[index] for index in sorted(entries)], float)


def dense(entries):
    out = np.zeros(SIZE)
    for index, number in entries.items():
        out[index] = number
    return out


@examples(60)
@given(one=vectors, other=vectors)
def test_two_vectors(one, other):
    assert _kernels.sparse_dense(*sparse(one), dense(other)) == dense(one) @ dense(other)
    assert _kernels.sparse_sparse(*sparse(one), *sparse(other)) == dense(one) @ dense(other)
    target = dense(other)
    _kernels.add_sparse(*sparse(one), 3.0, target)
    assert (target == dense(other) + 3.0 * dense(one)).all()
    indices, values = _kernels.combine(*sparse(one), 2.0, *sparse(other), -1.0)
    assert indices.tolist() == sorted(one.keys() | other.keys())
    full = np.zeros(SIZE)
    full[indices] = values
    assert (full == 2.0 * dense(one) - dense(other)).all()


@examples(40)
@given(many=st.lists(vectors, max_size=4), other=vectors)
def test_rows(many, other):
    rows = Rows.of([sparse(entries) for entries in many])
    matrix = np.array([dense(entries) for entries in many]).reshape(-1, SIZE)
    assert (rows.scores(dense(other)) == matrix @ dense(other)).all()
    assert (rows.products(*sparse(other)) == matrix @ dense(other)).all()
    target, factors = np.zeros(SIZE), np.arange(float(len(many)))
    rows.add_to(target, factors)
    assert (target == factors @ matrix).all()
    again = Rows.restored(rows.arrays(), SIZE)
    for before, after in zip(rows.vectors(), again.vectors(), strict=True):
        assert np.array_equal(before, after)


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("indices", np.array([0, 7], np.int32)),
        ("indices", np.array([-1, 2], np.int32)),
        ("indices", np.array([2, 2], np.int32)),
        ("indices", np.array([0, 1], np.int64)),
        ("indices", np.array([0], np.int32)),
        ("pointer", np.array([0, 3])),
        ("pointer", np.array([1, 2])),
        ("pointer", np.array([0, 3, 2])),
        ("pointer", np.empty(0, np.int64)),
        ("values", np.array([0.0, np.nan])),
    ],
)
def test_rows_that_kernels_cannot_trust_are_refused(name, array):
    good = {
        "pointer": np.array([0, 2]),
        "indices": np.array([0, 3], np.int32),
        "values": np.ones(2),
    }
    Rows.restored(good, 5)
    with pytest.raises(ValueError, match="sparse rows"):
        Rows.restored({**good, name: array}, 5)
