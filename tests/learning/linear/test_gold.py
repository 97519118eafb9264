"""Gold derivations, against the list of all derivations."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from treewright.alignment import align_pair
from treewright.corpora import Pair
from treewright.errors import DataError, Problems
from treewright.forest import derivation_count, kbest
from treewright.learning.linear import CRF, ExampleSet
from treewright.learning.linear.examples import (
    Example,
    count_hits,
    count_places,
    greatest_counts,
)
from treewright.learning.linear.gold import allowed_edges
from treewright.learning.margin.losses import LOSSES
from treewright.trees import Tree, parse_tree

from ..toys import PAIRS
from .toys import EVERYTHING, MODES, Listed, listed, prepare, prepared, target_forest

each_mode = pytest.mark.parametrize("mode", MODES)


def everything(mode: str) -> list[tuple[ExampleSet, Pair, Example, list[Listed]]]:
    data = prepared(mode)
    return [
        (data, pair, example, listed(data, example, pair, mode))
        for pair, example in zip(PAIRS, data.examples, strict=True)
    ]


@each_mode
def test_allowed_edges_keep_the_gold_tokens_and_no_others(mode: str) -> None:
    rng = np.random.default_rng(0)
    for _, pair, example, derivations in everything(mode):
        size = len(pair.source.words())
        kept = {derivations[k].positions for k in rng.integers(0, len(derivations), 4)}
        for positions in [*kept, [i for i, _ in pair.alignment or ()], [0]]:
            gold = np.isin(np.arange(size), positions)
            allowed = allowed_edges(example.source.tokens, example.source.forest.num_edges, gold)
            for one in derivations:
                inside = allowed[list(one.derivation.edges())].all()
                assert inside == (sorted(one.positions) == np.flatnonzero(gold).tolist())


@pytest.mark.parametrize("mode", ["rules", "rules and open"])
def test_a_new_word_is_never_a_gold_token(mode: str) -> None:
    pair = Pair(
        "case",
        parse_tree("(S (NP (DT the) (NN Rain)) (VB falls))"),
        parse_tree("(S (NP (NN rain)) (VB falls))"),
        ((1, 0), (2, 1)),
    )
    data = prepare(mode, [pair])
    [example] = data.examples
    derivations = listed(data, example, pair, mode)
    words = pair.source.words()

    def keeps_words(one: Listed) -> bool:
        return one.words == tuple([words[i] for i in one.positions])

    assert not all(map(keeps_words, derivations))
    for gold in itertools.product([False, True], repeat=3):
        places = np.flatnonzero(gold).tolist()
        tokens, size = example.source.tokens, example.source.forest.num_edges
        allowed = allowed_edges(tokens, size, np.array(gold))
        for one in derivations:
            inside = allowed[list(one.derivation.edges())].all()
            assert inside == (sorted(one.positions) == places and keeps_words(one))


@each_mode
def test_targets_within_reach_are_reached(mode: str) -> None:
    data = prepared(mode)
    assert data.unreached == []
    for _, pair, example, derivations in everything(mode):
        assert example.allowed is not None
        [gold] = [one for one in derivations if one.derivation == example.gold]
        assert gold.words == pair.target.words() == example.target
        given = {one.words for one in derivations if is_allowed(example, one)}
        assert given == {pair.target.words()}


def is_allowed(example: Example, one: Listed) -> bool:
    assert example.allowed is not None
    return bool(example.allowed[list(one.derivation.edges())].all())


@each_mode
def test_gold_has_the_smallest_rules(mode: str) -> None:
    for _, _, example, derivations in everything(mode):

        def order(one: Listed, own: np.ndarray = example.source.own) -> tuple[int, int]:
            edges = list(one.derivation.edges())
            return -int(own[edges].sum()), len(edges) - int(own[edges].sum())

        allowed = [one for one in derivations if is_allowed(example, one)]
        [gold] = [one for one in allowed if one.derivation == example.gold]
        assert order(gold) == max(map(order, allowed))


@each_mode
@pytest.mark.parametrize("by_place", [False, True])
def test_what_edges_put_out_is_counted(mode: str, by_place: bool) -> None:
    for _, pair, example, derivations in everything(mode):
        size = len(pair.source.words())
        assert np.flatnonzero(example.places).tolist() == [i for i, _ in pair.alignment or ()]
        wanted: list[Any] = [example.target, ("rain", "now"), ("elsewhere",)]
        if by_place:
            wanted = [np.flatnonzero(example.places).tolist(), [0, 2], []]
        for target in wanted:
            if by_place:
                counts = count_places(example.source, np.isin(np.arange(size), target))
            else:
                counts = count_hits(example.source, target)
            totals = []
            for one in derivations:
                tokens = one.positions if by_place else one.words
                hits = sum(token in target for token in tokens)
                totals.append((hits, len(tokens) - hits))
                assert tuple(counts[list(one.derivation.edges())].sum(axis=0)) == totals[-1]
            most = (max(tp for tp, _ in totals), max(fp for _, fp in totals))
            assert greatest_counts(example.source.forest, counts) == most


# What rules seen in other pairs cannot do.
FAR = [
    ("(ROOT (S (NP (NN rain)) (VP (VBZ falls) (ADVP (RB now)))))", "(ROOT (S (VP (VBZ falls))))"),
    (
        "(ROOT (S (NP (PRP I)) (VP (VBP see) (SBAR (S (NP (NN rain)) (VP (VBZ falls)))))))",
        "(ROOT (S (NP (PRP I)) (VP (VBP see))))",
    ),
    ("(ROOT (S (ADVP (RB now)) (NP (NN rain)) (VP (VBZ falls))))", "(ROOT (S (ADVP (RB now))))"),
]


@pytest.mark.parametrize(("source", "target"), FAR)
def test_out_of_reach_the_nearest_derivation_is_gold(source: str, target: str) -> None:
    pair = align_pair(Pair("far", parse_tree(source), parse_tree(target)))
    data = prepare("rules", [*PAIRS, pair], min_rule_count=2)
    example = data.examples[-1]
    assert "far" in data.unreached
    assert example.allowed is None
    derivations = listed(data, example, pair, "rules")
    assert example.target not in {one.words for one in derivations}
    check_nearest(example, derivations)
    # It is learned from as the one derivation there is.
    assert derivation_count(example.gold_forest) == 1


def check_nearest(example: Example, derivations: list[Listed]) -> None:
    def loss(one: Listed) -> float:
        hits = sum(word in example.target for word in one.words)
        return float(LOSSES["f1"](hits, len(one.words) - hits, len(example.target)))

    [gold] = [one for one in derivations if one.derivation == example.gold]
    assert loss(gold) == pytest.approx(min(map(loss, derivations)))


def test_other_words_in_aligned_places_are_out_of_reach() -> None:
    source, target = parse_tree("(S (NN Rain) (VB falls))"), parse_tree("(S (NN rain) (VB falls))")
    pair = Pair("case", source, target, ((0, 0), (1, 1)))
    data = prepare("open", [pair])
    assert list(data.unreached) == ["case"]
    check_nearest(data.examples[0], listed(data, data.examples[0], pair, "open"))


def test_a_rule_that_changes_a_word_is_gold_where_the_target_has_it() -> None:
    source, target = parse_tree("(S (NN Rain) (VB falls))"), parse_tree("(S (NN rain) (VB falls))")
    pair = Pair("case", source, target, ((0, 0), (1, 1)))
    data = prepare("rules", [pair])
    [gold] = [
        one
        for one in listed(data, data.examples[0], pair, "rules")
        if one.derivation == data.examples[0].gold
    ]
    assert gold.words == ("rain", "falls")
    assert not data.unreached


def test_a_rule_that_changes_the_order_is_no_gold_where_the_order_is_kept() -> None:
    source = parse_tree("(S (NP (NN rain)) (VP (VB falls)))")
    turned = parse_tree("(S (VP (VB falls)) (NP (NN rain)))")
    pairs = [
        Pair("turned", source, turned, ((0, 1), (1, 0))),
        Pair("straight", source, source, ((0, 0), (1, 1))),
    ]
    data = prepare("rules", pairs)
    assert not data.unreached
    [_, straight] = data.examples
    assert straight.allowed is not None
    forest = target_forest(data, pairs[1], "rules")
    kept = [
        forest.target(derivation)
        for _, derivation in kbest(forest.forest, np.where(straight.allowed, 0.0, -np.inf))
    ]
    assert {tuple(target.tree.words()) for target in kept if target} == {("rain", "falls")}


EMPTY = Pair("empty", PAIRS[0].source, Tree("S"), ())
UNALIGNED = Pair("unaligned", PAIRS[0].source, PAIRS[0].target)


BEYOND = Pair("beyond", PAIRS[0].source, PAIRS[0].target, ((9, 0),))


@each_mode
@pytest.mark.parametrize(
    ("bad", "what"), [(EMPTY, "no words"), (UNALIGNED, "no word alignment"), (BEYOND, "9")]
)
def test_a_bad_pair_is_one_problem_and_the_rest_is_learned(mode: str, bad: Pair, what: str) -> None:
    learner = CRF(**MODES[mode], **EVERYTHING)
    problems = Problems()
    data = learner.prepare([bad, *PAIRS], problems=problems)
    [error] = problems.errors
    assert error.where == bad.id and what in error.message
    assert [example.id for example in data.examples] == [pair.id for pair in PAIRS]
    assert data.fingerprint == prepared(mode).fingerprint
    assert data.rows.num_features == prepared(mode).rows.num_features
    with pytest.raises(DataError, match=what):
        learner.prepare([bad, *PAIRS])


@each_mode
def test_nothing_to_learn_from_is_an_error(mode: str) -> None:
    for pairs in ([], [EMPTY]):
        with pytest.raises(DataError, match="at least one aligned pair"):
            CRF(**MODES[mode]).prepare(pairs, problems=Problems())
