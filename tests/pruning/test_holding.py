"""Holding against the list of all derivations: those that break a demand go, and no other."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from treewright.forest import CountCurve, derivation_count
from treewright.grammar import Grammar, parse_rule
from treewright.pruning import CompressionForest, Pruner, gaps, split_by_heads
from treewright.pruning.deletion import DeletionForest
from treewright.pruning.holding import (
    ancestors,
    bar_tokens,
    bind_tokens,
    changing_edges,
    dropped_nodes,
    hold,
    hold_some,
    hold_tokens,
    writing_edges,
)
from treewright.pruning.risk import TRUST, TRUST_OF_RULES
from treewright.trees import Tree, parse_tree

from ..forest.naive import enumerate_derivations
from ..grammar.strategies import trees
from ..profiles import examples
from ..transduction.test_generation import FIGURE_2, FIGURE_2_SOURCE, MOST, target_forests
from .deletion.toys import DOG, small_trees, toy_model
from .test_pruning import PRUNING, UNSEEN

brief = examples(30)
NOTHING = Grammar.from_counts({})
TREE = parse_tree("(S (A a) (X (A d) (X (B b) (C c)) (B b)) (C c) (A d))")

DEEP = """
S/S -> (S (PP (IN like) NP[ε]) NP[1] VP[2]) / (S NP[1] VP[2])
S/S -> (S PP[ε] NP[1] (VP VBZ[2] (NP (DT the) NN[ε]))) / (S NP[1] (VP VBZ[2] (NP (DT the))))
S/S -> (S PP[ε] NP[ε] VP[1]) / (S VP[1])
S/VP -> (S (PP IN[ε] NP[ε]) (NP NN[ε]) (VP VBZ[1] NP[2])) / (VP VBZ[1] NP[2])
S/S -> (S (PP IN[1] NP[2]) NP[ε] VP[ε]) / (S (PP IN[1] NP[2]))
VP/VP -> (VP VBZ[1] (NP (DT the) (NN dog))) / (VP VBZ[1])
VP/VP -> (VP (VBZ sees) (NP DT[ε] NN[1])) / (VP (NP NN[1]))
NP/NP -> (NP (DT the) NN[1]) / (NP NN[1])
"""
DEEP_SOURCE = parse_tree(
    "(S (PP (IN like) (NP (NN us))) (NP (NN it)) (VP (VBZ sees) (NP (DT the) (NN dog))))"
)


def pruned(source: Tree) -> CompressionForest:
    return Pruner(NOTHING, UNSEEN, PRUNING).forest(source)


def deep_rules() -> CompressionForest:
    rules = tuple(parse_rule(line) for line in DEEP.strip().splitlines())
    grammar = Grammar(rules, -np.arange(1.0, 1.0 + len(rules)), np.ones(len(rules)))
    return Pruner(grammar, UNSEEN).forest(DEEP_SOURCE)


def extractive(forest: CompressionForest) -> CompressionForest:
    return forest.without(changing_edges(forest))


class Way(NamedTuple):
    """A derivation of the whole forest: its edges, its score, where its words come from."""

    edges: Counter[int]
    score: float
    positions: tuple[int, ...]

    def weigh(self, weights: np.ndarray) -> float:
        return float(sum(times * weights[edge] for edge, times in self.edges.items()))


def ways(forest: CompressionForest | DeletionForest) -> list[Way]:
    """Every derivation of finite weight, by enumeration."""
    found = []
    for derivation in enumerate_derivations(forest.forest):
        score = derivation.score(forest.weights)
        if score > -math.inf:
            target = forest.target(derivation)
            assert target is not None
            found.append(Way(Counter(derivation.edges()), score, target.positions))
    return found


def is_left(forest: CompressionForest, node: int, positions: Collection[int]) -> bool:
    """Whether something below the node stays."""
    source = forest.source
    left = [*source.left, len(source.words)]
    return any(left[node] <= place < left[source.end[node]] for place in positions)


def parents(source: Tree) -> list[int]:
    found: list[int] = []
    stack = [(source, -1)]
    while stack:
        node, parent = stack.pop()
        stack.extend((child, len(found)) for child in reversed(node.children))
        found.append(parent)
    return found


def check_hold(forest: CompressionForest, held: Collection[int]) -> None:
    """Raise unless exactly the derivations that keep the parent of a held node alone are gone."""
    parent = parents(forest.source.nodes[0])

    def obeys(way: Way) -> bool:
        return not any(
            not is_left(forest, node, way.positions)
            and is_left(forest, parent[node], way.positions)
            for node in held
        )

    check_left(forest, hold(forest, held), obeys)


def check_left(
    forest: CompressionForest, tight: CompressionForest, obeys: Callable[[Way], bool]
) -> None:
    """Raise unless the derivations that obey are left, each once and with its weight, no other."""
    expected = sorted((way.positions, way.score) for way in ways(forest) if obeys(way))
    found = sorted((way.positions, way.score) for way in ways(tight))
    assert [positions for positions, _ in found] == [positions for positions, _ in expected]
    assert [score for _, score in found] == pytest.approx([score for _, score in expected])


def some_nodes(forest: CompressionForest, most: int) -> Iterable[tuple[int, ...]]:
    nodes = range(1, len(forest.source.nodes))
    return (held for size in range(1, most + 1) for held in combinations(nodes, size))


@pytest.mark.parametrize("longest", [1, 2, 12])
def test_prunings_that_drop_a_held_node_and_keep_its_parent_are_gone(
    longest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gaps, "LONGEST", longest)
    forest = pruned(TREE)
    assert len(ways(forest)) == 127
    for held in some_nodes(forest, 1):
        check_hold(forest, held)
    check_hold(forest, range(1, len(forest.source.nodes)))
    check_hold(forest, [2, 4, 8])


def test_deep_rules_that_drop_a_held_node_and_keep_its_parent_are_gone() -> None:
    forest = extractive(deep_rules())
    assert len(ways(forest)) == 14
    for held in some_nodes(forest, 2):
        check_hold(forest, held)


def test_rules_that_rename_are_held_as_well() -> None:
    forest = Pruner(FIGURE_2, UNSEEN).forest(FIGURE_2_SOURCE)
    assert len(ways(forest)) > 1
    for held in some_nodes(forest, 2):
        check_hold(forest, held)


@brief
@given(trees(), st.data())
def test_holding_in_the_prunings_of_any_tree(source: Tree, data: st.DataObject) -> None:
    forest = pruned(source)
    assume(derivation_count(forest.forest) <= MOST)
    check_hold(forest, held_nodes(data, forest))


@brief
@given(target_forests(Pruner), st.data())
def test_holding_with_any_rules(case: tuple[CompressionForest, Tree], data: st.DataObject) -> None:
    forest = extractive(case[0])
    assume(derivation_count(forest.forest) <= MOST)
    check_hold(forest, held_nodes(data, forest))


def held_nodes(data: st.DataObject, forest: CompressionForest) -> frozenset[int]:
    nodes = st.integers(1, max(1, len(forest.source.nodes) - 1))
    held = data.draw(st.frozensets(nodes, max_size=4))
    return held if len(forest.source.nodes) > 1 else frozenset()


def test_nothing_held_is_the_same_forest() -> None:
    forest, plain = pruned(TREE), toy_model(0).forest(DOG)
    assert hold(forest, []) is forest
    assert hold_tokens(plain, []) is plain


def test_only_the_topmost_dropped_nodes_of_a_rule_are_named() -> None:
    forest = deep_rules()
    expected = [[1], [1, 11], [1, 5], [1, 5], [5, 7], [9], [8, 10], [10]]
    matching = [0, 0, 0, 0, 0, 7, 7, 9]
    found = [list(dropped_nodes(forest, number, root)) for number, root in enumerate(matching)]
    assert found == expected


def test_a_rule_that_deletes_all_of_its_node_drops_nothing_of_it() -> None:
    forest = Pruner(FIGURE_2).forest(FIGURE_2_SOURCE)
    for number, rule in enumerate(FIGURE_2.rules):
        if rule.target is None:
            assert list(dropped_nodes(forest, number, 0)) == []


@brief
@given(trees(), st.data())
def test_tokens_stay_if_all_nodes_above_them_are_held(source: Tree, data: st.DataObject) -> None:
    forest = pruned(source)
    assume(derivation_count(forest.forest) <= MOST)
    places = st.integers(0, len(source.words()) - 1)
    tokens = data.draw(st.frozensets(places, max_size=3))
    tight = hold(forest, ancestors(forest.source, tokens))
    check_left(forest, tight, lambda way: tokens <= set(way.positions))


def test_ancestors_are_the_nodes_above_but_for_the_root() -> None:
    source = pruned(TREE).source
    assert ancestors(source, []) == frozenset()
    assert ancestors(source, [0]) == {1}
    assert ancestors(source, [2, 6]) == {2, 4, 5, 9}
    assert ancestors(source, range(7)) == set(range(1, 10))
    assert ancestors(pruned(parse_tree("(A a)")).source, [0]) == frozenset()


@brief
@given(target_forests(Pruner))
def test_rules_that_write_or_move_words_are_gone_and_no_other(
    case: tuple[CompressionForest, Tree],
) -> None:
    forest, _ = case
    assume(derivation_count(forest.forest) <= MOST)

    def in_order(way: Way) -> bool:
        return -1 not in way.positions and list(way.positions) == sorted(way.positions)

    check_left(forest, extractive(forest), in_order)


def test_no_edge_of_prunings_writes_or_moves_a_word() -> None:
    assert not changing_edges(pruned(TREE)).any()


@brief
@given(small_trees, st.integers(0, 9), st.data())
def test_arcs_over_a_held_token_are_gone(source: Tree, seed: int, data: st.DataObject) -> None:
    forest = toy_model(seed).forest(source)
    places = st.integers(0, len(source.words()) - 1)
    tokens = data.draw(st.frozensets(places, min_size=1, max_size=3))
    tight = hold_tokens(forest, tokens)
    for way in ways(forest):
        stays = tokens <= set(way.positions)
        assert way.weigh(tight.weights) == (way.score if stays else -math.inf)


@brief
@given(small_trees, st.integers(0, 9), st.data())
def test_arcs_that_part_bound_neighbours_are_gone(
    source: Tree, seed: int, data: st.DataObject
) -> None:
    forest = toy_model(seed).forest(source)
    places = st.integers(0, max(len(source.words()) - 2, 0))
    bound = data.draw(st.frozensets(places, max_size=3)) if len(source.words()) > 1 else frozenset()
    tight = bind_tokens(forest, bound)
    for way in ways(forest):
        whole = all((place in way.positions) == (place + 1 in way.positions) for place in bound)
        assert way.weigh(tight.weights) == (way.score if whole else -math.inf)


@brief
@given(small_trees, st.integers(0, 9), st.data())
def test_arcs_over_all_of_a_run_are_gone(source: Tree, seed: int, data: st.DataObject) -> None:
    forest = toy_model(seed).forest(source)
    size = len(source.words())
    start = data.draw(st.integers(0, size - 1))
    run = range(start, data.draw(st.integers(start + 1, size)))
    tight = hold_some(forest, run)
    for way in ways(forest):
        stays = not set(run).isdisjoint(way.positions)
        assert way.weigh(tight.weights) == (way.score if stays else -math.inf)


def best_of_costs(
    found: Iterable[Way], costs: np.ndarray, aim: Any = lambda way: way.score
) -> dict[int, float]:
    best: dict[int, float] = defaultdict(lambda: -math.inf)
    for way in found:
        cost = int(costs[list(way.positions)].sum())
        best[cost] = max(best[cost], aim(way))
    return dict(best)


def check_curve(
    forest: CompressionForest | DeletionForest,
    curve: CountCurve,
    costs: np.ndarray,
    best: dict[int, float],
) -> None:
    """Raise unless the curve has the best of every cost, and reads it off as derivations do."""
    assert len(curve.scores) == costs.sum() + 1
    found = {cost: s for cost, s in enumerate(curve.scores.tolist()) if s > -math.inf}
    assert found == pytest.approx(best)
    for cost in best:
        derivation = curve.derivation(cost)
        uses = curve.edge_uses(cost)
        times = Counter(derivation.edges())
        assert uses.tolist() == [times[edge] for edge in range(forest.forest.num_edges)]
        target = forest.target(derivation)
        assert target is not None
        assert forest.positions(uses) == target.positions
        assert costs[list(target.positions)].sum() == cost


def drawn_costs(data: st.DataObject, source: Tree) -> np.ndarray:
    size = len(source.words())
    return np.array(data.draw(st.lists(st.integers(0, 4), min_size=size, max_size=size)))


@brief
@given(trees(), st.data())
def test_the_curve_of_prunings_by_cost(source: Tree, data: st.DataObject) -> None:
    forest = pruned(source)
    assume(derivation_count(forest.forest) <= MOST)
    forest = hold(forest, held_nodes(data, forest))
    costs = drawn_costs(data, source)
    check_curve(forest, forest.curve(costs=costs), costs, best_of_costs(ways(forest), costs))


@brief
@given(target_forests(Pruner), st.data())
def test_the_curve_of_rules_by_cost(
    case: tuple[CompressionForest, Tree], data: st.DataObject
) -> None:
    forest, source = extractive(case[0]), case[1]
    assume(derivation_count(forest.forest) <= MOST)
    costs = drawn_costs(data, source)
    check_curve(forest, forest.curve(costs=costs), costs, best_of_costs(ways(forest), costs))


@brief
@given(small_trees, st.integers(0, 9), st.data())
def test_the_curve_of_strings_by_cost(source: Tree, seed: int, data: st.DataObject) -> None:
    forest = toy_model(seed).forest(source)
    costs = drawn_costs(data, source)
    check_curve(forest, forest.curve(costs=costs), costs, best_of_costs(ways(forest), costs))


def test_other_weights_make_other_versions_the_best_of_their_cost() -> None:
    for forest in (pruned(DOG), toy_model(3).forest(DOG)):
        costs = np.array([3, 1, 4, 1, 5, 0])
        weights = forest.weights + 2.0 * forest.word_counts()
        best = best_of_costs(ways(forest), costs, lambda way, w=weights: way.weigh(w))
        check_curve(forest, forest.curve(weights=weights, costs=costs), costs, best)


def test_a_limit_ends_the_curve_by_cost() -> None:
    forest = pruned(DOG)
    costs = np.array([3, 1, 4, 1, 5, 0])
    whole = forest.curve(costs=costs).scores
    assert forest.curve(6, costs=costs).scores.tolist() == whole[:7].tolist()
    forest = split_by_heads(forest, pairs=True)
    agreed = forest.agreed_curve(costs=costs).scores
    assert forest.agreed_curve(6, costs=costs).scores.tolist() == agreed[:7].tolist()


def chances(forest: CompressionForest, found: Iterable[Way], *, alone: bool) -> np.ndarray:
    """The share of what all versions weigh that keeps each word together with its governor.

    Of the topmost word, which has none, it is the share that keeps it if `alone`, else none.
    """
    governors = forest.source.governors
    share = np.zeros(len(governors))
    for way in found:
        for place in way.positions:
            if governors[place] in way.positions or (alone and governors[place] < 0):
                share[place] += math.exp(way.score)
    return share / math.fsum(math.exp(way.score) for way in found)


def check_agreed(forest: CompressionForest, costs: np.ndarray, price: float) -> None:
    """Raise unless the curve of a forest of prunings has the least risk of every cost."""
    forest = split_by_heads(forest, pairs=True)
    found = ways(forest)
    source, chance = forest.source, chances(forest, found, alone=False)

    def aim(way: Way) -> float:
        words = [place for place in way.positions if forest.is_word[place]]
        paired = [place for place in words if source.governors[place] in way.positions]
        return float(TRUST * way.score + chance[paired].sum() - price * len(words))

    curve = forest.agreed_curve(price=price, costs=costs)
    check_curve(forest, curve, costs, best_of_costs(found, costs, aim))


@brief
@given(trees(), st.sampled_from([0.0, 0.1, 0.5]), st.data())
def test_the_agreed_curve_of_prunings_by_cost(
    source: Tree, price: float, data: st.DataObject
) -> None:
    forest = pruned(source)
    assume(derivation_count(forest.forest) <= MOST)
    forest = hold(forest, held_nodes(data, forest))
    check_agreed(forest, drawn_costs(data, source), price)


@pytest.mark.parametrize("price", [0.1, 0.5])
@pytest.mark.parametrize("longest", [1, 2])
def test_the_agreed_curve_where_runs_are_dropped_in_blocks(
    longest: int, price: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gaps, "LONGEST", longest)
    check_agreed(hold(pruned(TREE), [4]), np.array([2, 1, 3, 1, 2, 1, 4]), price)


@brief
@given(target_forests(Pruner), st.sampled_from([0.1, 0.5]), st.data())
def test_the_agreed_curve_of_rules_by_cost(
    case: tuple[CompressionForest, Tree], price: float, data: st.DataObject
) -> None:
    forest, source = extractive(case[0]), case[1]
    assume(len(forest.grammar) and derivation_count(forest.forest) <= MOST)
    found = ways(forest)
    assume(found)
    chance = chances(forest, found, alone=True)

    def aim(way: Way) -> float:
        words = [place for place in way.positions if forest.is_word[place]]
        return float(TRUST_OF_RULES * way.score + (chance[words] - price).sum())

    costs = drawn_costs(data, source)
    curve = forest.agreed_curve(price=price, costs=costs)
    check_curve(forest, curve, costs, best_of_costs(found, costs, aim))


def test_where_no_version_is_left_the_curves_are_empty() -> None:
    grammar = Grammar((parse_rule("S/S -> (S A[1] B[ε]) / (S A[1])"),), np.zeros(1), np.ones(1))
    rules = [*grammar.rules, parse_rule("A/A -> (A a) / (A a)"), parse_rule("B/ε -> (B b) / ε")]
    grammar = Grammar(tuple(rules), np.zeros(3), np.ones(3))
    forest = hold(Pruner(grammar).forest(parse_tree("(S (A a) (B b))")), [2])
    assert forest.best() is None
    assert forest.nbest(3) == []
    for curve in (forest.curve(), forest.agreed_curve(), forest.agreed_curve(costs=[3, 4])):
        assert not np.isfinite(curve.scores).any()


@brief
@given(trees(), st.data())
def test_tokens_go_from_the_prunings_of_any_tree(source: Tree, data: st.DataObject) -> None:
    forest = pruned(source)
    assume(derivation_count(forest.forest) <= MOST)
    tokens = barred_tokens(data, source)
    tight = forest.without(writing_edges(forest, tokens))
    check_left(forest, tight, lambda way: tokens.isdisjoint(way.positions))


@brief
@given(target_forests(Pruner), st.data())
def test_tokens_go_with_any_rules(
    case: tuple[CompressionForest, Tree], data: st.DataObject
) -> None:
    forest = extractive(case[0])
    assume(derivation_count(forest.forest) <= MOST)
    tokens = barred_tokens(data, case[1])
    tight = forest.without(writing_edges(forest, tokens))
    check_left(forest, tight, lambda way: tokens.isdisjoint(way.positions))


@brief
@given(small_trees, st.integers(0, 9), st.data())
def test_arcs_to_a_barred_token_are_gone(source: Tree, seed: int, data: st.DataObject) -> None:
    forest = toy_model(seed).forest(source)
    tokens = barred_tokens(data, source)
    tight = bar_tokens(forest, tokens)
    for way in ways(forest):
        goes = tokens.isdisjoint(way.positions)
        assert way.weigh(tight.weights) == (way.score if goes else -math.inf)


def barred_tokens(data: st.DataObject, source: Tree) -> frozenset[int]:
    places = st.integers(0, len(source.words()) - 1)
    return data.draw(st.frozensets(places, max_size=3))
