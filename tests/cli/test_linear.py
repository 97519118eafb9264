"""`treewright train crf`, `svm` and `perceptron`, and their models in the other commands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from treewright.corpora import read_pairs
from treewright.data import sample_path
from treewright.grammar import parse_rule
from treewright.learning.linear.svm import METHODS
from treewright.modelfile import read_model
from treewright.pruning import Model

from .linear import LEARNERS, SHORT, SHORTER, SOURCE, TARGET, TRAIN, record, train, write
from .runner import fail, run, succeed


@pytest.fixture(scope="module", params=LEARNERS)
def trained(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a model of each learner."""
    path = tmp_path_factory.mktemp("model") / f"{request.param}.tw"
    arguments = [*SHORT[request.param], "--no-rules"]
    succeed("train", request.param, TRAIN, "--model", path, *arguments)
    return path


@pytest.mark.parametrize("learner", LEARNERS)
def test_training_writes_a_model(learner: str) -> None:
    found = train(learner)
    assert found.out == ""
    model = Model.load("m.tw")
    assert model.num_weights > 100
    about = model.metadata
    assert (about["learner"], about["pairs"], about["iterations"]) == (learner, 12, 3)
    assert len(model.grammar) == 0
    begin = f"m.tw: {model.num_weights} weights from 12 pairs, 3 "
    [line] = [line for line in found.err.splitlines() if line.startswith("m.tw: ")]
    assert line.startswith(begin)
    value = about["objective"]
    assert line.removeprefix(begin).startswith(
        {
            "crf": f"iterations, objective {value:.2f} (not converged: raise --iterations)",
            "svm": f"rounds, objective {-value:.4g}, gap {about.get('gap') or 0.0:.2g} (not conv",
            "perceptron": "rounds (mistakes are left)",
        }[learner]
    )
    first = Path("m.tw").read_bytes()
    train(learner, "--threads", "1")
    again = Model.load("m.tw")
    assert again.metadata["settings"]["threads"] == 1
    train(learner)
    assert Path("m.tw").read_bytes() == first


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_model_of_rules_says_how_many(learner: str) -> None:
    found = train(learner, "--rules")
    model = Model.load("m.tw")
    assert len(model.grammar) > 0
    begin = f"m.tw: {model.num_weights} weights and {len(model.grammar)} rules from 12 pairs, 3 "
    [line] = [line for line in found.err.splitlines() if line.startswith("m.tw: ")]
    assert line.startswith(begin)


@pytest.mark.parametrize("optimiser", METHODS)
def test_converged_training_says_nothing_of_what_to_raise(optimiser: str) -> None:
    arguments = ["train", "svm", TRAIN, "--model", "m.tw", "--optimiser", optimiser]
    found = succeed(*arguments, "--tolerance", "0.5")
    last = found.err.splitlines()[-1]
    assert "gap " in last
    assert "not converged" not in last
    # However short a run, it knows how far it has come.
    found = succeed(*arguments, "--tolerance", "1e-6", "--rounds", "1")
    about = Model.load("m.tw").metadata
    assert 0.0 < about["gap"] < -about["objective"]
    end = f" 1 rounds, objective {-about['objective']:.4g}, gap {about['gap']:.2g} "
    assert found.err.endswith(end + "(not converged: raise --rounds)\n")


def test_what_to_change_where_the_likelihood_is_still_steep() -> None:
    arguments = ["train", "crf", TRAIN, "--model", "m.tw", "--tolerance", "0.3"]
    assert succeed(*arguments).err.endswith(" (not converged: lower --tolerance)\n")
    found = succeed(*arguments, "--iterations", "1")
    assert ", 1 iterations, " in found.err
    assert found.err.endswith(" (not converged: raise --iterations)\n")


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_model_without_features_is_a_note(learner: str) -> None:
    note = "no feature is left, so nothing is learned: lower --min-count (now 1000000) or leave"
    found = train(learner, "--min-count", "1000000")
    assert found.err.startswith(note)
    assert "m.tw: 0 weights from 12 pairs" in found.err
    assert "no feature is left" not in train(learner).err


@pytest.mark.parametrize("learner", LEARNERS)
def test_settings_come_from_flags_and_config_files(learner: str) -> None:
    Path("c.toml").write_text('min_count = 4\nwithout = "words"\n[extraction]\nmin_count = 5\n')
    train(learner, "--config", "c.toml", "--rules", "--min-rule-count", "3")
    found = Model.load("m.tw").metadata["settings"]
    assert (found["min_count"], found["min_rule_count"], found["without"]) == (4, 3, "words")
    assert found["extraction"]["min_count"] == 5
    train(learner, "--config", "c.toml", "--min-count", "6", "--extraction-min-count", "7")
    found = Model.load("m.tw").metadata["settings"]
    assert (found["min_count"], found["extraction"]["min_count"]) == (6, 7)
    model = Model.load("m.tw")
    assert "drop word" not in model.templates
    assert "drop label" in model.templates


@pytest.mark.parametrize(("learner", "point"), [("crf", "precision=1,100"), ("svm", "c=0.1,0.001")])
def test_a_grid_is_searched(learner: str, point: str, pairs: Path) -> None:
    arguments = [learner, "--dev", pairs, "--grid", point, "--no-rules"]
    found = train(*arguments, "--jobs", "2")
    assert "grid search" in found.out
    assert "weights" in found.out
    assert "at the gold rate" in found.out
    first = Path("m.tw").read_bytes()
    assert train(*arguments).out == found.out
    assert Path("m.tw").read_bytes() == first


def test_dev_pairs_are_scored_by_any_decoder(pairs: Path) -> None:
    assert "|target:0|n:12|" in train("crf", "--dev", pairs, "--decode", "mbr").out


def test_all_targets_and_several_files(pairs: Path) -> None:
    one = record("1", TARGET, SHORTER)
    write(one, record("2", TARGET))
    found = train("crf", "--all-targets", "--min-count", "1", pairs="p.jsonl")
    assert " weights from 3 pairs, " in found.err
    write({"id": "3", "source": SOURCE, "targets": [SHORTER]}, path="q.jsonl")
    found = train("crf", "--also", "q.jsonl", "--also", pairs, "--min-count", "1", pairs="p.jsonl")
    assert " weights from 15 pairs, " in found.err
    # The scores are those of one target, whatever was learned from.
    write(one, path="dev.jsonl")
    dev = ["--dev", "dev.jsonl", "--target", "1", "--min-count", "1"]
    found = train("perceptron", "--all-targets", *dev, pairs="p.jsonl")
    assert "|target:1|n:1|" in found.out
    found = run("train", "crf", "p.jsonl", "--model", "n.tw", "--target", "1")
    assert "p.jsonl:2: there is no target 1: the record has 1 target" in found.err
    message = refuse_output("p.jsonl", "--also", "m.tw")
    assert message == "m.tw is also an input or another output; write elsewhere"
    assert "only one of the inputs can be -" in refuse_output("-", "--also", "-")


def refuse_output(pairs: str, *arguments: str) -> str:
    return fail(2, "train", "crf", pairs, "--model", "m.tw", *arguments)


@pytest.mark.parametrize("learner", ["em", "vb", "gibbs", "deletion"])
def test_other_learners_take_all_targets_too(learner: str) -> None:
    write(record("1", TARGET, SHORTER), record("2", TARGET))
    succeed("train", learner, "p.jsonl", "--model", "m.tw", "--all-targets", "--also", TRAIN)
    _, about = read_model("m.tw", kind="deletion" if learner == "deletion" else "rules")
    assert about["pairs"] == 15


# Models at work.


def test_rewritings_are_explained_by_rules(trained: Path, pairs: Path) -> None:
    found = succeed("transduce", trained, pairs, "--json")
    assert found.err == ""
    sources = [pair.source.words() for pair in read_pairs(pairs)]
    for line, source in zip(found.lines, sources, strict=True):
        described = json.loads(line)
        rules = [parse_rule(text) for text in described["rules"]]
        assert rules[0].root == ("ROOT", "ROOT")
        dropped = [
            word
            for rule in rules
            if rule.target is None and rule.source is not None
            for word in rule.source.words()
        ]
        kept = {place: source[place] for place in described["kept"]}
        assert list(kept.values()) == described["words"]
        assert dropped == [word for place, word in enumerate(source) if place not in kept]


def test_every_decoder_and_budget_works(trained: Path, pairs: Path) -> None:
    for decode in ("viterbi", "mbr", "mpt"):
        found = succeed("transduce", trained, pairs, "--decode", decode, "--rate", "0.5")
        learner = trained.stem
        noted = decode != "viterbi" and learner != "crf"
        note = f"decode {decode} takes the scores of this {learner} model as log-weights"
        assert found.err.startswith(note) if noted else found.err == ""
        assert found.err.count("\n") == noted
        assert all(found.lines)


def test_a_grammar_says_what_it_lacks_only_where_that_matters(model: Path, pairs: Path) -> None:
    note = "trees needed copy or deletion rules the grammar lacks"
    assert note in succeed("transduce", model, pairs).err
    train("svm", "--rules")
    assert succeed("transduce", "m.tw", pairs).err == ""
    unseen = sample_path("train")
    train("svm", "--rules", "--no-open", "--min-rule-count", "20", pairs=unseen)
    assert note in succeed("transduce", "m.tw", pairs).err


def test_models_without_rules_are_described(trained: Path) -> None:
    model = Model.load(trained)
    shown = succeed("grammar", "show", trained, "--root", "NP/NP")
    assert shown.out == ""
    assert shown.err == (
        f"{trained}: no rules, but {model.num_weights} weights of features; "
        f"see 'treewright grammar stats {trained}'\n"
    )
    stats = succeed("grammar", "stats", trained).lines
    assert stats[:2] == ["rules: 0", f"weights: {model.num_weights}"]
    assert stats[2].startswith("templates: drop, drop label, ")
    assert "training settings open: True" in stats
    described = json.loads(succeed("grammar", "stats", trained, "--json").out)
    assert described["templates"] == list(model.templates)
    found = succeed("grammar", "diff", trained, trained)
    assert (found.out, found.err.startswith("neither model has rules")) == ("", True)


def test_two_systems_are_compared(trained: Path, model: Path, pairs: Path) -> None:
    rate = ["--corpus-rate", "0.6"]
    Path("a.trees").write_text(succeed("transduce", model, pairs, *rate).out)
    Path("b.trees").write_text(succeed("transduce", trained, pairs, *rate).out)
    arguments = ["evaluate", "a.trees", pairs, "--against", "b.trees", "--samples", "100"]
    report = json.loads(succeed(*arguments, "--json").out)
    first, second = report["relations"]["f1"], report["others"][0]["relations"]["f1"]
    assert report["comparison"]["difference"] == pytest.approx(second - first)
    assert 0.0 <= report["comparison"]["p_value"] <= 1.0
    for test in ("bootstrap", "randomisation"):
        last = succeed(*arguments, "--test", test).lines[-1]
        assert last.startswith("RelF1 of b.trees minus that of a.trees: ")
