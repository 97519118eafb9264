"""Pruned forests, against brute force over derivations."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.forest import (
    Derivation,
    Forest,
    ForestBuilder,
    Pruned,
    margins,
    prune,
    prune_by_beam,
    prune_by_margin,
    restrict,
    viterbi,
)

from . import naive
from .naive import enumerate_derivations
from .strategies import forests, quick, twice, weighted_forests

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


def originals(pruned: Pruned) -> set[Derivation]:
    """What is left, as derivations of the original forest."""
    return {
        derivation.fold(lambda edge, below: Derivation(int(pruned.edges[edge]), below))
        for derivation in enumerate_derivations(pruned.forest)
    }


@quick
@given(weighted_forests(), st.sampled_from([0.0, 0.5, 1.0, 3.0, math.inf]))
def test_a_margin_keeps_what_is_near_the_best(case: Case, margin: float) -> None:
    forest, weights = case
    pruned = prune_by_margin(forest, weights, margin)
    scored = naive.scored_derivations(forest, weights)
    best = max((score for score, _ in scored), default=-math.inf)
    left = originals(pruned)
    # What lies on the margin may fall on either side, by rounding.
    assert {derivation for score, derivation in scored if score > best - margin + 1e-9} <= left
    near = {edge for s, d in scored if s >= best - margin - 1e-9 for edge in d.edges()}
    assert set(pruned.edges.tolist()) <= near
    found = viterbi(pruned.forest, weights[pruned.edges])
    assert (found[0] if found else -math.inf) == best


@quick
@given(weighted_forests(), st.integers(1, 3))
def test_a_beam_keeps_the_best_edges_of_each_node(case: Case, beam: int) -> None:
    forest, weights = case
    pruned = prune_by_beam(forest, weights, beam)
    assert np.diff(pruned.forest.node_ptr).max() <= beam
    assert originals(pruned) <= {d for _, d in naive.scored_derivations(forest, weights)}
    found, best = viterbi(pruned.forest, weights[pruned.edges]), viterbi(forest, weights)
    assert (found is None) == (best is None)
    if found is not None and best is not None:
        assert found[0] == best[0]


@quick
@given(weighted_forests())
def test_edges_of_the_best_derivation_have_no_margin(case: Case) -> None:
    forest, weights = case
    best = viterbi(forest, weights)
    if best is not None:
        assert not margins(forest, weights)[list(best[1].edges())].any()
    else:
        assert np.isinf(margins(forest, weights)).all()


def test_margins_and_beams_that_keep_nothing_are_refused() -> None:
    with pytest.raises(ValueError, match=r"must not be negative, not -1\.0"):
        prune_by_margin(twice(), np.zeros(3), -1.0)
    with pytest.raises(ValueError, match="must not be negative, not nan"):
        prune_by_margin(twice(), np.zeros(3), math.nan)
    with pytest.raises(ValueError, match="at least one edge, not 0"):
        prune_by_beam(twice(), np.zeros(3), 0)
