"""`PriceNetwork` against a slow twin, and against itself: alone, in batches, on unknown symbols."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.grammar import Grammar
from treewright.learning.linear.examples import FREE
from treewright.parsing.embedded import Codes
from treewright.pruning import Pruner
from treewright.pruning.encoded.network import CLASH, SEAM, SURPRISE, PriceNetwork
from treewright.pruning.encoded.places import Places
from treewright.trees import Tree, TreeTable, parse_tree

from ...grammar.strategies import quick, trees
from ...parsing.embedded.toys import TREES
from .test_places import places_of
from .toys import prices_of, random_network, random_pruning

Row = list[float]
Pair = tuple[int, int]


def times(matrix: list[Row], vector: Row) -> Row:
    return [math.fsum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def layer(parts: list[Row], out: Row, bias: float) -> float:
    """A hidden layer that adds its inputs up, and one unit above it."""
    hidden = [max(0.0, math.fsum(column)) for column in zip(*parts, strict=True)]
    return bias + math.fsum(w * h for w, h in zip(out, hidden, strict=True))


def random_states(words: int, seed: int) -> tuple[Codes, list[Row]]:
    """Return the states of words, as codes and as what they stand for."""
    codes = np.random.default_rng(seed).integers(-8192, 8193, (words, 10)).astype(np.int16)
    return codes, (codes / 8192).tolist()


def naive_nodes(network: PriceNetwork, name: str, places: Places, states: list[Row]) -> Row:
    """What a layer of nodes says of each."""
    own = {key: array for key, array in network.arrays.items() if key.startswith(f"{name}_")}
    w = {key.removeprefix(f"{name}_"): array.tolist() for key, array in own.items()}
    found = []
    for x in range(len(places.head)):
        first, last = int(places.first[x]), int(places.last[x])
        length = last - first + 1
        small, large = w["length"]
        parts = [
            times(w["head"], states[places.head[x]]),
            times(w["parent"], states[places.parent_head[x]]),
            times(w["first"], states[first]),
            times(w["last"], states[last]),
            w["label"][places.label[x]],
            w["parent_label"][places.parent_label[x]],
            w["is_head"][places.is_head[x]],
            [a * length / 10 + b * math.log(length) for a, b in zip(small, large, strict=True)],
            w["bias"],
        ]
        found.append(layer(parts, w["out"], w["out_bias"][0]))
    return found


def naive_drops(network: PriceNetwork, places: Places, states: list[Row]) -> Row:
    w = {name: array.tolist() for name, array in network.arrays.items()}
    prices = []
    for x, own in enumerate(naive_nodes(network, "node", places, states)):
        first, last = int(places.first[x]), int(places.last[x])
        tokens = [times(w["token"], states[i])[0] + w["token_bias"][0] for i in range(first, last)]
        tokens.append(times(w["token"], states[last])[0] + w["token_bias"][0])
        prices.append(own + math.fsum(tokens))
    return prices


def naive_gaps(network: PriceNetwork, places: Places, states: list[Row]) -> Row:
    w = {name: array.tolist() for name, array in network.arrays.items()}
    prices = []
    for gap in range(len(places.gap_kind)):
        parts = [
            times(w["gap_left"], states[places.gap_left[gap]]),
            times(w["gap_right"], states[places.gap_right[gap]]),
            w["gap_left_label"][places.gap_left_label[gap]],
            w["gap_right_label"][places.gap_right_label[gap]],
            w["gap_label"][places.gap_label[gap]],
            w["gap_kind"][places.gap_kind[gap]],
            w["gap_bias"],
        ]
        prices.append(layer(parts, w["gap_out"], w["gap_out_bias"][0]))
    return prices


@quick
@given(tree=trees(), seed=st.integers(0, 9))
def test_prices_equal_their_twin(tree: Tree, seed: int) -> None:
    network, places = random_network(seed), places_of(tree)
    codes, states = random_states(len(tree.words()) + 2, seed)
    found = network.prices(places, network.see(codes))
    assert found.drops is not None
    assert (found.drops.dtype, found.gaps.dtype) == (np.float64, np.float64)
    expected = naive_drops(network, places, states)
    assert found.drops.tolist() == pytest.approx(expected, abs=1e-4)
    expected = naive_gaps(network, places, states)
    assert found.gaps.tolist() == pytest.approx(expected, abs=1e-4)
    regrets = network.regrets(places, network.see(codes))
    assert regrets is not None
    assert regrets.dtype == np.float64
    expected = naive_nodes(network, "regret", places, states)
    assert regrets.tolist() == pytest.approx(expected, abs=1e-4)


def naive_seams(
    network: PriceNetwork, layer_name: str, labels: list[int], states: list[Row]
) -> dict[Pair, float]:
    own = {name: array for name, array in network.arrays.items() if name.startswith(layer_name)}
    w = {name.removeprefix(f"{layer_name}_"): array.tolist() for name, array in own.items()}
    labels = [1, *labels, 2]
    scores = {}
    for i, j in combinations(range(len(labels)), 2):
        row = sum(j - i >= first for first in (2, 3, 4, 5, 6, 7, 10, 15, 23))
        parts = [
            times(w["left"], states[i]),
            times(w["right"], states[j]),
            w["left_label"][labels[i]],
            w["right_label"][labels[j]],
            w["distance"][row],
            w["bias"],
        ]
        scores[i, j] = layer(parts, w["out"], w["out_bias"][0])
    return scores


@quick
@given(labels=st.lists(st.integers(0, 6), min_size=1, max_size=30), seed=st.integers(0, 9))
@pytest.mark.parametrize("name", [SEAM, SURPRISE, CLASH])
def test_what_is_said_of_neighbours_equals_its_twin(
    name: str, labels: list[int], seed: int
) -> None:
    network = random_network(seed)
    codes, states = random_states(len(labels) + 2, seed)
    found = network.neighbours(name, np.array(labels, dtype=np.int32), network.see(codes))
    assert found is not None
    for pair, score in naive_seams(network, name, labels, states).items():
        assert found[pair] == pytest.approx(score, abs=1e-4)


def test_a_network_need_not_score_neighbours() -> None:
    tree = TREES[0]
    for layers in ({}, {SEAM: 2}, {SURPRISE: 2}, {CLASH: 3}, {SEAM: 2, SURPRISE: 5, CLASH: 4}):
        prices = prices_of(random_pruning(seams=layers), tree)
        known = ((SEAM, prices.seams), (SURPRISE, prices.surprises), (CLASH, prices.clashes))
        for name, found in known:
            assert (found is not None) == (name in layers)
            assert found is None or found.shape == (len(tree.words()) + 2,) * 2


def test_a_network_need_not_know_what_readers_regret() -> None:
    tree = TREES[0]
    known, unknown = (prices_of(random_pruning(regret=width), tree) for width in (2, 0))
    assert known.regrets is not None
    assert len(known.regrets) == len(TreeTable(tree))
    assert unknown.regrets is None


@quick
@given(several=st.lists(trees(), min_size=1, max_size=6))
def test_sentences_read_at_once_have_the_same_prices(several: list[Tree]) -> None:
    pruning = random_pruning()
    for tree, bound in zip(
        several, pruning.ready([TreeTable(tree) for tree in several]), strict=True
    ):
        alone, together = prices_of(pruning, tree), prices_of(bound, tree)
        assert together.gaps.tolist() == alone.gaps.tolist()
        assert alone.seams is not None and together.seams is not None
        assert together.seams.tolist() == alone.seams.tolist()
        assert alone.drops is not None and together.drops is not None
        assert together.drops.tolist() == alone.drops.tolist()


def test_a_transducer_made_ready_gives_the_same_forests() -> None:
    transducer = Pruner(Grammar.from_counts({}), FREE, random_pruning())
    assert transducer.ready([]) == []
    for tree, bound in zip(
        TREES, transducer.ready([TreeTable(tree) for tree in TREES]), strict=True
    ):
        alone, together = transducer.forest(tree), bound.forest(tree)
        assert (alone.forest.head == together.forest.head).all()
        assert alone.weights.tolist() == together.weights.tolist()


def test_other_prunings_need_no_reading() -> None:
    transducer = Pruner(Grammar.from_counts({}), FREE)
    assert transducer.ready([TreeTable(tree) for tree in TREES]) == [transducer] * len(TREES)


def test_unknown_labels_and_words_have_prices() -> None:
    pruning = random_pruning()
    known, strange, stranger = (
        parse_tree(f"(S ({label} (N {word}) (N is)) (VP (N {word})))")
        for label, word in (("NP", "dog"), ("X", "Žižkov"), ("Y-1", "Žižkov"))
    )
    prices = [prices_of(pruning, tree) for tree in (known, strange, stranger)]
    for price in prices:
        assert price.drops is not None
        assert np.isfinite(price.drops).all() and np.isfinite(price.gaps).all()
    assert prices[0].gaps.tolist() != prices[1].gaps.tolist()
    assert prices[1].gaps.tolist() == prices[2].gaps.tolist()
