"""Labels of edges: the columns that a kernel reads, against reading them one by one."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.transduction import EdgeKind, _kernels
from treewright.trees import Tree, TreeTable

from ..grammar.strategies import quick, trees
from ..grammar.test_index import uncompiled

each_mode = pytest.mark.parametrize("mode", [nullcontext, lambda: uncompiled(_kernels)])


def read(label: int, rules: int, nodes: int) -> tuple[int, int, int, int]:
    """The kind of a label, and its rule, node and gap, -1 where it has none."""
    if label < rules:
        return EdgeKind.RULE, label, -1, -1
    own = label - rules
    if own < 2 * nodes:
        node, deletes = divmod(own, 2)
        return EdgeKind.DELETE if deletes else EdgeKind.COPY, -1, node, -1
    return EdgeKind.GAP, -1, -1, own - 2 * nodes


@each_mode
@quick
@given(
    labels=st.lists(st.integers(0, 30), max_size=12),
    rules=st.integers(0, 9),
    nodes=st.integers(1, 9),
)
def test_read_labels_equals_its_twin(mode: Any, labels: list[int], rules: int, nodes: int) -> None:
    with mode():
        columns = _kernels.read_labels(np.array(labels, dtype=np.int32), rules, nodes)
    found = list(zip(*[column.tolist() for column in columns], strict=True))
    assert found == [read(label, rules, nodes) for label in labels]


@each_mode
@quick
@given(
    edges=st.lists(st.tuples(st.integers(0, 30), st.integers(0, 3)), max_size=12),
    rules=st.integers(0, 9),
    nodes=st.integers(1, 9),
)
def test_read_steps_equals_its_twin(
    mode: Any, edges: list[tuple[int, int]], rules: int, nodes: int
) -> None:
    source = [5, -1, 7, 0]
    labels, heads = (np.array([edge[i] for edge in edges], dtype=np.int32) for i in (0, 1))
    with mode():
        found = _kernels.read_steps(labels, rules, nodes, heads, np.array(source, dtype=np.int32))
    assert found.T.tolist() == [
        [kind, max(numbers), source[head]]
        for label, head in edges
        for kind, *numbers in [read(label, rules, nodes)]
    ]


@each_mode
@quick
@given(tree=trees(), labels=st.lists(st.integers(0, 60), max_size=20), rules=st.integers(0, 9))
def test_copied_words_equal_their_twin(
    mode: Any, tree: Tree, labels: list[int], rules: int
) -> None:
    table = TreeTable(tree)
    columns = table.arrays
    with mode():
        edges, places = _kernels.copied_words(
            np.array(labels, dtype=np.int32), rules, columns.left, columns.right, columns.end
        )
    expected = []
    for edge, label in enumerate(labels):
        kind, _, node, _ = read(label, rules, len(table))
        if kind == EdgeKind.COPY and table.nodes[node].word is not None:
            expected.append((edge, table.left[node]))
    assert list(zip(edges.tolist(), places.tolist(), strict=True)) == expected
