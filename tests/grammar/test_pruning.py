from __future__ import annotations

import json
import math

import pytest

from treewright.alignment import align_pair
from treewright.corpora import Pair
from treewright.grammar import Pruning, pruning_rule
from treewright.trees import parse_tree

KEPT = "(S (NP (DT the) (NN dog)) (VP (VBZ barks)))"
PAIRS = [
    align_pair(Pair(str(number), parse_tree(source), parse_tree(target)))
    for number, (source, target) in enumerate(
        [
            ("(S (ADVP (RB now)) (NP (DT the) (NN dog)) (VP (VBZ barks)))", KEPT),
            ("(S (ADVP (RB then)) (NP (DT the) (NN cat)) (VP (VBZ runs)))",) * 2,
            ("(S (NP (DT the) (JJ old) (NN dog)) (VP (VBZ barks)))", KEPT),
        ]
    )
]
PRUNING = Pruning.learn(PAIRS)


def test_children_of_kept_nodes_are_counted() -> None:
    assert PRUNING.seen["S", "ADVP", False] == 2
    assert PRUNING.dropped["S", "ADVP", False] == 1
    assert PRUNING.seen["NP", "DT", False] == 3
    assert PRUNING.dropped["NP", "DT", False] == 0
    assert ("ADVP", "RB", True) in PRUNING.seen  # the one that stayed
    assert PRUNING.seen["ADVP", "RB", True] == 1


def test_rates_are_drawn_to_those_of_the_label() -> None:
    node = parse_tree("(S (ADVP (RB now)) (NP (NN rain)) (VP (VBZ falls)))")
    total, gone = sum(PRUNING.seen.values()), sum(PRUNING.dropped.values())
    overall = (gone + 0.5) / (total + 1.0)
    prior = (1 + 5 * overall) / (2 + 5)
    rate = (1 + 5 * prior) / (2 + 5)
    keep, drop = PRUNING.weights(node)[:2]
    assert math.exp(drop) == pytest.approx(rate)
    assert math.exp(keep) == pytest.approx(1 - rate)


def test_nothing_is_impossible() -> None:
    node = parse_tree("(X (Y y) (Z z))")
    for empty in (Pruning({}, {}), PRUNING):
        weights = empty.weights(node)
        assert len(weights) == 4
        assert all(-math.inf < weight < 0 for weight in weights)


def test_what_is_rarely_dropped_is_dear_to_drop() -> None:
    node = parse_tree("(NP (DT the) (JJ old) (NN dog))")
    determiner, adjective, noun = PRUNING.weights(node)[1::2]
    assert adjective > determiner
    assert adjective > noun


def test_it_survives_its_file() -> None:
    again = Pruning.from_dict(json.loads(json.dumps(PRUNING.as_dict())))
    for pair in PAIRS:
        for node in pair.source.nodes():
            if node.children:
                assert again.weights(node) == PRUNING.weights(node)


def test_impossible_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="3 of 2 children dropped under S"):
        Pruning.from_dict({"children": [["S", "NP", True, 2, 3]]})


def test_pruning_rules_link_what_they_keep() -> None:
    rule = pruning_rule("NP", ("DT", "JJ", "NN"), [True, False, True])
    assert str(rule) == "NP/NP -> (NP DT[1] JJ[ε] NN[2]) / (NP DT[1] NN[2])"
