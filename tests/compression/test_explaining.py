"""Deletions explained: probabilities and runners-up against the list of all versions."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from treewright.compression.candidates import Prunings, has_words
from treewright.compression.explaining import Deletion, explain
from treewright.compression.finding import find_prunings
from treewright.compression.fitting import fit
from treewright.compression.limits import UNLIMITED, Limit
from treewright.compression.models import AnyModel
from treewright.compression.result import Shortened
from treewright.compression.searching import BONUS, FILLING, NO_LIMIT, TRUST
from treewright.corpora import is_word
from treewright.forest import kbest
from treewright.grammar import FlatUnseen, Grammar, parse_rule
from treewright.pruning import Model, StepPruning
from treewright.pruning.deletion import DeletionForest
from treewright.pruning.guards import LOOSE
from treewright.text import Sentence, Token
from treewright.transduction import TargetForest
from treewright.trees import Tree, parse_tree

from ..grammar.strategies import quick, trees
from ..pruning.deletion.toys import toy_model
from .stages import at_once
from .toys import LONG, closed, sample_model

PRUNING = StepPruning(
    {
        ("frame0",): 0.4,
        ("frame4", "dropped"): 0.6,
        ("word0", "NN", "dog"): -2.0,
        ("word0", "VBZ", "barks"): -1.0,
        ("word0", "RB", "now"): 1.5,
        ("size0", "NP", "2"): 0.8,
    }
)
FREE = FlatUnseen({}, {}, (0.0, 0.0))
DOG = parse_tree(
    "(ROOT (S (NP (NP (DT the) (JJ old) (NN dog)) (PP (IN of) (NP (PRP us))))"
    " (VP (VBZ barks) (ADVP (RB now)))))"
)
LIMITS = [UNLIMITED, *[Limit(max_words=n) for n in (1, 2, 3, 5)], Limit(rate=0.6)]


def pruning_model() -> Model:
    return Model(Grammar.from_counts({}), FREE, {}, PRUNING)


def sentence_of(tree: Tree) -> Sentence:
    tokens: list[Token] = []
    start = 0
    for word in tree.words():
        tokens.append(Token(word, start, start + len(word)))
        start += len(word) + 1
    return Sentence(" ".join(tree.words()), tuple(tokens))


class Case(NamedTuple):
    """A sentence, what was chosen of it, and why."""

    candidates: Prunings
    chosen: Shortened
    room: int | None
    deletions: tuple[Deletion, ...]


def explained(model: AnyModel, tree: Tree, limit: Limit = UNLIMITED) -> Case:
    sentence, agree = sentence_of(tree), model.has_probabilities
    forest = model.engine().forest(tree)
    candidates = at_once(
        find_prunings(forest, sentence, tree, keeps=(), limit=limit, agree=agree, grammar=LOOSE)
    )
    [chosen] = fit(sentence.text, [candidates], limit).sentences
    room = limit.room([sentence]) if limit.is_given else None
    if room is not None and not chosen.met:
        room = limit.measure(chosen.text)
    return Case(candidates, chosen, room, explain(candidates, chosen, room))


class Outcome(NamedTuple):
    """A derivation: its score and the places of the tokens it keeps."""

    score: float
    kept: tuple[int, ...]


def outcomes(forest: TargetForest | DeletionForest) -> list[Outcome]:
    found = []
    for score, derivation in kbest(forest.forest, forest.weights):
        target = forest.target(derivation)
        assert target is not None
        found.append(Outcome(score, target.positions))
    return found


def within(case: Case, found: Sequence[Outcome], deletion: Deletion) -> list[Outcome]:
    """Those that keep something of what is deleted, of a fair length."""
    words = case.candidates.sentence.words
    return [
        each
        for each in found
        if not set(each.kept).isdisjoint(deletion.tokens)
        and (case.room is None or sum(is_word(words[i]) for i in each.kept) <= case.room)
    ]


def check_tokens(case: Case) -> None:
    """Raise unless the deletions are what is gone, but for what tidying did, each token once."""
    places = [place for deletion in case.deletions for place in deletion.tokens]
    assert places == sorted(set(places))
    target = case.chosen.target
    assert target is not None
    everything = range(len(case.candidates.sentence.tokens))
    kept = {*target.positions, *case.chosen.kept}
    assert places == [place for place in everything if place not in kept]
    text, tokens = case.candidates.sentence.text, case.candidates.sentence.tokens
    for deletion in case.deletions:
        first, last = tokens[deletion.tokens[0]], tokens[deletion.tokens[-1]]
        assert deletion.text == text[first.start : last.end]


@pytest.mark.parametrize("limit", LIMITS, ids=str)
@pytest.mark.parametrize(
    ("make", "tree"), [(pruning_model, DOG), (closed, LONG), (sample_model, DOG)]
)
def test_probabilities_are_shares_of_all_versions(
    make: Callable[[], Model], tree: Tree, limit: Limit
) -> None:
    case = explained(make(), tree, limit)
    check_tokens(case)
    found = outcomes(case.candidates.forest)
    total = math.fsum(math.exp(each.score) for each in found)
    assert case.deletions or limit is UNLIMITED
    for deletion in case.deletions:
        without = [each for each in found if set(each.kept).isdisjoint(deletion.tokens)]
        share = math.fsum(math.exp(each.score) for each in without) / total
        assert deletion.probability == pytest.approx(share, abs=1e-9)


@pytest.mark.parametrize("limit", LIMITS, ids=str)
def test_a_runner_up_is_of_least_risk_among_those_that_keep_something(limit: Limit) -> None:
    case = explained(pruning_model(), DOG, limit)
    forest = case.candidates.forest
    assert isinstance(forest, TargetForest)
    governors, price = forest.source.governors, (FILLING if limit.is_given else NO_LIMIT)

    def pairs(each: Outcome) -> list[int]:
        return [i for i in each.kept if governors[i] in each.kept]

    assert case.deletions
    for deletion in case.deletions:
        rivals = [o for o in outcomes(forest) if not set(o.kept).isdisjoint(deletion.tokens)]
        chance = np.zeros(len(governors))
        for each in rivals:
            chance[pairs(each)] += math.exp(each.score)
        chance /= math.fsum(math.exp(each.score) for each in rivals)

        def aim(each: Outcome, chance: np.ndarray = chance) -> float:
            words = price * len(each.kept)
            return TRUST * each.score + float(chance[pairs(each)].sum()) - words

        best = max(within(case, rivals, deletion), key=aim)
        assert deletion.runner_up is not None
        assert deletion.runner_up.kept == best.kept
        assert deletion.margin == pytest.approx(case.chosen.score - deletion.runner_up.score)


@pytest.mark.parametrize("limit", LIMITS, ids=str)
@pytest.mark.parametrize("seed", range(4))
def test_a_model_without_rules_drops_runs_of_tokens(seed: int, limit: Limit) -> None:
    case = explained(toy_model(seed), DOG, limit)
    check_tokens(case)
    bonus = BONUS if limit.is_given else 0.0
    found = outcomes(case.candidates.forest)
    for deletion in case.deletions:
        first, last = deletion.tokens[0], deletion.tokens[-1]
        assert deletion.tokens == tuple(range(first, last + 1))
        assert (deletion.rule, deletion.probability) == (None, None)
        best = max(
            (each.score + bonus * len(each.kept) for each in within(case, found, deletion)),
            default=None,
        )
        runner_up = deletion.runner_up
        if best is None:
            assert runner_up is None
        else:
            assert runner_up is not None
            assert runner_up.score + bonus * len(runner_up.kept) == pytest.approx(best)


def test_the_score_of_a_run_is_that_of_its_arc() -> None:
    model = toy_model(0)
    case = explained(model, DOG, Limit(max_words=3))
    positions = [0, *[place + 1 for place in case.chosen.kept], len(DOG.words()) + 1]
    forest = model.forest(DOG).forest
    weights = model.forest(DOG).weights
    steps = sum(
        weights[forest.node_ptr[behind] + before]
        for before, behind in pairwise(positions)
        if behind == before + 1
    )
    arcs = sum(deletion.score for deletion in case.deletions)
    assert arcs + steps == pytest.approx(case.chosen.score)


def test_a_run_is_named_after_the_constituents_in_it() -> None:
    tree = parse_tree("(S (NP (DT the) (NN dog)) (, ,) (ADVP (RB now)) (, ,) (VP (VBZ barks)))")
    found = {}
    for seed in range(30):
        for limit in LIMITS:
            for deletion in explained(toy_model(seed), tree, limit).deletions:
                found[deletion.tokens] = deletion.label
    assert found[0, 1] == "NP"
    assert found[1, 2, 3] == "NN ADVP"
    assert found[3, 4] == "ADVP"
    assert found[2,] == ","


def test_marks_go_with_the_constituent_beside_them() -> None:
    tree = parse_tree(
        "(S (NP (NP (DT the) (NN dog)) (, ,) (SBAR (WHNP (WP who)) (S (VP (VBZ sleeps)))) (, ,))"
        " (VP (VBZ barks)) (. .))"
    )
    likely = {("frame0",): -4.0}
    gaps = [(",", "kept"), ("SBAR", "dropped"), (",", "dropped")]
    likely |= {("frame5", label, before): 8.0 for label, before in gaps}
    model = Model(Grammar.from_counts({}), FREE, {}, StepPruning(likely))
    [deletion] = explained(model, tree).deletions
    assert deletion.text == ", who sleeps ,"
    assert (deletion.tokens, deletion.label) == ((2, 3, 4, 5), "SBAR")
    assert deletion.rule == "NP/NP -> (NP NP[1] ,[ε] SBAR[ε] ,[ε]) / (NP NP[1])"


def test_words_in_a_rule_are_dropped_by_it() -> None:
    rules = [
        "S/S -> (S (ADVP (RB now)) NP[1] VP[2]) / (S NP[1] VP[2])",
        "NP/NP -> (NP NN[1]) / (NP NN[1])",
        "NN/NN -> (NN dog) / (NN dog)",
        "VP/VP -> (VP VBZ[1]) / (VP VBZ[1])",
        "VBZ/VBZ -> (VBZ barks) / (VBZ barks)",
    ]
    weights = np.array([-1.0, -0.5, -0.2, -0.1, 0.0])
    grammar = Grammar(tuple(map(parse_rule, rules)), weights, np.ones(5))
    tree = parse_tree("(S (ADVP (RB now)) (NP (NN dog)) (VP (VBZ barks)))")
    [deletion] = explained(Model(grammar, None, {}), tree).deletions
    assert deletion == Deletion((0,), "now", "ADVP", rules[0], -1.0, 1.0, None, None)


def test_a_mark_that_tidying_brings_back_is_not_deleted() -> None:
    tree = parse_tree("(S (NP (DT the) (NN dog)) (VP (VBZ barks) (ADVP (RB now)) (. .)))")
    case = explained(toy_model(8), tree, Limit(max_words=2))
    assert case.chosen.target is not None
    assert 4 not in case.chosen.target.positions
    assert 4 in case.chosen.kept
    assert all(4 not in deletion.tokens for deletion in case.deletions)


limits = st.one_of(
    st.just(UNLIMITED),
    st.builds(lambda n: Limit(max_words=n), st.integers(1, 6)),
    st.builds(lambda n: Limit(max_chars=n), st.integers(1, 20)),
    st.builds(lambda n: Limit(max_tokens=n), st.integers(1, 6)),
)


@quick
@given(trees(), limits, st.sampled_from([pruning_model(), toy_model(1)]))
def test_explanations_hold_together(tree: Tree, limit: Limit, model: AnyModel) -> None:
    assume(has_words(sentence_of(tree)))
    case = explained(model, tree, limit)
    check_tokens(case)
    for deletion in case.deletions:
        assert math.isfinite(deletion.score)
        assert deletion.probability is None or 0.0 <= deletion.probability <= 1.0
        rival = deletion.runner_up
        if rival is not None:
            assert not set(rival.kept).isdisjoint(deletion.tokens)
            assert case.room is None or limit.measure(rival.text) <= case.room
        values = deletion.as_dict()
        assert json.loads(json.dumps(values, allow_nan=False)) == values
