"""`treewright train neural` and `treewright train --recipe`."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from treewright.corpora import Record, write_records
from treewright.learning.neural import NeuralCRF
from treewright.pruning import Model
from treewright.pruning.encoded.pruning import EncodedPruning

from ..learning.neural.toys import adverbs_go, rewritten, sentences, start_small
from ..parsing.embedded.training.toys import make_transformer
from ..programs import run_program
from .runner import Run, fail, run, succeed

TINY = ["--node", 6, "--gap", 4, "--tokens", 40, "--rate", 0.02, "--dropout", 0.1]
RECIPE = """
corpora = ["p", "q"]
styles = ["p#1"]
[[stage]]
epochs = 1
node = 6
gap = 4
"""


@pytest.fixture(autouse=True)
def files(inside: None) -> None:
    """Put corpora where the commands run: of the second, all targets keep everything."""
    pairs = adverbs_go()
    both = [Record(pair.id, pair.source, (pair.target, pair.source)) for pair in pairs]
    write_records("p.jsonl", both)
    write_records("q.jsonl", [Record(pair.id, pair.source, (pair.source,)) for pair in pairs])
    Path("r.toml").write_text(RECIPE)
    Path("t.trees").write_text("".join(f"{tree}\n" for tree in sentences()))


@pytest.fixture
def torch(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: Any) -> Iterator[Any]:
    """Return torch, or skip; training starts small, and what it sets is set back."""
    module = pytest.importorskip("torch")
    start_small(monkeypatch, tmp_path_factory.mktemp("start"))
    threads = module.get_num_threads()
    yield module
    module.use_deterministic_algorithms(False)
    module.set_num_threads(threads)
    module.set_flush_denormal(False)


def train(*arguments: object, epochs: int = 1) -> Run:
    command = ["train", "neural", "p.jsonl", "--model", "m.tw", "--epochs", epochs]
    return succeed(*command, *TINY, *arguments)


def labels(path: str = "m.tw") -> tuple[str, ...]:
    pruning = Model.load(path).pruning
    assert isinstance(pruning, EncodedPruning)
    return pruning.network.labels


def test_training_writes_a_model(torch: Any) -> None:
    found = train("--parser", "none", epochs=12)
    lines = found.err.splitlines()
    assert found.out == ""
    assert [line.split(":")[0] for line in lines[:12]] == [f"epoch {n}" for n in range(1, 13)]
    assert lines[12].startswith("m.tw: from 24 pairs, 12 epochs, loss 0.")
    assert lines[12].endswith(" MB")
    model = Model.load("m.tw")
    assert model.metadata["settings"]["node"] == 6
    assert {len(rewritten(model, tree)) for tree in sentences()} == {4}
    rewritings = succeed("transduce", "m.tw", "t.trees").lines
    assert len(rewritings) == 24
    assert not any("ADVP" in line for line in rewritings)


def test_the_same_command_gives_the_same_bytes(torch: Any) -> None:
    train("--parser", "none")
    first = Path("m.tw").read_bytes()
    train("--parser", "none")
    assert Path("m.tw").read_bytes() == first
    train("--parser", "none", "--seed", 2)
    assert Path("m.tw").read_bytes() != first


def test_settings_come_from_a_config_file(torch: Any) -> None:
    Path("c.toml").write_text("encoder_rate = 0.25\nseed = 7\n")
    train("--parser", "none", "--config", "c.toml", "--seed", 8)
    settings = Model.load("m.tw").metadata["settings"]
    assert (settings["encoder_rate"], settings["seed"]) == (0.25, 8)


def test_sources_are_parsed_again(torch: Any) -> None:
    """By default with the embedded parser, whose tags are those of the Penn Treebank."""
    Path("t.trees").write_text("".join(f"{tree}\n".replace("VP", "Q") for tree in sentences()))
    train("--parser", "none")
    assert "VP" in labels()
    train("--parser", "file=t.trees")
    assert "Q" in labels() and "VP" not in labels()
    found = train("--dev", "p.jsonl", "--decode", "mbr")
    assert "at the gold rate" in found.out
    assert "|target:0|n:24|" in found.out


def test_a_teacher_learns_first(torch: Any, tmp_path_factory: pytest.TempPathFactory) -> None:
    pytest.importorskip("transformers")
    folder = make_transformer(tmp_path_factory.mktemp("transformer"))
    train("--parser", "none")
    alone = Path("m.tw").read_bytes()
    found = train("--parser", "none", "--encoder", folder)
    assert [line.split(":")[0] for line in found.err.splitlines()] == ["epoch 1"] * 2 + ["m.tw"]
    taught = Path("m.tw").read_bytes()
    assert taught != alone
    train("--parser", "none", "--encoder", folder)
    assert Path("m.tw").read_bytes() == taught
    message = fail(1, "train", "neural", "p.jsonl", "--model", "n.tw", "--encoder", ".")
    assert message == ".: no transformer in this folder: it has no config.json"


def test_pairs_that_the_parser_does_not_know_are_skipped(torch: Any) -> None:
    Path("t.trees").write_text("".join(f"{tree}\n" for tree in sentences()[1:]))
    found = train("--parser", "file=t.trees")
    assert found.err.startswith("skipped: 0: ")
    assert found.err.endswith("1 pair skipped (--strict stops at the first)\n")
    assert "from 23 pairs" in found.err
    command = ["train", "neural", "p.jsonl", "--model", "n.tw", "--parser", "file=t.trees"]
    assert fail(1, *command, "--strict").startswith("0: ")


def test_the_model_is_in_the_manner_of_the_first_file(torch: Any) -> None:
    also = ["--parser", "none", "--also", "q.jsonl"]
    found = train(*also, epochs=12)
    assert "from 48 pairs" in found.err
    model = Model.load("m.tw")
    assert {len(rewritten(model, tree)) for tree in sentences()} == {4}
    found = train(*also, "--target", 1)
    assert "from 24 pairs" in found.err.splitlines()[-2]
    found = train(*also, "--all-targets")
    assert "from 72 pairs" in found.err
    Path("e.jsonl").write_text("{}\n")
    message = run("train", "neural", "e.jsonl", "--model", "n.tw", *also).err
    assert message.endswith("treewright: e.jsonl: there is no pair in it to learn from\n")


def test_without_torch_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = (
        "training a network needs torch, which is not installed; "
        "run pip install '.[train]' in the folder that Treewright was installed from"
    )
    monkeypatch.setitem(sys.modules, "torch", None)
    assert fail(2, "train", "neural", "p.jsonl", "--model", "m.tw") == wanted
    command = ["train", "--recipe", "r.toml", "--data", ".", "--model", "m.tw"]
    assert fail(2, *command) == wanted


def test_help_does_not_import_torch() -> None:
    script = (
        "import sys\n"
        "sys.argv = ['treewright', 'train', 'neural', '--help']\n"
        "from treewright.cli import main\n"
        "try:\n    main()\n"
        "finally:\n    sys.stderr.write(str('torch' in sys.modules))\n"
    )
    done = run_program(sys.executable, "-c", script)
    assert done.stderr == b"False"
    assert b"--encoder-rate" in done.stdout
    assert b"none:" in done.stdout
    assert b"--grid" not in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--epochs", "0"], "epochs must be at least 1 and whole, found 0"),
        (["--dropout", "1"], "dropout must lie between 0 and 1, found 1.0"),
        (["--parser", "x"], "unknown parser 'x'"),
        (["--decode", "x"], "unknown decode 'x'"),
        (["--also", "-", "--parser", "file=-"], "only one of the inputs can be -"),
        (["--also", "m.tw"], "is also an input or another output"),
    ],
)
def test_requests_that_make_no_sense(arguments: list[str], message: str) -> None:
    assert message in fail(2, "train", "neural", "p.jsonl", "--model", "m.tw", *arguments)


# Recipes.


def test_a_recipe_is_followed(torch: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    found = succeed("train", "--recipe", "r.toml", "--data", ".", "--model", "m.tw")
    content = Path("m.tw").read_bytes()
    lines = found.err.splitlines()
    assert lines[:3] == ["parsing p", "parsing q", "stage 1 of 1"]
    assert lines[3].startswith("epoch 1: loss ")
    digest = hashlib.sha256(content).hexdigest()
    assert lines[4] == f"m.tw: r, {len(content) / 1e6:.1f} MB, sha256 {digest}"
    assert len(lines) == 5
    succeed("train", "--recipe", "r.toml", "--data", ".", "--model", "n.tw")
    assert Path("n.tw").read_bytes() == content
    assert Model.load("m.tw").metadata["recipe"] == "r"
    # What fails leaves nothing behind, and a model that was there stays.
    monkeypatch.setattr(NeuralCRF, "fit_prepared", mock.Mock(side_effect=KeyboardInterrupt))
    assert run("train", "--recipe", "r.toml", "--data", ".", "--model", "n.tw").status == 130
    assert Path("n.tw").read_bytes() == content


def test_a_corpus_that_is_not_there(torch: Any) -> None:
    command = ["train", "--recipe", "news", "--model", "m.tw"]
    message = fail(1, *command, "--data", "data")
    assert message == (
        "data/broadcast.train.jsonl: recipe news needs this file, which does not exist; "
        "give its folder with --data"
    )
    assert fail(1, *command).startswith("../shared/data/compression/broadcast.train.jsonl: recipe")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--recipe", "x", "--model", "m.tw"], "no recipe 'x'; choose one of headline, news"),
        (["--model", "m.tw"], "belong to a recipe; give --recipe"),
        (["--data", "."], "belong to a recipe; give --recipe"),
        (["--recipe", "r.toml", "--data", ".", "--model", "p.jsonl"], "is also an input"),
        (["--recipe", "r.toml", "--model", "r.toml"], "is also an input"),
        (["--recipe", "news", "em", "p.jsonl"], "--recipe before 'em' belongs to a recipe"),
        (["--model", "m.tw", "em", "p.jsonl"], "--model before 'em' belongs to a recipe"),
    ],
)
def test_recipes_that_make_no_sense(arguments: list[str], message: str) -> None:
    assert message in fail(2, "train", *arguments)


def test_without_anything_there_is_help() -> None:
    found = run("train")
    assert "Commands:" in found.out + found.err
    assert "neural" in found.out + found.err
