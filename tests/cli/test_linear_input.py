"""Pairs, requests and model files of linear models that make no sense."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from treewright.errors import ModelFileError
from treewright.modelfile import read_model, write_model
from treewright.pruning import Model
from treewright.pruning.features.pruning import GapPruning

from .linear import LEARNERS, SHORT, TARGET, TRAIN, record, refuse, train, write
from .runner import fail, run, succeed


@pytest.mark.parametrize("learner", LEARNERS)
def test_no_pairs_to_learn_from(learner: str) -> None:
    found = run("train", learner, write(), "--model", "m.tw")
    assert found.status == 1
    skipped, message = found.err.splitlines()
    assert skipped == "skipped: p.jsonl: no pairs in it; expected one JSON object per line"
    assert message.startswith("treewright: ")
    assert message.endswith("training needs at least one aligned pair")
    assert not Path("m.tw").exists()


@pytest.mark.parametrize("learner", LEARNERS)
def test_only_empty_targets(learner: str) -> None:
    found = run("train", learner, write(record("1", ""), record("2", "(ROOT )")), "--model", "m.tw")
    assert found.status == 1
    assert found.err.endswith("training needs at least one aligned pair\n")
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
        ("svm", ["--c", "0"], "c must be positive, found 0.0"),
        ("svm", ["--c", "-1"], "c must be positive, found -1.0"),
        ("svm", ["--c", "nan"], "c must be positive, found nan"),
        ("svm", ["--tolerance", "0"], "tolerance must be positive"),
        ("svm", ["--loss", "bleu"], "unknown loss 'bleu'; choose one of: "),
        ("perceptron", ["--loss", "bleu"], "unknown loss 'bleu'; choose one of: "),
        (
            "svm",
            ["--optimiser", "adam"],
            "unknown optimiser 'adam'; choose one of: frank-wolfe, n",
        ),
        ("svm", ["--rescaling", "x"], "unknown rescaling 'x'; choose one of: margin, slack"),
        ("svm", ["--rescaling", "slack"], "frank-wolfe needs rescaling margin"),
        ("svm", ["--rounds", "0"], "rounds must be at least 1 and whole, found 0"),
        ("svm", ["--seed", "-1"], "seed must be at least 0 and whole, found -1"),
        ("perceptron", ["--seed", "-1"], "seed must be at least 0 and whole, found -1"),
        ("crf", ["--decode", "foo"], "unknown decode 'foo'; choose one of: mbr, mpt, viterbi"),
        ("svm", ["--decode", "foo"], "unknown decode 'foo'; choose one of: mbr, mpt, viterbi"),
        ("crf", ["--precision", "0"], "precision must be positive, found 0.0"),
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
            "a grid search does not support --checkpoint or --trace",
        ),
    ],
)
def test_a_request_that_makes_no_sense(learner: str, arguments: list[object], message: str) -> None:
    assert message in refuse(2, learner, *arguments)


@pytest.mark.parametrize("learner", ["svm", "perceptron"])
def test_a_bad_seed_in_a_config_file(learner: str) -> None:
    Path("c.toml").write_text("seed = -1\n")
    assert "seed must be at least 0 and whole" in refuse(2, learner, "--config", "c.toml")


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_folder_that_does_not_exist_is_noticed_first(learner: str) -> None:
    message = fail(1, "train", learner, "none.jsonl", "--model", "none/m.tw")
    assert message == "none/m.tw: cannot write it: No such file or directory"


@pytest.mark.parametrize(
    ("learner", "settings", "part"),
    [("crf", [], "pruning.json"), ("svm", ["--rules"], "unseen.json")],
)
def test_a_model_of_templates_that_this_version_does_not_know(
    learner: str, settings: list[str], part: str, pairs: Path
) -> None:
    train(learner, *settings)
    parts, about = read_model("m.tw", kind="linear")
    values = json.loads(parts[part])
    values["templates"].append("drop moon")
    parts = {**parts, part: json.dumps(values).encode()}
    write_model("m.tw", kind="linear", parts=parts, metadata=about)
    message = fail(1, "transduce", "m.tw", pairs)
    assert message.startswith("m.tw: its parts cannot be read: ")
    assert "the model uses feature templates unknown here: drop moon; upgrade" in message


def test_a_model_whose_weights_are_damaged(pairs: Path) -> None:
    train("crf")
    model = Model.load("m.tw")
    assert isinstance(model.pruning, GapPruning)
    parts, about = read_model("m.tw", kind="linear")
    for name in ("pruning/keys.npy", "pruning/weights.npy"):
        for content in (b"", parts[name][:-4], b"x" * 200):
            write_model("n.tw", kind="linear", parts={**parts, name: content}, metadata=about)
            assert fail(1, "transduce", "n.tw", pairs).startswith("n.tw: its parts cannot be read")
        kept = {key: value for key, value in parts.items() if key != name}
        write_model("n.tw", kind="linear", parts=kept, metadata=about)
        assert fail(1, "transduce", "n.tw", pairs).startswith("n.tw: its parts cannot be read")


@pytest.fixture(scope="module")
def ruled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a model with weights of features of rules."""
    path = tmp_path_factory.mktemp("model") / "ruled.tw"
    succeed("train", "svm", TRAIN, "--model", path, *SHORT["svm"], "--rules")
    return path


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("weights", lambda _: [], "the weights of features must be named"),
        ("weights", lambda old: {**old, next(iter(old)): 10**400}, "expected a finite number"),
        ("weights", lambda old: {**old, next(iter(old)): "1"}, "expected a finite number"),
        ("templates", lambda old: [*old, old[0]], "a feature template occurs twice"),
        ("frequency", lambda old: [10**400, *old[1:]], "expected a finite number"),
    ],
)
def test_a_crafted_model_is_refused_when_it_is_read(
    name: str, change: Callable[[Any], Any], message: str, ruled: Path, pairs: Path
) -> None:
    parts, about = read_model(ruled, kind="linear")
    values = json.loads(parts["unseen.json"])
    values[name] = change(values[name])
    parts = {**parts, "unseen.json": json.dumps(values).encode()}
    write_model("n.tw", kind="linear", parts=parts, metadata=about)
    with pytest.raises(ModelFileError, match=message):
        Model.load("n.tw")
    assert message in fail(1, "transduce", "n.tw", pairs)
