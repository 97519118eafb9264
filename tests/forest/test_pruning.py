"""Pruned forests, against brute force over derivations."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from treewright.forest import (
    Forest,
    ForestBuilder,
    margins,
    prune,
    restrict,
    viterbi,
)

from . import naive
from .naive import enumerate_derivations
from .strategies import forests, quick, weighted_forests

Case = tuple[Forest, np.ndarray]


@quick
@given(forests())
def test_prune_keeps_what_derivations_use(forest: Forest) -> None:
    pruned = prune(forest)
    derivations = naive.enumerate_derivations(forest)
    edges = sorted({edge for derivation in derivations for edge in derivation.edges()})
    nodes = sorted({forest.root, *(int(forest.head[edge]) for edge in edges)})
    assert pruned.edges.tolist() == edges
    assert pruned.nodes.tolist() == nodes
    kept = naive.enumerate_derivations(pruned.forest)
    assert [[edges[e] for e in d.edges()] for d in kept] == [list(d.edges()) for d in derivations]
    again = Forest.from_arrays(
        head=pruned.forest.head,
        tail_ptr=pruned.forest.tail_ptr,
        tail=pruned.forest.tail,
        label=forest.label[pruned.edges],
        num_nodes=len(nodes),
    )
    assert np.array_equal(again.node_ptr, pruned.forest.node_ptr)
    assert np.array_equal(again.label, pruned.forest.label)


def test_prune_leaves_an_unproductive_root_alone() -> None:
    builder = ForestBuilder()
    dead, leaf, root = builder.add_node(), builder.add_node(), builder.add_node()
    builder.add_edge(leaf, [], 0)
    builder.add_edge(root, [dead, leaf], 1)
    pruned = prune(builder.build())
    assert (pruned.forest.num_nodes, pruned.forest.num_edges) == (1, 0)
    assert pruned.nodes.tolist() == [2]


@quick
@given(forests(), st.data())
def test_restriction_filters_derivations(forest: Forest, data: st.DataObject) -> None:
    size = forest.num_edges
    allowed = np.array(data.draw(st.lists(st.booleans(), min_size=size, max_size=size)), dtype=bool)
    # Labels that tell edges apart say which derivations are left.
    numbered = Forest.from_arrays(
        head=forest.head,
        tail_ptr=forest.tail_ptr,
        tail=forest.tail,
        label=np.arange(size),
        num_nodes=forest.num_nodes,
    )
    found, nodes, edges = restrict(numbered, allowed)
    assert found.label.tolist() == edges.tolist()
    assert nodes[found.head].tolist() == forest.head[edges].tolist()
    left = [found.label[list(d.edges())].tolist() for d in enumerate_derivations(found)]
    expected = [
        edges
        for edges in (list(d.edges()) for d in enumerate_derivations(forest))
        if allowed[edges].all()
    ]
    assert sorted(left) == sorted(expected)
    # No dead ends: each edge that is left has a part in something.
    assert set(found.label.tolist()) == {edge for edges in expected for edge in edges}


@quick
@given(weighted_forests())
def test_edges_of_the_best_derivation_have_no_margin(case: Case) -> None:
    forest, weights = case
    best = viterbi(forest, weights)
    if best is not None:
        assert not margins(forest, weights)[list(best[1].edges())].any()
    else:
        assert np.isinf(margins(forest, weights)).all()
