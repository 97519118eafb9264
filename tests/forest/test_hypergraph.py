from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from treewright.forest import Forest, ForestBuilder

from .strategies import twice


def test_arrays_of_a_small_forest() -> None:
    forest = twice()
    assert (forest.num_nodes, forest.num_edges, forest.root) == (2, 3, 1)
    assert [forest.edges(node) for node in (0, 1)] == [range(2), range(2, 3)]
    assert [forest.tails(edge) for edge in range(3)] == [(), (), (0, 0)]
    assert forest.label.tolist() == [0, 1, 2]
    assert repr(forest) == "Forest(num_nodes=2, num_edges=3)"


def test_builder_sorts_edges_by_head_and_keeps_their_order() -> None:
    builder = ForestBuilder()
    a, b = builder.add_node(), builder.add_node()
    builder.add_edge(b, [a], 10)
    builder.add_edge(a, [], 11)
    builder.add_edge(b, [a, a], 12)
    builder.add_edge(a, [], 13)
    forest = builder.build()
    assert forest.label.tolist() == [11, 13, 10, 12]
    assert [forest.tails(edge) for edge in range(4)] == [(), (), (0,), (0, 0)]


def test_a_single_node_is_a_forest() -> None:
    builder = ForestBuilder()
    builder.add_node()
    assert builder.build().edges(0) == range(0)


@pytest.mark.parametrize("name", ["head", "tail_ptr", "tail", "node_ptr", "label"])
def test_arrays_are_frozen_even_after_pickling(name: str) -> None:
    for forest in (twice(), pickle.loads(pickle.dumps(twice()))):
        with pytest.raises(ValueError, match="read-only"):
            getattr(forest, name)[0] = 1
        assert np.array_equal(getattr(forest, name), getattr(twice(), name))


def test_input_arrays_stay_writable_and_apart() -> None:
    head = np.array([0], dtype=np.int32)
    forest = Forest.from_arrays(head=head, tail_ptr=[0, 0], tail=[], label=[0], num_nodes=1)
    head[0] = 7
    assert forest.head.tolist() == [0]


def test_gather_by_label() -> None:
    weights = np.array([0.5, 0.25, 2.0])
    assert twice().gather(weights).tolist() == [0.5, 0.25, 2.0]


def test_gather_gives_zero_to_negative_labels() -> None:
    builder = ForestBuilder()
    builder.add_node()
    builder.add_edge(0, [], -1)
    builder.add_edge(0, [], 0)
    assert builder.build().gather(np.array([3.0])).tolist() == [0.0, 3.0]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"num_nodes": 0}, "at least one node"),
        ({"label": [0]}, "1 labels for 3 edges"),
        ({"tail_ptr": [0, 0, 2]}, "tail_ptr has 3 entries; 4 expected"),
        ({"tail_ptr": [0, 0, 0, 1]}, "must rise from 0 to the number of tails, 2"),
        ({"tail_ptr": [0, 2, 0, 2]}, "must rise from 0"),
        ({"tail_ptr": [1, 1, 1, 2]}, "must rise from 0"),
        ({"head": [0, 0, 2]}, "heads must be nodes, 0 to 1"),
        ({"head": [0, 1, 0]}, "edge 2 comes after an edge of a larger head"),
        ({"tail": [0, 1]}, "tail position 1 does not come before its head"),
        ({"tail": [-1, 0]}, "tail position 0 does not come before its head"),
        ({"tail": [[0, 0]]}, "tail must be one-dimensional"),
        ({"label": [0.0, 1.0, 2.0]}, "label must hold integers, not float64"),
        ({"label": [0, 1, 2**31]}, "label does not fit in int32"),
    ],
)
def test_wrong_arrays_are_refused(changes: dict[str, Any], message: str) -> None:
    right: dict[str, Any] = {
        "head": [0, 0, 1],
        "tail_ptr": [0, 0, 0, 2],
        "tail": [0, 0],
        "label": [0, 1, 2],
        "num_nodes": 2,
    }
    Forest.from_arrays(**right)
    with pytest.raises(ValueError, match=message):
        Forest.from_arrays(**right | changes)


def test_builder_refuses_wrong_edges() -> None:
    builder = ForestBuilder()
    with pytest.raises(ValueError, match="at least one node"):
        builder.build()
    builder.add_node()
    with pytest.raises(ValueError, match="head 1 is not a node; there are 1"):
        builder.add_edge(1, [], 0)
    with pytest.raises(ValueError, match="tail 0 of an edge does not come before its head 0"):
        builder.add_edge(0, [0], 0)
