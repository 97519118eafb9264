from dataclasses import replace

import pytest

from treewright.compression import Limit, Rewriter, score_model
from treewright.compression.tuning import Scored, grid_search, score_models
from treewright.corpora import Pair
from treewright.errors import UsageError
from treewright.evaluation import evaluate
from treewright.learning import EM, VB, Gibbs
from treewright.learning.gibbs import PackedPairs, Spread

from .toys import LONG, SHORT, closed, sample_data, sample_model, sample_pairs

GRID = {"kappa": [1.0, 100.0], "alpha": [1.0, 1.5]}
HELD_OUT = sample_pairs("test")[:5]


def search(jobs: int) -> list[Scored]:
    learner = EM(iterations=2)
    return grid_search(learner, GRID, sample_data(), HELD_OUT, target=0, jobs=jobs)


def test_a_model_is_scored_as_decoded_and_at_the_gold_rate() -> None:
    decoded, matched = score_model(sample_model(), HELD_OUT, target=0)
    assert (decoded.name, matched.name) == ("as decoded", "at the gold rate")
    assert "|target:0|" in decoded.signature
    assert decoded.signature == matched.signature
    assert matched.score("word_rate") == pytest.approx(matched.score("gold_word_rate"), abs=0.01)
    outputs = Rewriter(model=sample_model())(pair.source for pair in HELD_OUT)
    again = evaluate((r.best and r.best.tree for r in outputs), HELD_OUT, target=0)
    assert again.as_dict() == {**decoded.as_dict(), "name": "system"}
    assert "|target:?|" in score_model(sample_model(), HELD_OUT)[0].signature


def test_the_gold_rate_is_shared_over_all_sentences() -> None:
    _, matched = score_model(sample_model(), HELD_OUT)
    budget = Limit(rate=matched.score("gold_word_rate"))
    outputs = list(Rewriter(model=sample_model(), limit=budget)(p.source for p in HELD_OUT))
    again = evaluate((r.best and r.best.tree for r in outputs), HELD_OUT)
    assert again.as_dict() == {**matched.as_dict(), "name": "system"}


def test_targets_longer_than_their_sources_are_no_obstacle() -> None:
    _, matched = score_model(closed(), [Pair("1", SHORT, LONG)])
    assert matched.score("word_rate") == 1.0


def test_every_point_is_trained_and_ranked_by_the_matched_score() -> None:
    ranking = search(1)
    assert sorted(tuple(s.settings.values()) for s in ranking) == [
        (1.0, 1.0),
        (1.0, 1.5),
        (100.0, 1.0),
        (100.0, 1.5),
    ]
    scores = [scored.matched.score("relation_f1") for scored in ranking]
    assert scores == sorted(scores, reverse=True)
    for scored in ranking:
        fresh = replace(EM(iterations=2), **scored.settings).fit_prepared(sample_data()).model_
        assert scored.model.metadata == fresh.metadata
        assert scored.model.grammar.weights.tolist() == fresh.grammar.weights.tolist()
        decoded, matched = score_model(fresh, HELD_OUT, target=0)
        assert scored.decoded.as_dict() == decoded.as_dict()
        assert scored.matched.as_dict() == matched.as_dict()


def test_processes_give_what_one_process_gives() -> None:
    for one, two in zip(search(1), search(2), strict=True):
        assert one.settings == two.settings
        assert one.model.metadata == two.model.metadata
        assert one.model.grammar.rules == two.model.grammar.rules
        assert one.model.grammar.weights.tolist() == two.model.grammar.weights.tolist()
        assert one.decoded.as_dict() == two.decoded.as_dict()
        assert one.matched.as_dict() == two.matched.as_dict()


def test_a_grid_value_out_of_range_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="beta must lie between 0 and 1, found 2"):
        grid_search(VB(iterations=1), {"beta": [2.0]}, sample_data(), HELD_OUT)


def test_several_models_are_scored_like_one() -> None:
    models = [sample_model(), EM(iterations=1).fit_prepared(sample_data()).model_]
    alone = [score_model(model, HELD_OUT, target=0) for model in models]
    for jobs in (1, 2):
        found = score_models(models, HELD_OUT, target=0, jobs=jobs)
        for scores, expected in zip(found, alone, strict=True):
            assert [s.as_dict() for s in scores] == [s.as_dict() for s in expected]
    assert score_models([], HELD_OUT) == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_chains_of_a_point_are_averaged(jobs: int) -> None:
    learner = Gibbs(iterations=10, seed=3)
    packed = PackedPairs.pack(sample_pairs("train")[:30])
    grid = {"alpha": [1.0, 100.0], "beta": [0.1, 0.5]}
    ranking = grid_search(learner, grid, packed, HELD_OUT, chains=2, jobs=jobs)
    assert len(ranking) == 4
    means = [scored.spread("relation_f1", matched=True).mean for scored in ranking]
    assert means == sorted(means, reverse=True)
    best = ranking[0]
    chains = [replace(learner, **best.settings, seed=seed).fit_prepared(packed) for seed in (3, 4)]
    joints = [chain.log_joint_ for chain in chains]
    assert best.model.metadata["objective"] == max(joints)
    assert [model.metadata["objective"] for model in best.models] == joints
    scores = [score_model(chain.model_, HELD_OUT) for chain in chains]
    assert best.decoded.as_dict() == scores[joints.index(max(joints))][0].as_dict()
    f1 = [matched.score("relation_f1") for _, matched in scores]
    assert best.spread("relation_f1", matched=True) == Spread.of(f1)
    rates = [decoded.score("word_rate") for decoded, _ in scores]
    assert best.spread("word_rate", matched=False) == Spread.of(rates)


def test_one_chain_has_no_spread() -> None:
    for scored in search(1):
        found = scored.spread("relation_f1", matched=True)
        assert found == Spread(scored.matched.score("relation_f1"), None)
