"""Along a line, what a space says comes out best does: against brute force at many steps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from treewright.forest import ForestBuilder
from treewright.learning.tuning import SearchGraph
from treewright.learning.tuning.lattices import Graphs, prune_graph
from treewright.learning.tuning.lists import Lists
from treewright.learning.tuning.mert import Surface, best_step, error_surface
from treewright.learning.tuning.spaces import Space

from ...forest.naive import enumerate_derivations
from ...forest.strategies import forests, quick
from .toys import Rights, Spelled, flat_graph, graph_of, outputs, sausage

FEATURES = 3
LOW, HIGH = -4.0, 5.0


def surface_at(surface: Surface, steps: list[float]) -> np.ndarray:
    """The scores at given steps."""
    places = np.searchsorted(surface.at, steps, side="right") - 1
    return surface.scores[np.clip(places, 0, surface.scores.size - 1)]


@st.composite
def graphs(draw: Any) -> SearchGraph:
    """Graphs with repeated tails, equal slopes and equal lines."""
    forest = draw(forests(max_nodes=5, max_arity=3))
    assume(enumerate_derivations(forest))
    edges = forest.num_edges
    value = st.one_of(st.sampled_from([0.0, 1.0, -1.0, 0.5]), st.floats(-3, 3))
    rows = st.lists(value, min_size=FEATURES, max_size=FEATURES)
    words = st.lists(st.integers(0, 3), max_size=2)
    features = draw(st.lists(rows, min_size=edges, max_size=edges))
    return graph_of(forest, features, draw(st.lists(words, min_size=edges, max_size=edges)))


weights = st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.25, 1.0]), min_size=3, max_size=3)


def spaces(graph: SearchGraph, spelled: Spelled) -> list[Space]:
    some = np.ones(FEATURES)
    found: list[Space] = [
        Graphs(spelled, density=1000),
        Lists(spelled, most=1000, distinct=False),
    ]
    for space in found:
        for sentence in range(2):
            space.add(sentence, graph, some)
        assert space.settle()
    return found


@quick
@given(graphs(), weights, weights)
def test_pieces_against_brute_force_at_many_steps(
    graph: SearchGraph, start: list[float], direction: list[float]
) -> None:
    everything = outputs(graph)
    lines = np.array([[f @ start, f @ direction] for f, _ in everything])
    spelled = Spelled()
    for space in spaces(graph, spelled):
        pieces = space.line(np.array(start), np.array(direction), LOW, HIGH)
        assert pieces.start.size == 3
        for first, last in zip(pieces.start[:-1], pieces.start[1:], strict=True):
            at = pieces.at[first:last]
            assert at[0] == LOW
            assert (np.diff(at) >= 0).all()
            words = spelled.words(pieces.rows[first:last])
            ends = np.append(at, HIGH)
            for step in [*np.linspace(LOW, HIGH, 37), *(ends[:-1] + ends[1:]) / 2]:
                scores = lines[:, 0] + step * lines[:, 1]
                said = words[np.searchsorted(at, step, side="right") - 1]
                reached = max(s for s, (_, w) in zip(scores, everything, strict=True) if w == said)
                assert reached == pytest.approx(scores.max(), abs=1e-9)


@quick
@given(graphs(), weights)
def test_the_best_output_of_a_space(graph: SearchGraph, chosen: list[float]) -> None:
    everything = outputs(graph)
    scores = [f @ chosen for f, _ in everything]
    spelled = Spelled()
    for space in spaces(graph, spelled):
        for said in spelled.words(space.best(np.array(chosen))):
            reached = max(s for s, (_, w) in zip(scores, everything, strict=True) if w == said)
            assert reached == pytest.approx(max(scores), abs=1e-9)


def test_the_surface_is_the_score_at_every_step() -> None:
    """The merged surface of several sentences, against decoding each one at dense steps."""
    rng = np.random.default_rng(5)
    many = [sausage(rng.normal(size=(4, 3, FEATURES))) for _ in range(5)]
    start, direction = rng.normal(size=(2, FEATURES))
    scorer = Rights()
    steps = np.linspace(LOW, HIGH, 801)
    everything = [outputs(graph) for graph in many]
    features = [np.array([f for f, _ in found]) for found in everything]
    spelled = [[words for _, words in found] for found in everything]
    expected = []
    for step in steps:
        best = [int((f @ (start + step * direction)).argmax()) for f in features]
        rights = sum(words[i].count(0) for i, words in zip(best, spelled, strict=True))
        expected.append(100 * rights / 20)
    for space in (Lists(scorer, most=1000), Graphs(scorer, density=1000)):
        for sentence, graph in enumerate(many):
            space.add(sentence, graph, start)
        space.settle()
        surface = error_surface(space.line(start, direction, LOW, HIGH), scorer, HIGH)
        assert surface_at(surface, steps) == pytest.approx(expected)
        step, score = best_step(surface, 0.1)
        assert score == max(surface.scores) >= max(expected)
        assert surface_at(surface, [step]) == pytest.approx([score])


def test_steps_prefer_to_stay_and_then_wide_intervals() -> None:
    lines = [(0.0, 1.0, (1,)), (1.0, 0.0, (0,)), (2.0, -1.5, (1, 0))]
    graph = flat_graph([[b, m] for b, m, _ in lines], [words for _, _, words in lines])
    space = Lists(Rights())
    space.add(0, graph, np.ones(2))
    space.settle()
    surface = error_surface(
        space.line(np.array([1.0, 0.0]), np.array([0.0, 1.0]), -5, 5), Rights(), 5
    )
    assert surface.at.tolist() == pytest.approx([-5, 2 / 3, 1, 5])
    assert surface.scores.tolist() == [50, 100, 0]
    assert best_step(surface, 0.01) == pytest.approx((2 / 3 + 0.01, 100))
    assert best_step(surface, 9.0) == pytest.approx((5 / 6, 100))
    assert best_step(surface._replace(scores=np.array([100.0, 100, 0])), 0.1) == (0.0, 100)


def test_lists_gather_and_keep_nothing_twice() -> None:
    rng = np.random.default_rng(1)
    graph = sausage(rng.normal(size=(3, 3, FEATURES)))
    first, second = rng.normal(size=(2, FEATURES))
    lists = Lists(Rights(), most=10)
    for sentence in range(2):
        lists.add(sentence, graph, first)
    assert lists.settle()
    assert lists.start.tolist() == [0, 10, 20]
    for sentence in range(2):
        lists.add(sentence, graph, first)
    assert not lists.settle()
    for sentence in range(2):
        lists.add(sentence, graph, second)
    assert lists.settle()
    everything = {tuple(np.round(f, 6)) for f, _ in outputs(graph)}
    for entries in np.split(lists.features, lists.start[1:-1]):
        rows = {tuple(np.round(row, 6)) for row in entries}
        assert len(rows) == len(entries)
        assert rows <= everything
        for weights in (first, second):
            best = max(everything, key=lambda row: row @ weights)
            assert best in rows


def test_the_gain_of_an_entry_is_what_the_corpus_would_gain() -> None:
    lists = Lists(Rights())
    lists.add(0, flat_graph([[1.0], [0.0]], [(0, 1), (0, 0, 0)]), np.ones(1))
    lists.add(1, flat_graph([[1.0], [0.0]], [(0,), (1,)]), np.ones(1))
    lists.settle()
    before = 100 * 2 / 3
    expected = [0.0, 100 - before, 0.0, 100 / 3 - before]
    assert lists.gains(np.ones(1)) == pytest.approx(np.array(expected) * 2 / 100)


def test_pruning_keeps_the_best_derivations() -> None:
    rng = np.random.default_rng(2)
    graph = sausage(rng.normal(size=(6, 8, FEATURES)))
    weights = rng.normal(size=FEATURES)
    pruned = prune_graph(graph, weights, 3)
    assert pruned.forest.num_edges <= 18 < graph.forest.num_edges
    best = max(outputs(prune_graph(graph, weights, 1)), key=lambda each: each[0] @ weights)
    assert max(f @ weights for f, _ in outputs(pruned)) == pytest.approx(best[0] @ weights)
    assert prune_graph(graph, weights, 1000).forest.num_edges == graph.forest.num_edges


def test_graphs_of_earlier_rounds_are_kept() -> None:
    spelled = Spelled()
    space = Graphs(spelled, keep=2)
    for number in range(3):
        space.add(0, flat_graph([[float(-number)]], [(number,)]), np.ones(1))
        space.settle()
    assert spelled.words(space.best(np.array([1.0]))) == [(1,)]
    assert spelled.words(space.best(np.array([-1.0]))) == [(2,)]


def test_a_graph_without_derivations_is_named() -> None:
    builder = ForestBuilder()
    builder.add_node()
    empty = SearchGraph(builder.build(), np.empty((0, 1)), np.zeros(1, "i8"), np.empty(0, "i4"))
    for space in (Lists(Rights()), Graphs(Rights())):
        with pytest.raises(ValueError, match="sentence 4 has no derivation"):
            space.add(4, empty, np.ones(1))
