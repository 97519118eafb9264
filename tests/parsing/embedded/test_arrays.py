"""`Arrays` from a file or not: the same values, by whichever way they are asked for."""

from __future__ import annotations

import numpy as np
import pytest

from treewright.parsing.embedded.arrays import (
    Arrays,
    Coded,
    check_shapes,
    pack_arrays,
    unpack_arrays,
)

VECTOR = np.array([1.5, -2.0], np.float32)
MATRIX = np.array([[1.0, -0.5, 127.0], [0.25, 0.0, -0.125]], np.float32)


def both() -> list[Arrays]:
    given = Arrays.of({"v": VECTOR, "m": Coded.of(MATRIX).matrix()})
    return [given, unpack_arrays(pack_arrays(given))]


@pytest.mark.parametrize("arrays", both())
def test_names_shapes_and_values(arrays: Arrays) -> None:
    assert sorted(arrays) == ["m", "v"]
    assert len(arrays) == 2
    assert "m" in arrays and "x" not in arrays
    assert (arrays.shape("m"), arrays.shape("v")) == ((2, 3), (2,))
    assert arrays["v"].tolist() == VECTOR.tolist()
    assert arrays["m"] == pytest.approx(MATRIX, abs=0.5)
    assert arrays["m"].tolist() == arrays.coded("m").matrix().tolist()
    assert arrays.coded("m").rows([1, 0, 1]).tolist() == arrays["m"][[1, 0, 1]].tolist()
    with pytest.raises(KeyError):
        arrays["x"]


@pytest.mark.parametrize("arrays", both())
def test_some_are_selected_and_others_replaced(arrays: Arrays) -> None:
    assert list(arrays.select(lambda name: name == "m")) == ["m"]
    changed = arrays | {"m": VECTOR, "new": MATRIX}
    assert sorted(changed) == ["m", "new", "v"]
    assert changed["m"].tolist() == VECTOR.tolist()
    assert changed.shape("m") == (2,)
    assert arrays.shape("m") == (2, 3)


@pytest.mark.parametrize("arrays", both())
def test_matrices_are_stacked_row_by_row(arrays: Arrays) -> None:
    stacked = arrays.stacked(["m", "m"])
    assert stacked.matrix().tolist() == [*arrays["m"].tolist(), *arrays["m"].tolist()]


def test_what_does_not_fit_is_named() -> None:
    arrays = Arrays.of({"v": np.array([1.0, np.nan], np.float32), "m": MATRIX})
    check_shapes(arrays, {"m": (2, 3)})
    with pytest.raises(ValueError, match=r"m is \(2, 3\), expected \(3, 2\)"):
        check_shapes(arrays, {"m": (3, 2)})
    with pytest.raises(ValueError, match="v has values that are not numbers"):
        check_shapes(arrays, {"v": (2,)})
    parts = pack_arrays({"m": MATRIX})
    with pytest.raises(ValueError, match="m is not a matrix of 8-bit codes"):
        unpack_arrays({**parts, "m.scales.npy": pack_arrays({"v": VECTOR[:1]})["v.npy"]})
    with pytest.raises(ValueError, match="m has values that are not numbers"):
        damaged = Coded(Coded.of(MATRIX).codes, np.array([1.0, 3e38], np.float32))
        check_shapes(Arrays({}, {"m": damaged}), {"m": (2, 3)})
