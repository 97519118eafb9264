"""Every kernel that the library calls equals its plain-Python twin."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.forest import Forest, _kernels
from treewright.forest.refinement import _table_kernels as table_kernels
from treewright.randomness import generator

from . import naive
from .strategies import LABELS, counted_forests, forests, log_weights, quick, weighted_forests


def arrays(forest: Forest) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return forest.node_ptr, forest.tail_ptr, forest.tail


def close(values: object) -> object:
    return pytest.approx(values, rel=1e-9, abs=1e-12)


@quick
@given(forests())
def test_useful(forest: Forest) -> None:
    nodes, edges = _kernels.useful(*arrays(forest))
    assert (nodes.tolist(), edges.tolist()) == naive.useful(forest)


@quick
@given(st.lists(log_weights, max_size=5))
def test_log_sums(values: list[float]) -> None:
    assert _kernels.log_sum(np.array(values, dtype=np.float64)) == close(naive.log_sum(values))
    a, b = [*values, -math.inf, -math.inf][:2]
    assert _kernels.log_add(a, b) == close(naive.log_sum([a, b]))


@quick
@given(weighted_forests())
def test_inside_and_outside(case: tuple[Forest, np.ndarray]) -> None:
    forest, weights = case
    inside, edge_inside = _kernels.log_inside(*arrays(forest), weights)
    expected, expected_edges = naive.log_inside(forest, weights)
    assert inside.tolist() == close(expected)
    assert edge_inside.tolist() == close(expected_edges)
    outside = _kernels.log_outside(*arrays(forest), weights, inside)
    assert outside.tolist() == close(naive.log_outside(forest, weights, expected))


@quick
@given(weighted_forests())
def test_posteriors(case: tuple[Forest, np.ndarray]) -> None:
    forest, weights = case
    insides = _kernels.log_inside(*arrays(forest), weights)
    uses = _kernels.posteriors(*arrays(forest), *insides)
    assert uses.tolist() == close(naive.posteriors(forest, weights))


@quick
@given(forests(), st.lists(log_weights, min_size=LABELS, max_size=LABELS))
def test_add_expected_counts(forest: Forest, label_weights: list[float]) -> None:
    by_label = np.array(label_weights)
    counts = np.ones(LABELS)
    log_z = _kernels.add_expected_counts(*arrays(forest), forest.label, by_label, counts)
    weights = forest.gather(by_label)
    assert log_z == close(naive.log_inside(forest, weights)[0][-1])
    assert (counts - 1).tolist() == close(naive.expected_counts(forest, weights, LABELS))


@quick
@given(weighted_forests())
def test_viterbi(case: tuple[Forest, np.ndarray]) -> None:
    forest, weights = case
    best, best_edge = _kernels.viterbi(*arrays(forest), weights)
    assert (best.tolist(), best_edge.tolist()) == naive.viterbi(forest, weights)
    if best_edge[-1] >= 0:
        edges, bounds, places = _kernels.trace_best(forest.tail_ptr, forest.tail, best_edge)
        children = [part.tolist() for part in np.split(places, bounds[1:-1])]
        assert (edges.tolist(), children) == naive.trace_best(forest, best_edge.tolist())


@quick
@given(weighted_forests(), st.integers(1, 3))
def test_margins_and_beams(case: tuple[Forest, np.ndarray], beam: int) -> None:
    forest, weights = case
    best, _ = _kernels.viterbi(*arrays(forest), weights)
    found = _kernels.margins(*arrays(forest), weights, best)
    assert found.tolist() == close(naive.margins(forest, weights))
    marked = _kernels.among_best(*arrays(forest), weights, best, beam)
    assert marked.tolist() == naive.among_best(forest, weights, best.tolist(), beam)


@quick
@given(weighted_forests(), st.integers(0, 99))
def test_sampling(case: tuple[Forest, np.ndarray], seed: int) -> None:
    forest, weights = case
    inside, edge_inside = _kernels.log_inside(*arrays(forest), weights)
    cumulative = _kernels.cumulative_shares(forest.node_ptr, inside, edge_inside)
    expected = naive.cumulative_shares(forest, inside.tolist(), edge_inside.tolist())
    assert cumulative.tolist() == close(expected)
    if inside[-1] > -math.inf:
        edges = _kernels.sample_edges(*arrays(forest), cumulative, generator(seed))
        assert edges.tolist() == naive.sample_edges(forest, cumulative, generator(seed))


shapes = st.tuples(st.integers(1, 4), st.integers(1, 4))


@quick
@given(shapes, shapes, shapes, st.data())
def test_convolve(
    a_shape: tuple[int, int], b_shape: tuple[int, int], shape: tuple[int, int], data: st.DataObject
) -> None:
    a, b = (
        np.array(data.draw(st.lists(log_weights, min_size=m * n, max_size=m * n)), np.float64)
        for m, n in (a_shape, b_shape)
    )
    # No result reaches farther than the sums do.
    rows, columns = (min(n, i + j - 1) for n, i, j in zip(shape, a_shape, b_shape, strict=True))
    result = np.full(rows * columns, np.nan)
    table_kernels.convolve(a, a_shape, b, b_shape, result, (rows, columns))
    expected = naive.convolve(a.reshape(a_shape), b.reshape(b_shape), (rows, columns))
    assert result.reshape(rows, columns).tolist() == expected.tolist()


@quick
@given(counted_forests(dimensions=2), st.tuples(st.integers(0, 8), st.integers(0, 8)))
def test_best_tables(case: tuple[Forest, np.ndarray, np.ndarray], limits: tuple[int, int]) -> None:
    """The twin of `trace_back` is met in `test_curve` and `test_table`."""
    forest, weights, counts = case
    counted = table_kernels.Counted(*arrays(forest), weights, counts)
    table_ptr, boxes, best, best_edge = table_kernels.best_tables(counted, limits)
    for node, twin in enumerate(naive.best_tables(forest, weights, counts, limits)):
        box = table_kernels.box_of(boxes, node)
        found = {}
        for place, entry in enumerate(range(table_ptr[node], table_ptr[node + 1])):
            count = table_kernels.count_of(place, box)
            assert table_kernels.place_of(count, box) == place
            if best[entry] > -math.inf:
                found[count] = (best[entry], best_edge[entry])
        assert found == twin


@quick
@given(counted_forests(dimensions=2, max_nodes=4))
def test_a_table_is_no_larger_than_what_is_reached(
    case: tuple[Forest, np.ndarray, np.ndarray],
) -> None:
    forest, weights, counts = case
    limits = (10**6, 10**6)
    boxes = table_kernels.reach(table_kernels.Counted(*arrays(forest), weights, counts), limits)
    for node, twin in enumerate(naive.best_tables(forest, weights, counts, limits)):
        least0, least1, rows, columns = boxes[node].tolist()
        if not twin:
            assert rows == columns == 0
            continue
        firsts, seconds = zip(*twin, strict=True)
        assert (least0, least0 + rows - 1) == (min(firsts), max(firsts))
        assert (least1, least1 + columns - 1) == (min(seconds), max(seconds))


def test_arrays_grow_and_keep_their_content() -> None:
    array = np.arange(4)
    assert _kernels.with_room(array, 4).size == 4
    longer = _kernels.with_room(array, 5)
    assert longer.size == 8
    assert longer[:4].tolist() == [0, 1, 2, 3]
