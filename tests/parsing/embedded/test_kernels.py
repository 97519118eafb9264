"""Every kernel of the embedded parser equals its plain-Python twin."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.compiling import LARGEST
from treewright.parsing.embedded import _kernels
from treewright.parsing.embedded.arrays import Coded
from treewright.parsing.embedded.codes import SPAN, Factor

from ...profiles import examples
from . import twins

# Kernels compile on first use; enumeration is slow enough without many examples.
quick = examples(25)

# Halves make exact ties; large ones make certainty.
numbers = st.one_of(
    st.sampled_from([0.0, 0.5, -0.5, 1.0, 30.0, -30.0]), st.floats(-6.0, 6.0, width=32)
)


def close(values: Any, tolerance: float = 2e-5) -> Any:
    return pytest.approx(np.array(values), rel=tolerance, abs=tolerance)


@st.composite
def charts(draw: st.DrawFn, longest: int = 6, labels: int = 4) -> tuple[np.ndarray, int]:
    """Scores of a sentence, label 0 always 0, and its length."""
    n = draw(st.integers(1, longest))
    columns = draw(st.integers(2, labels))
    rows = n * (n + 1) // 2
    values = draw(st.lists(numbers, min_size=rows * columns, max_size=rows * columns))
    scores = np.array(values, np.float32).reshape(rows, columns)
    scores[:, 0] = 0.0
    return scores, n


def totals_of(scores: np.ndarray) -> np.ndarray:
    totals = np.empty(len(scores), np.float32)
    _kernels.sum_labels(scores, totals)
    return totals


def test_rows_of_spans_follow_one_another() -> None:
    for n in range(1, 8):
        rows = [_kernels._row.py_func(n, i, j) for i, j in twins.spans(n)]
        assert rows == list(range(n * (n + 1) // 2))


def test_the_twin_meets_every_bracketing_once() -> None:
    counts = [len(set(twins.bracketings(0, n))) for n in range(1, 7)]
    assert counts == [1, 1, 2, 5, 14, 42]


@quick
@given(charts())
def test_sum_labels(case: tuple[np.ndarray, int]) -> None:
    scores, _ = case
    assert totals_of(scores) == close(twins.sum_labels(scores.tolist()))


@quick
@given(charts())
def test_inside_outside(case: tuple[np.ndarray, int]) -> None:
    scores, n = case
    totals = totals_of(scores)
    posterior = np.empty(len(scores), np.float32)
    whole = _kernels.inside_outside(totals, n, posterior)
    assert whole == close(twins.log_partition(totals.tolist(), n))
    assert posterior == close(twins.posteriors(totals.tolist(), n))
    assert posterior.sum() == pytest.approx(2 * n - 1, rel=1e-5)


@quick
@given(st.lists(charts(longest=4), min_size=1, max_size=3))
def test_expectations(cases: list[tuple[np.ndarray, int]]) -> None:
    columns = min(scores.shape[1] for scores, _ in cases)
    charts = [(scores[:, :columns].tolist(), n) for scores, n in cases]
    joined = np.concatenate([scores[:, :columns] for scores, _ in cases])
    marginals = np.full_like(joined, np.nan)
    lengths = np.array([n for _, n in cases])
    whole = _kernels.expectations(joined, lengths, marginals)
    assert whole == close(
        math.fsum(twins.log_partition(twins.sum_labels(scores), n) for scores, n in charts)
    )
    assert marginals == close([row for chart in charts for row in twins.marginals(*chart)])


@examples(10)
@given(charts(longest=4, labels=3))
def test_expectations_are_the_slope_of_the_log_partition(case: tuple[np.ndarray, int]) -> None:
    scores, n = case
    marginals = np.empty_like(scores)
    _kernels.expectations(scores, np.array([n]), marginals)
    assert marginals == close(twins.slopes(scores.tolist(), n))


def taken(spans: np.ndarray, count: int, n: int) -> dict[tuple[int, int], int]:
    """Return the label of each span found, once they are known to be those of a tree."""
    found = {(i, j): label for i, j, label in spans[:count].tolist()}
    assert len(found) == count
    assert all(0 <= i < j <= n and label > 0 for (i, j), label in found.items())
    for a, b in found:
        assert not any(a < c < b < d for c, d in found)
    assert list(found) == sorted(found, key=lambda span: (span[0], -span[1]))
    return found


@quick
@given(st.integers(1, 6), st.data())
def test_best_bracketing(n: int, data: st.DataObject) -> None:
    rows = n * (n + 1) // 2
    values = st.one_of(st.sampled_from([0.0, 0.5, 1.0]), st.floats(0.0, 1.0, width=32))
    gains = np.array(data.draw(st.lists(values, min_size=rows, max_size=rows)), np.float32)
    chosen = np.where(gains > 0, 1 + np.arange(rows), 0).astype(np.int32)
    spans = np.empty((2 * n, 3), np.int32)
    count = _kernels.best_bracketing(gains, chosen, n, spans)
    place = {span: row for row, span in enumerate(twins.spans(n))}
    found = taken(spans, count, n)
    assert all(label == place[span] + 1 for span, label in found.items())
    total = math.fsum(gains[place[span]] for span in found)
    assert total == close(twins.best_gain(gains.tolist(), n))


@quick
@given(charts(), st.sampled_from([0.1, 0.3, 0.5, 0.9]), st.booleans())
def test_best_spans(case: tuple[np.ndarray, int], threshold: float, whole: bool) -> None:
    scores, n = case
    spans = np.empty((2 * n, 3), np.int32)
    count = _kernels.best_spans(scores, n, np.float32(threshold), whole, spans)
    marginals = twins.marginals(scores.tolist(), n)
    place = {span: row for row, span in enumerate(twins.spans(n))}
    found = taken(spans, count, n)
    total = math.fsum(marginals[place[s]][label] - threshold for s, label in found.items())
    gains = [max(0.0, max(row[1:]) - threshold) for row in marginals]
    if whole:
        gains[n - 1] = max(marginals[n - 1][1:]) - threshold
        assert (0, n) in found
    assert total == close(twins.best_gain(gains, n), 1e-4)


def test_without_labels_there_are_no_spans() -> None:
    spans = np.empty((6, 3), np.int32)
    scores = np.zeros((6, 1), np.float32)
    assert _kernels.best_spans(scores, 3, np.float32(0.5), True, spans) == 0


def test_a_long_sentence_of_all_shapes_fills_the_spans_and_no_more() -> None:
    n = 40
    place = {span: row for row, span in enumerate(twins.spans(n))}
    chosen = np.ones(len(place), np.int32)
    for tree in (
        [(0, j) for j in range(1, n + 1)],
        [(i, n) for i in range(n)],
        [(i, j) for i, j in twins.spans(n) if i + j in (n, n + 1)],
    ):
        gains = np.zeros(len(place), np.float32)
        gains[[place[span] for span in tree]] = 1.0
        spans = np.empty((2 * n, 3), np.int32)
        count = _kernels.best_bracketing(gains, chosen, n, spans)
        assert count == 2 * n - 1
        assert set(tree) <= set(taken(spans, count, n))


@examples(12)
@given(st.integers(1, 6), st.integers(1, 4), st.integers(0, 99))
def test_combine_ends(n: int, size: int, seed: int) -> None:
    places = np.random.default_rng(seed).normal(0, 6000, (n + 1, 2 * size)).astype(np.float32)
    hidden = np.full((n * (n + 1) // 2, size), -1, np.int16)
    _kernels.combine_ends(places, hidden)
    starts, ends = places[:, :size].tolist(), places[:, size:].tolist()
    expected = np.minimum(np.rint(twins.combine_ends(starts, ends)), LARGEST)
    assert hidden == pytest.approx(expected, abs=1)


@examples(12)
@given(st.integers(1, 6), st.integers(1, 20), st.integers(1, 40), st.integers(0, 99))
def test_score_spans(n: int, size: int, labels: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    places = random.normal(0, 100, (n + 1, 2 * size)).astype(np.float32)
    matrix = Coded.of(random.normal(size=(labels, size)).astype(np.float32))
    bias = random.normal(size=labels).astype(np.float32)
    hidden = np.zeros((n * (n + 1) // 2, size), np.int16)
    _kernels.combine_ends(places, hidden)
    expected = hidden @ matrix.matrix().T * SPAN + bias
    scores = _kernels.score_spans(places, Factor.of(matrix, SPAN), bias)
    assert scores == pytest.approx(expected, rel=1e-4, abs=1e-4)
