"""Versions of one sentence, against the list of all derivations."""

from __future__ import annotations

import math
from collections.abc import Collection

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from treewright.compression import Drop, Keep, Limit
from treewright.compression.candidates import Prunings, Unchanged, _within, has_words
from treewright.compression.finding import find_prunings
from treewright.compression.limits import UNLIMITED
from treewright.compression.models import AnyModel
from treewright.compression.searching import BONUS, FILLING, NO_LIMIT, TRUST
from treewright.corpora import is_word
from treewright.errors import DataError
from treewright.forest import derivation_count
from treewright.pruning.guards import JOINED, LOOSE, STRICT, WEIGHED
from treewright.text import Sentence, cut, tokenize
from treewright.transduction import Target, TargetForest
from treewright.trees import Tree, parse_tree

from ..grammar.strategies import trees
from ..profiles import examples
from ..pruning.deletion.toys import toy_model
from ..text.strategies import cuttings
from .stages import at_once
from .test_explaining import DOG, outcomes, pruning_model, sentence_of
from .toys import LONG, MIDDLE, closed

brief = examples(30)
MOST = 400
LIMITS = [
    UNLIMITED,
    Limit(rate=0.5),
    Limit(max_chars=9),
    Limit(max_tokens=4),
    Limit(max_tokens=4, tokenizer=lambda text: math.ceil(len(text) / 3)),
]
KINDS = ["unlimited", "rate", "characters", "tokens", "thirds"]
NOT = parse_tree("(S (NP (PRP He)) (VP (VBD did) (RB not) (VP (VB pay) (NP (PRP us)))) (. .))")


def prunings(
    model: AnyModel,
    tree: Tree,
    limit: Limit = UNLIMITED,
    keeps: Collection[str] = (),
    drops: Collection[str] = (),
    *,
    grammar: int = LOOSE,
) -> Prunings:
    work = find_prunings(
        model.engine().forest(tree),
        sentence_of(tree),
        tree,
        keeps=[Keep.parse(keep) for keep in keeps],
        drops=[Drop.parse(drop) for drop in drops],
        limit=limit,
        agree=model.has_probabilities,
        grammar=grammar,
    )
    return at_once(work)


def costs_of(versions: Prunings) -> list[int]:
    return np.flatnonzero(np.isfinite(versions.scores)).tolist()


def check_scores(versions: Prunings) -> None:
    """Raise unless every cost has the score of its best version, and versions are read well."""
    limit, sentence = versions.limit, versions.sentence
    costs = limit.costs(sentence)
    forest, found = versions.forest, outcomes(versions.forest)
    is_a_word = np.array([is_word(word) for word in sentence.words])
    chance = np.zeros(len(costs))
    if isinstance(forest, TargetForest):
        governors = forest.source.governors
        for each in found:
            paired = [i for i in each.kept if governors[i] in each.kept]
            chance[paired] += math.exp(each.score)
        chance /= math.fsum(math.exp(each.score) for each in found)
    best: dict[int, float] = {}
    for each in found:
        words = [i for i in each.kept if is_a_word[i]]
        if isinstance(forest, TargetForest):
            paired = [i for i in words if governors[i] in each.kept]
            aim = TRUST * each.score + chance[paired].sum()
            aim -= (FILLING if limit.is_given else NO_LIMIT) * len(words)
        else:
            aim = each.score + (BONUS * len(words) if limit.is_given else 0.0)
        cost = int(costs[list(each.kept)].sum())
        if cost or limit.unit != "words":
            best[cost] = max(aim, best.get(cost, -math.inf))
    assert {n: s for n, s in enumerate(versions.scores) if s > -math.inf} == pytest.approx(best)
    for cost in best:
        check_version(versions, cost)


def check_version(versions: Prunings, cost: int) -> None:
    version = versions.version(cost)
    target = version.target
    assert target is not None
    assert versions.limit.costs(versions.sentence)[list(target.positions)].sum() == cost
    assert version.score == pytest.approx(target.score - versions._total)
    words = [i for i in target.positions if is_word(versions.sentence.words[i])]
    if words:
        assert [i for i in version.kept if is_word(versions.sentence.words[i])] == words
        assert version.tree is not None
        assert version.tree.words() == tuple(versions.sentence.words[i] for i in version.kept)
    assert (version.source, version.sentence) == (versions.tree, versions.sentence)
    assert (version.met, version.error, version.alternatives) == (True, None, ())


@pytest.mark.parametrize("limit", LIMITS, ids=KINDS)
@pytest.mark.parametrize("seed", [None, 0, 1])
def test_every_cost_has_its_best_version(seed: int | None, limit: Limit) -> None:
    model = pruning_model() if seed is None else toy_model(seed)
    for tree in (DOG, LONG, NOT):
        check_scores(prunings(model, tree, limit))


@brief
@given(trees(), st.sampled_from(LIMITS), st.sampled_from([pruning_model(), toy_model(2)]))
def test_every_cost_has_its_best_version_in_any_tree(
    tree: Tree, limit: Limit, model: AnyModel
) -> None:
    assume(has_words(sentence_of(tree)))
    assume(derivation_count(model.engine().forest(tree).forest) <= MOST)
    check_scores(prunings(model, tree, limit))


def test_words_limits_leave_a_word() -> None:
    tree = parse_tree("(S (, ,) (NN dog) (. .) (, ,))")
    for limit in (UNLIMITED, Limit(max_words=1), Limit(rate=0.5)):
        assert costs_of(prunings(pruning_model(), tree, limit)) == [1]


@pytest.mark.parametrize("limit", LIMITS, ids=KINDS)
@pytest.mark.parametrize("model", [pruning_model(), toy_model(4)])
def test_what_is_demanded_is_in_every_version(model: AnyModel, limit: Limit) -> None:
    versions = prunings(model, LONG, limit, ["dog", "/l[ou]+d/", "word:."])
    assert versions.demanded == {2, 4, 5}
    for cost in costs_of(versions):
        assert versions.demanded <= set(versions.version(cost).kept)
    for version in versions.alternatives(versions.version(costs_of(versions)[0]), 5, None):
        assert versions.demanded <= set(version.kept)


@pytest.mark.parametrize("limit", LIMITS, ids=KINDS)
@pytest.mark.parametrize("model", [pruning_model(), toy_model(4)])
def test_what_is_barred_is_in_no_version(model: AnyModel, limit: Limit) -> None:
    versions = prunings(model, LONG, limit, ["dog"], ["big", "@18-24"])
    assert (versions.demanded, versions.barred) == ({2}, {1, 4})
    for cost in costs_of(versions):
        assert versions.barred.isdisjoint(versions.version(cost).kept)
    for version in versions.alternatives(versions.version(costs_of(versions)[0]), 5, None):
        assert versions.barred.isdisjoint(version.kept)
    whole = versions.whole()
    assert whole is not None
    assert whole.kept == (0, 2, 3, 5)


@brief
@given(trees(), st.sampled_from(LIMITS), st.data())
def test_what_is_barred_leaves_the_best_of_the_others(
    tree: Tree, limit: Limit, data: st.DataObject
) -> None:
    """The versions without the barred tokens, by brute force over all admissible ones."""
    sentence = sentence_of(tree)
    assume(has_words(sentence))
    assume(derivation_count(pruning_model().engine().forest(tree).forest) <= MOST)
    token = data.draw(st.sampled_from(sentence.tokens))
    place = sentence.tokens.index(token)
    free = prunings(pruning_model(), tree, limit)
    tight = prunings(pruning_model(), tree, limit, drops=[f"@{token.start}-{token.end}"])
    assert tight.barred == {place}
    expected = sorted((o.kept, o.score) for o in outcomes(free.forest) if place not in o.kept)
    found = sorted((o.kept, o.score) for o in outcomes(tight.forest))
    assert [kept for kept, _ in found] == [kept for kept, _ in expected]
    assert [score for _, score in found] == pytest.approx([score for _, score in expected])
    if tight.is_possible:
        check_scores(tight)


def test_what_is_demanded_cannot_be_barred() -> None:
    with pytest.raises(DataError, match="'big dog' is both to be kept and to be dropped"):
        prunings(pruning_model(), LONG, keeps=["big dog"], drops=["/o|i/"])


@pytest.mark.parametrize("model", [pruning_model(), toy_model(4)])
def test_no_version_of_a_denial_lacks_it(model: AnyModel) -> None:
    versions = prunings(model, NOT, Limit(max_words=3))
    found = [versions.version(cost).kept for cost in costs_of(versions)]
    assert any(3 in kept for kept in found)
    assert all(2 in kept for kept in found if 3 in kept)


def test_probabilities_of_all_versions_sum_to_one() -> None:
    versions = prunings(pruning_model(), NOT, keeps=["us"])
    found = outcomes(versions.forest)
    assert math.fsum(math.exp(each.score - versions._total) for each in found) == pytest.approx(1.0)


@pytest.mark.parametrize("grammar", [STRICT, WEIGHED, JOINED, LOOSE])
@pytest.mark.parametrize(
    ("model", "tree"),
    [(pruning_model(), LONG), (toy_model(5), LONG), (pruning_model(), DOG), (closed(), MIDDLE)],
)
def test_the_whole_is_a_version_where_it_is_one(model: AnyModel, tree: Tree, grammar: int) -> None:
    whole = prunings(model, tree, grammar=grammar).whole()
    assert whole is not None
    assert whole.text == " ".join(tree.words())
    assert whole.kept == tuple(range(len(tree.words())))
    assert whole.target is not None
    assert whole.target.positions == whole.kept
    assert whole.tree == tree


def test_a_grammar_may_have_no_version_of_everything() -> None:
    versions = prunings(closed(), LONG)
    assert len(versions.scores) == 6
    assert max(costs_of(versions)) < 5
    assert versions.whole() is None


def test_demands_that_no_version_keeps_leave_none() -> None:
    assert prunings(closed(), LONG, keeps=["dog"]).is_possible
    assert not prunings(closed(), LONG, keeps=["the", "big"]).is_possible


def test_a_version_makes_its_derivation_when_asked() -> None:
    version = prunings(closed(), LONG, Limit(max_words=2)).version(3)
    assert isinstance(version.target, Target)
    assert version.target is version.target
    assert version.derivation == version.target.derivation
    assert version.rules
    assert all("ε" in rule for rule in version.rules)


def test_a_sentence_that_stays_has_one_version() -> None:
    text = "Go on. He  paid $5!"
    sentence = Sentence(text, tokenize(text)[3:])
    why = DataError("too long")
    for limit, cost in [(UNLIMITED, 3), (Limit(max_chars=1), 13), (Limit(max_tokens=1), 5)]:
        unchanged = Unchanged.of(sentence, limit, why)
        assert np.flatnonzero(np.isfinite(unchanged.scores)).tolist() == [cost]
        assert unchanged.scores[-1] == 0.0
        version = unchanged.version(cost)
        assert (version.text, version.spans) == ("He  paid $5!", ((7, 19),))
        assert version.kept == (0, 1, 2, 3, 4)
        assert (version.tree, version.source, version.target) == (None, None, None)
        assert (version.derivation, version.rules, version.score) == (None, (), 0.0)
        assert version.error is why
        assert unchanged.whole().as_dict() == version.as_dict()


@brief
@given(trees(), st.sampled_from(LIMITS), st.integers(1, 5))
def test_alternatives_are_other_texts_the_best_first(tree: Tree, limit: Limit, number: int) -> None:
    assume(has_words(sentence_of(tree)))
    versions = prunings(pruning_model(), tree, limit)
    chosen = versions.version(costs_of(versions)[0])
    room = limit.measure(chosen.text) + 2 if limit.is_given else None
    others = versions.alternatives(chosen, number, room)
    found = [chosen.text, *[other.text for other in others]]
    assert len(found) == len(set(found)) <= number + 1
    assert all(any(map(is_word, text)) for text in found)
    assert [other.score for other in others] == sorted((o.score for o in others), reverse=True)
    if room is not None:
        assert all(limit.measure(other.text) <= room for other in others)
    assert versions.alternatives(chosen, 0, room) == ()


def test_there_are_as_many_alternatives_as_there_are_texts() -> None:
    versions = prunings(pruning_model(), parse_tree("(S (A a) (B b))"))
    chosen = versions.version(2)
    assert {other.text for other in versions.alternatives(chosen, 9, None)} == {"a", "b"}
    twins = prunings(pruning_model(), parse_tree("(S (A a) (B a))"))
    assert [other.text for other in twins.alternatives(twins.version(2), 9, None)] == ["a"]


@brief
@given(cutting=cuttings())
def test_what_is_within_spans_is_what_was_cut_out(
    cutting: tuple[Sentence, list[int]],
) -> None:
    sentence, kept = cutting
    spans = cut(sentence, kept).spans
    assert _within(sentence, spans) == tuple(
        place
        for place, token in enumerate(sentence.tokens)
        if any(start <= token.start and token.end <= end for start, end in spans)
    )
