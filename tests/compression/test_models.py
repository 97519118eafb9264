from pathlib import Path

import pytest

from treewright.compression import Limit, Rewriter, load_model, score_model
from treewright.compression.tuning import grid_search
from treewright.corpora import count_words
from treewright.errors import DataError, ModelFileError, Problems, UsageError
from treewright.learning import Deletion
from treewright.modelfile import write_model
from treewright.pruning import Model, Pruner
from treewright.pruning.deletion import Deleted, DeletionModel
from treewright.trees import Tree

from .toys import SHORT, allowed, closed, sample_pairs, sample_sources

LEARNER = Deletion(bits=16, epochs=3)
DATA = LEARNER.prepare(sample_pairs("train"))
MODEL = LEARNER.fit_prepared(DATA).model_


def test_files_say_of_which_kind_they_are(tmp_path: Path) -> None:
    MODEL.save(tmp_path / "deletion")
    closed().save(tmp_path / "rules")
    assert isinstance(load_model(tmp_path / "deletion"), DeletionModel)
    assert isinstance(load_model(tmp_path / "rules"), Model)
    write_model(tmp_path / "other", kind="gibbs-checkpoint", parts={}, metadata={})
    message = "this is a checkpoint of train gibbs; a model of rules is needed"
    with pytest.raises(ModelFileError, match=message):
        load_model(tmp_path / "other")


def test_every_model_has_its_engine() -> None:
    assert MODEL.engine() is MODEL
    assert isinstance(closed().engine(), Pruner)


@pytest.mark.parametrize("decode", ["mbr", "mpt"])
def test_a_deletion_model_knows_no_probabilities(decode: str) -> None:
    with pytest.raises(UsageError, match=f"decode {decode} needs probabilities"):
        Rewriter(model=MODEL, decode=decode)


@pytest.mark.parametrize("rate", [0.3, 0.5, 0.8, 1.0])
def test_a_budget_shared_over_sentences_is_met_exactly(rate: float) -> None:
    rewriter = Rewriter(model=MODEL, limit=Limit(rate=rate))
    found = list(rewriter(sample_sources()))
    total = sum(count_words(r.best.tree) for r in found if r.best is not None)
    assert total == allowed(rate, sum(map(count_words, sample_sources())))


def test_caps_are_kept_and_words_remain() -> None:
    rewriter = Rewriter(model=MODEL, limit=Limit(max_words=2, per="sentence"))
    for rewriting in rewriter(sample_sources()):
        assert isinstance(rewriting.best, Deleted)
        assert rewriting.met
        assert 1 <= count_words(rewriting.best.tree) <= 2


def test_a_tree_without_words_is_reported() -> None:
    problems = Problems()
    found = list(Rewriter(model=MODEL)([Tree("S"), SHORT], problems=problems))
    assert [r.best is None for r in found] == [True, False]
    assert str(problems.errors[0]) == "tree 1: the tree has no words"
    with pytest.raises(DataError):
        list(Rewriter(model=MODEL)([Tree("S")]))


def test_it_is_scored_and_tuned_like_any_other() -> None:
    held_out = sample_pairs("test")[:5]
    decoded, matched = score_model(MODEL, held_out)
    assert matched.score("word_rate") == pytest.approx(matched.score("gold_word_rate"), abs=0.01)
    ranking = grid_search(LEARNER, {"cost": [LEARNER.cost, 1.0]}, DATA, held_out)
    [same] = [scored for scored in ranking if scored.settings["cost"] == LEARNER.cost]
    assert same.decoded.as_dict() == decoded.as_dict()
    assert (same.model.weights == MODEL.weights).all()
