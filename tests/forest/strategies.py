"""Small random forests: repeated tails, nullary edges, dead ends, -inf weights, ties."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from hypothesis import strategies as st

from treewright.forest import Forest, ForestBuilder

from ..profiles import examples

# Kernels compile on first use, so that no example has a deadline.
quick = examples(50)

MOST_DERIVATIONS = 150
LABELS = 5


@st.composite
def forests(draw: Any, *, max_nodes: int = 6, max_arity: int = 4) -> Forest:
    """A forest in which no node has more than `MOST_DERIVATIONS` derivations."""
    builder = ForestBuilder()
    derivations: list[int] = []
    for _ in range(draw(st.integers(1, max_nodes))):
        node = builder.add_node()
        derivations.append(0)
        for _ in range(draw(st.sampled_from([2, 1, 3, 4, 2, 3, 0]))):
            tails = st.lists(st.integers(0, max(0, node - 1)), max_size=max_arity if node else 0)
            chosen = draw(tails)
            ways = math.prod(derivations[tail] for tail in chosen)
            if derivations[node] + ways <= MOST_DERIVATIONS:
                derivations[node] += ways
                builder.add_edge(node, chosen, draw(st.integers(-1, LABELS - 1)))
    return builder.build()


# Halves make exact ties; the rest exercises rounding.
log_weights = st.one_of(
    st.sampled_from([0.0, -0.5, -1.0, -1.5, -0.5, -1.0, -math.inf]),
    st.floats(-8.0, 2.0, allow_subnormal=False),
)


@st.composite
def weighted_forests(draw: Any, **options: int) -> tuple[Forest, np.ndarray]:
    forest = draw(forests(**options))
    weights = draw(st.lists(log_weights, min_size=forest.num_edges, max_size=forest.num_edges))
    return forest, np.array(weights, dtype=np.float64)


@st.composite
def counted_forests(
    draw: Any, *, dimensions: int = 1, **options: int
) -> tuple[Forest, np.ndarray, np.ndarray]:
    """A forest, weights, and small counts of shape (E, dimensions)."""
    forest, weights = draw(weighted_forests(**options))
    row = st.lists(st.integers(0, 2), min_size=dimensions, max_size=dimensions)
    rows = draw(st.lists(row, min_size=forest.num_edges, max_size=forest.num_edges))
    return forest, weights, np.array(rows, dtype=np.int64).reshape(-1, dimensions)


def twice() -> Forest:
    """Two leaves for node 0; the root takes it twice: four derivations, one edge with (v, v)."""
    builder = ForestBuilder()
    leaf, root = builder.add_node(), builder.add_node()
    builder.add_edge(leaf, (), 0)
    builder.add_edge(leaf, (), 1)
    builder.add_edge(root, (leaf, leaf), 2)
    return builder.build()


def chain(length: int) -> Forest:
    """A leaf under `length - 1` unary nodes, each with two parallel edges (labels 0 and 1)."""
    nodes = np.arange(1, length)
    return Forest.from_arrays(
        head=np.concatenate([[0], np.repeat(nodes, 2)]),
        tail_ptr=np.concatenate([[0], np.arange(2 * length - 1)]),
        tail=np.repeat(nodes - 1, 2),
        label=np.concatenate([[0], np.tile([0, 1], length - 1)]),
        num_nodes=length,
    )


def fan(width: int) -> Forest:
    """A root over `width` leaves, each with two edges (labels 0 and 1)."""
    builder = ForestBuilder()
    leaves = [builder.add_node() for _ in range(width)]
    root = builder.add_node()
    for leaf in leaves:
        builder.add_edge(leaf, (), 0)
        builder.add_edge(leaf, (), 1)
    builder.add_edge(root, leaves, 2)
    return builder.build()
