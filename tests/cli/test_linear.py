"""`treewright train crf`, `svm` and `perceptron`, and their models in the other commands."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from treewright.corpora import read_pairs
from treewright.data import sample_path
from treewright.grammar import Model, parse_rule
from treewright.grammar.features.pruning import GapPruning
from treewright.learning.linear.svm import METHODS
from treewright.learning.margin.method import Method
from treewright.modelfile import read_model, write_model

from .runner import Run, fail, run, succeed

TRAIN = sample_path("train")
LEARNERS = ("crf", "svm", "perceptron")
SHORT = {"crf": ["--iterations", "3"], "svm": ["--rounds", "3"], "perceptron": ["--rounds", "3"]}

SOURCE = "(ROOT (S (NP (DT a) (JJ old) (NN dog)) (VP (VBZ barks))))"
TARGET = "(ROOT (S (NP (DT a) (NN dog)) (VP (VBZ barks))))"
SHORTER = "(ROOT (S (NP (NN dog)) (VP (VBZ barks))))"


def train(learner: str, *arguments: object, pairs: object = TRAIN) -> Run:
    return succeed("train", learner, pairs, "--model", "m.tw", *SHORT[learner], *arguments)


def refuse(status: int, learner: str, *arguments: object, pairs: object = TRAIN) -> str:
    message = fail(status, "train", learner, pairs, "--model", "m.tw", *arguments)
    assert not Path("m.tw").exists()
    return message


def write(*lines: str | dict[str, Any], path: str = "p.jsonl") -> str:
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    Path(path).write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return path


def record(name: str, *targets: str, **fields: object) -> dict[str, Any]:
    return {"id": name, "source": SOURCE, "targets": list(targets), **fields}


@pytest.fixture(scope="module", params=LEARNERS)
def trained(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a model of each learner."""
    path = tmp_path_factory.mktemp("model") / f"{request.param}.tw"
    arguments = [*SHORT[request.param], "--no-rules"]
    succeed("train", request.param, TRAIN, "--model", path, *arguments)
    return path


@pytest.mark.parametrize("learner", LEARNERS)
def test_training_writes_a_model(learner: str, announced: list[str]) -> None:
    found = train(learner)
    assert found.out == ""
    model = Model.load("m.tw")
    assert model.num_weights > 1000
    about = model.metadata
    assert (about["learner"], about["pairs"], about["iterations"]) == (learner, 90, 3)
    assert len(model.grammar) == 0
    begin = f"m.tw: {model.num_weights} weights from 90 pairs, 3 "
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
    assert "transduction/generate" in announced
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
    begin = f"m.tw: {model.num_weights} weights and {len(model.grammar)} rules from 90 pairs, 3 "
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
    _, about = read_model("m.tw", kind="deletion" if learner == "deletion" else "stsg")
    assert about["pairs"] == 93


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
        assert found.err == ""
        assert all(found.lines)


def test_a_grammar_says_what_it_lacks_only_where_that_matters(model: Path, pairs: Path) -> None:
    note = "trees needed copy or deletion rules the grammar lacks"
    assert note in succeed("transduce", model, pairs).err
    train("svm", "--rules")
    assert succeed("transduce", "m.tw", pairs).err == ""
    train("svm", "--rules", "--no-open", "--min-rule-count", "20")
    assert note in succeed("transduce", "m.tw", pairs).err


def test_models_without_rules_are_described(trained: Path) -> None:
    model = Model.load(trained)
    shown = succeed("grammar", "show", trained, "--root", "NP/NP")
    assert shown.out == ""
    assert shown.err == (
        f"{trained}: no rules, but {model.num_weights} weights of features; "
        "see 'treewright grammar stats'\n"
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
        assert last.startswith("RelF1 of b.trees less that of a.trees: ")


# Bad input.


@pytest.mark.parametrize("learner", LEARNERS)
def test_no_pairs_to_learn_from(learner: str) -> None:
    found = run("train", learner, write(), "--model", "m.tw")
    assert found.status == 1
    skipped, message = found.err.splitlines()
    assert skipped == "skipped: p.jsonl: no pairs in it; expected one JSON object a line"
    assert message.startswith("treewright: ")
    assert message.endswith(" to learn from")
    assert not Path("m.tw").exists()


@pytest.mark.parametrize("learner", LEARNERS)
def test_only_empty_targets(learner: str) -> None:
    found = run("train", learner, write(record("1", ""), record("2", "(ROOT )")), "--model", "m.tw")
    assert found.status == 1
    assert found.err.endswith(" to learn from\n")
    assert "skipped: p.jsonl:1: " in found.err
    assert "skipped: p.jsonl:2: " in found.err


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_target_that_cannot_be_derived_is_a_note(learner: str) -> None:
    other = TARGET.replace("(NN dog)", "(NN cat)")
    lines = [record(str(n), other, alignments=["0-0 3-2"]) for n in range(7)]
    write(*lines, record("fine", TARGET))
    found = train(learner, "--min-count", "1", pairs="p.jsonl")
    assert found.err.splitlines()[0] == (
        "7 of 8 targets cannot be derived, and the nearest output stands in: 0, 1, 2, 3, 4, …"
    )
    assert " from 8 pairs (7 targets not derived), " in found.err
    assert "skipped" not in found.err


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_pair_that_does_not_align_is_skipped(learner: str) -> None:
    write(record("1", TARGET.replace("(DT a)", "(DT the)")), record("2", TARGET))
    found = train(learner, "--min-count", "1", pairs="p.jsonl")
    assert "is not a subsequence of the source" in found.err
    assert "1 pair skipped (--strict stops at the first)" in found.err


@pytest.mark.parametrize(
    ("learner", "arguments", "message"),
    [
        ("svm", ["--c", "0"], "c must be a finite number above 0, found 0.0"),
        ("svm", ["--c", "-1"], "c must be a finite number above 0, found -1.0"),
        ("svm", ["--c", "nan"], "c must be a finite number above 0, found nan"),
        ("svm", ["--tolerance", "0"], "tolerance must be a finite number above 0"),
        ("svm", ["--loss", "bleu"], "unknown loss 'bleu'; choose one of: "),
        ("perceptron", ["--loss", "bleu"], "unknown loss 'bleu'; choose one of: "),
        ("svm", ["--optimiser", "adam"], "unknown optimiser 'adam'; choose one of: 1-slack"),
        ("svm", ["--rescaling", "x"], "unknown rescaling 'x'; choose one of: margin, slack"),
        ("svm", ["--rescaling", "slack"], "frank-wolfe goes with rescaling margin"),
        ("svm", ["--rounds", "0"], "rounds must be at least 1 and whole, found 0"),
        ("crf", ["--precision", "0"], "precision must be a finite number above 0, found 0.0"),
        ("crf", ["--without", "word"], "unknown feature group 'word'; choose one of: adjacency"),
        ("crf", ["--min-count", "0"], "min_count must be at least 1 and whole, found 0"),
        ("crf", ["--no-open"], "a model needs rules or open deletions; both are switched off"),
        ("crf", ["--threads", "0"], "threads must be at least 1 and whole, found 0"),
        ("crf", ["--parts", "0"], "parts must be at least 1"),
        ("crf", ["--grid", "precision=1"], "--grid needs --dev to score on"),
        ("crf", ["--dev", TRAIN, "--grid", "c=1"], "unknown grid setting 'c'; choose from: prec"),
        ("svm", ["--resume"], "nothing to resume from; name the checkpoint (--checkpoint FILE)"),
        ("svm", ["--checkpoint", "-"], "checkpoints are files, not standard output"),
        ("svm", ["--trace", "-"], "traces are files, not standard output"),
        ("svm", ["--trace", "x", "--checkpoint", "x"], "x is also an input or another output"),
        (
            "svm",
            ["--dev", TRAIN, "--grid", "c=1", "--trace", "t"],
            "a grid search keeps no --checkpoint and no --trace",
        ),
    ],
)
def test_a_request_that_makes_no_sense(learner: str, arguments: list[object], message: str) -> None:
    assert message in refuse(2, learner, *arguments)


@pytest.mark.parametrize(
    ("learner", "settings", "part"),
    [("crf", [], "pruning.json"), ("svm", ["--rules"], "unseen.json")],
)
def test_a_model_of_templates_that_this_version_does_not_know(
    learner: str, settings: list[str], part: str, pairs: Path
) -> None:
    train(learner, *settings)
    parts, about = read_model("m.tw", kind="stsg")
    values = json.loads(parts[part])
    values["templates"].append("drop moon")
    parts = {**parts, part: json.dumps(values).encode()}
    write_model("m.tw", kind="stsg", parts=parts, metadata=about)
    message = fail(1, "transduce", "m.tw", pairs)
    assert message.startswith("m.tw: its parts cannot be read: ")
    assert "the model uses feature templates unknown here: drop moon; upgrade" in message


def test_a_model_whose_weights_are_damaged(pairs: Path) -> None:
    train("crf")
    model = Model.load("m.tw")
    assert isinstance(model.pruning, GapPruning)
    parts, about = read_model("m.tw", kind="stsg")
    for name in ("pruning.keys.npy", "pruning.weights.npy"):
        for content in (b"", parts[name][:-4], b"x" * 200):
            write_model("n.tw", kind="stsg", parts={**parts, name: content}, metadata=about)
            assert fail(1, "transduce", "n.tw", pairs).startswith("n.tw: its parts cannot be read")
        kept = {key: value for key, value in parts.items() if key != name}
        write_model("n.tw", kind="stsg", parts=kept, metadata=about)
        assert fail(1, "transduce", "n.tw", pairs).startswith("n.tw: its parts cannot be read")


# Checkpoints, traces and interruptions.


def interrupted(learner: str, at: int, *arguments: object) -> str:
    """Train until the key is pressed in some round; return the last line on stderr."""
    real = Method.advance

    def advance(method: Method) -> Any:
        if method.round + 1 == at:
            raise KeyboardInterrupt
        return real(method)

    with mock.patch.object(Method, "advance", advance):
        found = run("train", learner, TRAIN, "--model", "m.tw", *arguments)
    assert found.status == 130
    assert "Traceback" not in found.err
    assert not Path("m.tw").exists()
    return found.err.splitlines()[-1].removeprefix("treewright: interrupted: ")


STRICT = ["--tolerance", "1e-6", "--rounds", "6"]


@pytest.mark.parametrize(
    ("learner", "settings"),
    [
        ("svm", [*STRICT, "--optimiser", "n-slack", "--rescaling", "slack", "--c", "0.01"]),
        ("svm", [*STRICT, "--optimiser", "1-slack", "--rescaling", "slack", "--c", "0.01"]),
        ("svm", [*STRICT, "--optimiser", "frank-wolfe"]),
        ("perceptron", ["--rounds", "6", "--min-count", "10"]),
    ],
)
def test_an_interrupted_run_is_resumed(learner: str, settings: list[str]) -> None:
    files = ["--checkpoint", "c.tw", "--checkpoint-every", "2", "--trace", "t.jsonl"]
    message = interrupted(learner, 4, *settings, *files)
    assert message == "the last checkpoint is kept in c.tw; add --resume to go on"
    whole = ["train", learner, TRAIN, "--model", "m.tw", *settings]
    succeed(*whole, *files, "--resume")
    resumed = Path("m.tw").read_bytes()
    reports = [json.loads(line) for line in Path("t.jsonl").read_text().splitlines()]
    assert [report["round"] for report in reports] == [1, 2, 3, 3, 4, 5, 6]
    wanted = {"round", "primal", "dual", "gap", "constraints", "seconds"}
    assert all(wanted <= report.keys() for report in reports)
    succeed(*whole)
    assert Path("m.tw").read_bytes() == resumed
    # A run that is over is resumed to the same model.
    succeed(*whole, *files, "--resume")
    assert Path("m.tw").read_bytes() == resumed
    pytest.importorskip("matplotlib")
    succeed("plot", "trace", "t.jsonl", "--out", "t.svg")


def test_an_interruption_with_nothing_saved() -> None:
    short = ["--no-rules", "--rounds", "3"]
    assert interrupted("svm", 2, *short, "--checkpoint", "c.tw") == "there was no checkpoint yet"
    message = interrupted("svm", 2, *short)
    assert message == "nothing is kept; --checkpoint FILE keeps what --resume goes on from"


def test_a_checkpoint_that_does_not_fit(pairs: Path) -> None:
    files = ["--c", "0.01", "--checkpoint", "c.tw", "--resume"]
    assert refuse(1, "svm", *files) == "c.tw: no checkpoint to resume from"
    train("svm", "--c", "0.01", "--checkpoint", "c.tw")
    Path("m.tw").unlink()
    message = refuse(2, "svm", *files, "--c", "7")
    assert message == (
        "c.tw: a checkpoint of training with c 0.01, found 7.0; resume with the same settings"
    )
    other = "c.tw: a checkpoint of another problem; resume with the pairs, grammar and loss"
    assert refuse(1, "svm", *files, pairs=pairs).startswith(other)
    assert refuse(1, "svm", *files, "--loss", "hamming").startswith(other)
    succeed("extract", TRAIN, "--model", "c.tw")
    assert "expected a model of kind 'margin-checkpoint', found" in refuse(1, "svm", *files)
    Path("c.tw").write_bytes(b"nonsense")
    assert refuse(1, "svm", *files).startswith("c.tw: not a whole model file")


def test_the_interrupt_key_in_the_real_program() -> None:
    command = [sys.executable, "-m", "treewright", "train", "svm", str(TRAIN), "--model", "m.tw"]
    endless = ["--c", "100", "--tolerance", "1e-12", "--rounds", "1000000"]
    options = ["--checkpoint", "c.tw", "--checkpoint-every", "1"]
    process = subprocess.Popen(
        [*command, *endless, *options], stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        waited = time.monotonic() + 120.0
        while not Path("c.tw").exists() and time.monotonic() < waited:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60.0)
    finally:
        process.kill()
    assert process.returncode == 130, err
    assert "Traceback" not in err
    assert err.endswith(
        "treewright: interrupted: the last checkpoint is kept in c.tw; add --resume to go on\n"
    )
    assert [path.name for path in Path().iterdir()] == ["c.tw"]
