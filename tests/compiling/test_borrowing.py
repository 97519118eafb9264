"""Kernels that borrow arrays: the same results, and no array is returned or lost."""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

import numpy as np
import pytest

from treewright.compiling import forced, njit


class Columns(NamedTuple):
    """Two columns of numbers."""

    left: np.ndarray
    right: np.ndarray


@njit(nogil=True, borrows=True)
def dot(columns: Any) -> Any:
    """Return the sum of products."""
    total = 0.0
    for k in range(len(columns.left)):
        total += columns.left[k] * columns.right[k]
    return total


@njit(nogil=True)
def dots(columns: Any, times: Any) -> Any:
    """Return an array of sums of products."""
    sums = np.empty(times)
    for k in range(times):
        sums[k] = dot(columns)
    return sums


@njit(nogil=True, borrows=True)
def same(column: Any) -> Any:
    """Return what only its owner may return."""
    return column


@pytest.mark.parametrize("compiled", [False, True])
def test_what_borrows_gives_the_same_and_leaves_references_alone(compiled: bool) -> None:
    columns = Columns(np.arange(3.0), np.ones(3))
    before = sys.getrefcount(columns.left)
    with forced(compiled):
        assert dots(columns, 4).tolist() == [3.0] * 4
        assert dot(columns) == 3.0
    after = sys.getrefcount(columns.left)
    assert after == before


@njit(nogil=True, borrows=True)
def perhaps(column: Any) -> Any:
    """Return what only its owner may return, or nothing."""
    return column if len(column) > 1 else None


@pytest.mark.parametrize("kernel", [same, perhaps])
def test_what_borrows_an_array_cannot_return_it(kernel: Any) -> None:
    # The second call must not find what the first one compiled.
    for _ in range(2):
        with forced(True), pytest.raises(TypeError, match="borrows arrays and cannot return"):
            kernel(np.arange(3.0))


def test_the_stamp_of_a_kernel_knows_how_its_callees_are_compiled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = dots.stamp
    monkeypatch.delitem(dots.__dict__, "stamp")
    monkeypatch.setitem(dot.options, "_nrt", True)
    assert dots.stamp != before
