from __future__ import annotations

import json
import math
import re
from dataclasses import fields
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from treewright.data import sample_path
from treewright.grammar import Extraction, parse_rule
from treewright.learning import CRF, EM, SVM, VB, AveragedPerceptron, Deletion, Gibbs
from treewright.pruning import Model

from .runner import fail, run, succeed

TRAIN = sample_path("train")


def settings(path: str) -> Any:
    return Model.load(path).metadata["settings"]


@pytest.mark.parametrize("learner", ["em", "vb"])
def test_training_writes_a_model(learner: str, pairs: Path) -> None:
    arguments = ["train", learner, pairs, "--model", "m.tw", "--iterations", "2"]
    found = succeed(*arguments)
    assert found.out == ""
    assert found.err.startswith("m.tw: ")
    assert " rules from 12 of 12 pairs, 2 iterations, objective -" in found.err
    model = Model.load("m.tw")
    assert (model.metadata["learner"], model.metadata["pairs"]) == (learner, 12)
    first = Path("m.tw").read_bytes()
    succeed(*arguments)
    assert Path("m.tw").read_bytes() == first


def test_pairs_come_from_stdin_and_models_go_to_stdout(pairs: Path) -> None:
    succeed("train", "em", pairs, "--model", "m.tw", "--iterations", "2")
    found = succeed(
        "train", "em", "-", "--model", "-", "--iterations", "2", stdin=pairs.read_bytes()
    )
    assert found.raw == Path("m.tw").read_bytes()


def test_the_target_is_chosen_by_index() -> None:
    tree, shorter = "(S (NP (DT a) (NN dog)) (VP (V barks)))", "(S (NP (NN dog)) (VP (V barks)))"
    record = json.dumps({"id": "1", "source": tree, "targets": [tree, shorter]})
    Path("p.jsonl").write_text(record)
    rules = [
        succeed("extract", "p.jsonl", "--target", target, "--parts", "1").out for target in (0, 1)
    ]
    assert "(NP DT[ε] NN[1]) / (NP NN[1])" in rules[1]
    assert "DT[ε]" not in rules[0]
    for target in ("0", "1"):
        succeed("train", "em", "p.jsonl", "--model", "m.tw", "--target", target)
        shown = succeed("grammar", "show", "m.tw").out
        assert ("(NP DT[ε] NN[1]) / (NP NN[1])" in shown) == (target == "1")
    found = run("train", "em", "p.jsonl", "--model", "m.tw", "--target", "2")
    assert found.status == 1
    assert "there is no target 2: the record has 2 targets, numbered from 0" in found.err


def test_dev_pairs_are_scored(pairs: Path) -> None:
    found = succeed("train", "em", TRAIN, "--model", "m.tw", "--dev", pairs, "--iterations", "2")
    assert "as decoded" in found.out
    assert "at the gold rate" in found.out
    assert "|target:0|n:12|" in found.out


def test_a_grid_is_searched_and_the_best_model_kept(pairs: Path) -> None:
    arguments = ["train", "em", TRAIN, "--model", "m.tw", "--dev", pairs, "--iterations", "2"]
    found = succeed(*arguments, "--grid", "kappa=1,100", "--grid", "alpha=1,1.5", "--jobs", "2")
    assert "grid search" in found.out
    assert sum(line.startswith(("│ 1 ", "│ 100 ")) for line in found.lines) == 4
    again = succeed(*arguments, "--grid", "kappa=1,100", "--grid", "alpha=1,1.5")
    assert again.out == found.out
    assert settings("m.tw")["kappa"] in (1.0, 100.0)


def test_flags_win_over_the_config_file_and_both_over_defaults(pairs: Path) -> None:
    Path("c.toml").write_text("kappa = 7.0\niterations = 3\n[extraction]\ndepth = 5\nparts = 1\n")
    flags = ["--iterations", "2", "--parts", "2"]
    succeed("train", "em", pairs, "--model", "m.tw", "--config", "c.toml", *flags)
    found = settings("m.tw")
    assert (found["kappa"], found["iterations"], found["alpha"]) == (7.0, 2, EM().alpha)
    assert found["extraction"] == {"depth": 5, "parts": 2, "variables": 3, "min_count": 2}


@pytest.mark.parametrize(
    ("content", "status", "message"),
    [
        ("kapa = 7", 2, "unknown setting 'kapa'; choose from: alpha"),
        ("[extraction]\ndeep = 7", 2, "unknown extraction setting 'deep'; choose from: depth"),
        ("extraction = 3", 2, "'extraction' in a config file is a table"),
        ("alpha = 'high'", 2, "alpha in a config file is a number, found 'high'"),
        ('pruning = "no"', 2, "pruning in a config file is true or false, found 'no'"),
        ("alpha 7", 1, "c.toml: not TOML"),
        (b"\xff", 1, "c.toml: not TOML"),
    ],
)
def test_a_bad_config_file_is_one_line(content: str | bytes, status: int, message: str) -> None:
    Path("c.toml").write_bytes(content if isinstance(content, bytes) else content.encode())
    arguments = ["train", "em", "p.jsonl", "--model", "m.tw", "--config", "c.toml"]
    assert message in fail(status, *arguments)


@pytest.mark.parametrize("learner", ["em", "gibbs"])
def test_the_config_file_is_not_overwritten(learner: str) -> None:
    Path("c.toml").write_text("kappa = 7.0")
    message = fail(2, "train", learner, TRAIN, "--model", "c.toml", "--config", "c.toml")
    assert message == "c.toml is also an input or another output; write elsewhere"
    assert Path("c.toml").read_text() == "kappa = 7.0"


def test_a_model_that_is_being_scored_is_saved_already(
    pairs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupted = Mock(side_effect=KeyboardInterrupt)
    monkeypatch.setattr("treewright.compression.tuning.score_models", interrupted)
    for learner in ("em", "gibbs"):
        model = f"{learner}.tw"
        arguments = ["train", learner, pairs, "--model", model, "--dev", pairs, "--iterations", 2]
        found = run(*arguments)
        assert found.status == 130
        assert found.err.endswith(f"treewright: interrupted: the model is saved in {model}\n")
        assert Model.load(model).metadata["learner"] == learner


def test_the_two_kinds_of_insertions_are_told_apart() -> None:
    texts = [" ".join(succeed("train", name, "--help").out.split()) for name in ("vb", "gibbs")]
    assert "Let P0 count alignments with insertions." in texts[0]
    assert "Sample inserted target nodes as separate rules." in texts[1]


@pytest.mark.parametrize("kind", [EM, VB, Gibbs, CRF, SVM, AveragedPerceptron, Deletion])
def test_the_help_shows_the_defaults_of_the_library(kind: Any) -> None:
    text = " ".join(succeed("train", kind.name, "--help").out.split()).replace("- ", "-")
    own = {field.name: field for field in fields(kind)}
    shown = dict(own)
    for field in fields(Extraction) if "extraction" in own else ():
        shown[f"extraction_{field.name}" if field.name in own else field.name] = field
    for name in shown.keys() - {"extraction", "alphas", "betas", "without"}:
        option, default = name.replace("_", "-"), shown[name].default
        described = text.partition(f" --{option} ")[2]
        if isinstance(default, bool):
            described = described.partition(f"/ --no-{option} ")[2]
            default = option if default else f"no-{option}"
        assert f"[default: ({default})" in described.partition(" --")[0], name


def test_extraction_prints_counts_or_writes_a_model(pairs: Path) -> None:
    printed = succeed("extract", pairs).lines
    counts = [int(line.partition("\t")[0]) for line in printed]
    assert counts == sorted(counts, reverse=True)
    found = succeed("extract", pairs, "--model", "m.tw")
    assert (found.out, found.err) == ("", f"m.tw: {len(printed)} rules\n")
    shown = succeed("grammar", "show", "m.tw", "--top", "1000").lines
    rules = sorted(line.partition("\t")[2] for line in printed)
    assert sorted(line[22:] for line in shown) == rules
    assert len(succeed("extract", pairs, "--parts", "1").lines) < len(printed)


def test_grammars_are_shown_described_and_compared(model: Path, pairs: Path) -> None:
    np = succeed("grammar", "show", model, "--root", "NP/NP", "--top", "4").lines
    assert len(np) == 4
    assert all("NP/NP -> (NP" in line for line in np)
    objects = succeed("grammar", "show", model, "--root", "NP/NP", "--top", "4", "--json").lines
    assert [json.loads(line)["rule"] for line in objects] == [line[22:] for line in np]
    assert "no rules with root pair 'X/Y'; the model has" in fail(
        2, "grammar", "show", model, "--root", "X/Y"
    )
    deleting = succeed("grammar", "show", model, "--deleting").lines
    assert all("[ε]" in line and "/ ε" not in line for line in deleting)
    every = ["--top", "1000"]
    compressing = succeed("grammar", "show", model, "--compressing", *every).lines
    assert all(parse_rule(line[22:]).is_compression for line in compressing)
    assert set(succeed("grammar", "show", model, "--deleting", *every).lines) < set(compressing)
    ranked = succeed("grammar", "show", model, "--root", "S/S", "--by", "count").lines
    counts = [float(line.split()[1]) for line in ranked]
    assert counts == sorted(counts, reverse=True)
    stats = succeed("grammar", "stats", model).out
    assert "training settings extraction depth: 4\n" in stats
    assert "{" not in stats
    assert json.loads(succeed("grammar", "stats", model, "--json").out)["training"]["pairs"] == 90
    same = succeed("grammar", "diff", model, model)
    assert (same.out, same.err) == ("", "0 removed, 0 added, 0 moved\n")
    succeed("extract", pairs, "--model", "m.tw")
    other = json.loads(succeed("grammar", "diff", model, "m.tw", "--top", "3", "--json").out)
    assert [len(other[name]) for name in ("removed", "added", "moved")] == [3, 3, 3]


def test_rules_of_probability_zero_are_shown_as_such(pairs: Path) -> None:
    learned = Model.load(str(write_extracted(pairs)))
    weights = learned.grammar.weights.copy()
    weights[0] = -math.inf
    Model(learned.grammar.with_weights(weights)).save("n.tw")
    [moved] = succeed("grammar", "diff", "m.tw", "n.tw").lines
    assert re.match(r"~ +-?\d+\.\d{4} +never  \S+/\S+ -> ", moved)
    shown = [line.split()[0] for line in succeed("grammar", "show", "n.tw", "--top", "999").lines]
    assert shown.count("never") == 1
    assert "-inf" not in shown


def test_infinite_weights_are_null_in_json(pairs: Path) -> None:
    learned = Model.load(str(write_extracted(pairs)))
    weights = learned.grammar.weights.copy()
    weights[0] = -math.inf
    Model(learned.grammar.with_weights(weights), None, {"objective": -math.inf}).save("n.tw")
    for command in (["show", "n.tw", "--top", "1000"], ["diff", "m.tw", "n.tw"], ["stats", "n.tw"]):
        out = succeed("grammar", *command, "--json").out
        assert "Infinity" not in out
        assert "null" in out


def write_extracted(pairs: Path) -> Path:
    succeed("extract", pairs, "--model", "m.tw")
    return Path("m.tw")


def test_the_demo_shows_what_was_deleted_and_why() -> None:
    found = succeed("demo")
    assert found.lines[0].startswith("Learned ")
    sources = [line for line in found.lines if line.startswith("- ")]
    outputs = [line for line in found.lines if line.startswith("+ ")]
    assert len(sources) == len(outputs) == 12
    assert all(len(o) < len(s) for s, o in zip(sources, outputs, strict=True))
    rules = [line for line in found.lines if line.startswith("    ") and " -> " in line]
    assert rules
    assert all(" / " in rule for rule in rules)
    assert "RelF1" in found.out
