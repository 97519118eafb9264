"""The encoder's kernels equal their plain-Python twins, to the last bit if compiled or not."""

from __future__ import annotations

from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.compiling import LARGEST, WIDEST, forced, multiply_codes
from treewright.parsing.embedded import _encoder_kernels as kernels
from treewright.parsing.embedded.arrays import Coded
from treewright.parsing.embedded.codes import STATE, VECTOR, Factor, decode, encode
from treewright.parsing.embedded.encoder import Batch, Recurrence

from ...profiles import examples
from . import twins

quick = examples(12)


def random_codes(random: np.random.Generator, shape: tuple[int, int], largest: int) -> Any:
    return random.integers(-largest, largest, shape, endpoint=True).astype(np.int16)


def matrix_of(codes: Any) -> Factor:
    """A matrix of whole weights, which are what its 8 bits say; the scale of its rows is 1."""
    whole = np.hstack([np.full((len(codes), 1), 127), codes])
    return Factor.of(Coded.of(whole.astype(np.float32)), 1.0)


@quick
@given(
    rows=st.integers(0, 9),
    outputs=st.sampled_from([1, 31, 32, 33, 100]),
    inputs=st.sampled_from([0, 1, 2, 5, 40]),
    seed=st.integers(0, 99),
)
def test_products_are_exact(rows: int, outputs: int, inputs: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    weights = random_codes(random, (outputs, inputs), 127)
    codes = random_codes(random, (rows, inputs + 1), LARGEST)
    expected = [
        [sum(a * b for a, b in zip(row, [127, *own], strict=True)) for own in weights.tolist()]
        for row in codes.tolist()
    ]
    for compiled in (True, False):
        with forced(compiled):
            found = matrix_of(weights).times(codes)
        assert found.dtype == np.float32
        assert (
            found[:, :outputs].tolist()
            == np.array(expected, np.float32).reshape(rows, outputs).tolist()
        )
        assert not found[:, outputs:].any()


@pytest.mark.parametrize("sign", [1, -1])
def test_the_largest_sum_fits(sign: int) -> None:
    codes = np.full((1, WIDEST), sign * LARGEST, np.int16)
    matrix = Factor.of(Coded.of(np.ones((1, WIDEST), np.float32)), 1.0)
    for compiled in (True, False):
        with forced(compiled):
            assert matrix.times(codes)[0, 0] == pytest.approx(sign * LARGEST * WIDEST)


def test_what_is_too_wide_for_exact_sums_is_rejected() -> None:
    with pytest.raises(ValueError, match="2001 inputs; the most for exact products is 2000"):
        Factor.of(Coded.of(np.ones((3, WIDEST + 1), np.float32)), 1.0)


def test_each_row_has_its_scale_and_codes_have_their_step() -> None:
    matrix = Factor.of(
        Coded.of(np.array([[127.0, -64.0, 1.0], [0.0, 0.5, 0.0]], np.float32)), STATE
    )
    codes = encode(np.array([[1.0, 0.5, -1.0], [0.0, -0.25, 0.0]], np.float32), STATE)
    assert matrix.times(codes)[:, :2].tolist() == pytest.approx(
        np.array([[94.0, 0.25], [16.0, -0.125]])
    )


def test_the_stamp_of_a_kernel_knows_how_a_matrix_is_laid_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    before = kernels.multiply.stamp
    monkeypatch.delitem(kernels.multiply.__dict__, "stamp")
    layout = tmp_path / "layout.py"
    layout.write_text("COLUMNS = 64")
    monkeypatch.setattr(multiply_codes, "_sources", [layout])
    assert kernels.multiply.stamp != before


def test_codes_stand_for_values_up_to_their_step() -> None:
    values = np.random.default_rng(0).uniform(-1, 1, (3, 50)).astype(np.float32)
    assert decode(encode(values, STATE)) == pytest.approx(values, abs=STATE)
    vectors = 16 * values
    assert decode(encode(vectors, VECTOR), VECTOR) == pytest.approx(vectors, abs=VECTOR)
    assert encode(np.array([40.0, -40.0]), VECTOR).tolist() == [LARGEST, -LARGEST]


def test_tanh() -> None:
    values = np.linspace(-10, 10, 2001, dtype=np.float32)
    found = np.array([kernels._tanh.py_func(x) for x in values])
    assert np.abs(found - np.tanh(values.astype(np.float64))).max() < 1e-5
    assert np.abs(found).max() <= 1.0


@quick
@given(
    lengths=st.lists(st.integers(1, 6), min_size=1, max_size=5),
    size=st.sampled_from([1, 3, 8]),
    scale=st.sampled_from([0.3, 3.0]),
    seed=st.integers(0, 99),
)
def test_run_both(lengths: list[int], size: int, scale: float, seed: int) -> None:
    random = np.random.default_rng(seed)
    lengths.sort(reverse=True)
    total = sum(lengths)
    index = random.integers(0, 4, total)
    inputs, biases, recurrent = (
        random.normal(0, scale, shape).astype(np.float32)
        for shape in ((4, 8 * size), (2, 4 * size), (2, 4 * size, size))
    )
    sides = [
        Recurrence(*Factor.of(Coded.of(recurrent[side]), STATE), biases[side]) for side in (0, 1)
    ]
    found = []
    for compiled in (True, False):
        states = np.full((total, 2 * size), -9, np.int16)
        with forced(compiled):
            kernels.run_both(inputs, index, *sides, Batch.of(lengths), states)
        found.append(states.tolist())
    assert found[0] == found[1]
    for side, step in ((0, 1), (1, -1)):
        own = slice(4 * size * side, 4 * size * (side + 1))
        exact = twins.in_eight_bits(recurrent[side].tolist())
        for first, last in pairwise([0, *accumulate(lengths)]):
            given_ = inputs[index[first:last], own].astype(float) + biases[side]
            expected = np.array(twins.lstm(given_[::step].tolist(), exact))[::step]
            states_ = decode(states[first:last, size * side : size * (side + 1)])
            assert states_ == pytest.approx(expected, abs=1e-3)
