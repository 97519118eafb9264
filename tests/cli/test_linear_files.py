"""Checkpoints, traces and interruptions of `train svm` and `perceptron`."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path
from subprocess import PIPE
from typing import Any
from unittest import mock

import pytest

from treewright.data import sample_path
from treewright.learning.margin.method import Method

from ..programs import TREEWRIGHT, started
from .linear import TRAIN, refuse, train
from .runner import fail, run, succeed


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
        ("svm", [*STRICT, "--optimiser", "frank-wolfe"]),
        ("perceptron", ["--rounds", "6", "--min-count", "10"]),
    ],
)
def test_an_interrupted_run_is_resumed(learner: str, settings: list[str]) -> None:
    files = ["--checkpoint", "c.tw", "--checkpoint-every", "2", "--trace", "t.jsonl"]
    message = interrupted(learner, 4, *settings, *files)
    assert message == "the last checkpoint is kept in c.tw; add --resume to continue"
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
    assert message == "nothing was saved; --checkpoint FILE saves what --resume continues from"


def test_a_checkpoint_that_does_not_fit() -> None:
    files = ["--c", "0.01", "--checkpoint", "c.tw", "--resume"]
    assert refuse(1, "svm", *files) == "c.tw: no checkpoint to resume from"
    train("svm", "--c", "0.01", "--checkpoint", "c.tw")
    Path("m.tw").unlink()
    message = refuse(2, "svm", *files, "--c", "7")
    assert message == (
        "c.tw: a checkpoint of training with c 0.01, found 7.0; resume with the same settings"
    )
    other = "c.tw: a checkpoint of training on other data; resume with the pairs and settings"
    assert refuse(1, "svm", *files, pairs=sample_path("train")).startswith(other)
    assert refuse(1, "svm", *files, "--loss", "hamming").startswith(other)
    succeed("extract", TRAIN, "--model", "c.tw")
    message = "this is a model of rules; a checkpoint of train svm or perceptron is needed"
    assert message in refuse(1, "svm", *files)
    Path("c.tw").write_bytes(b"nonsense")
    assert refuse(1, "svm", *files).startswith("c.tw: not a whole model file")


def test_a_checkpoint_is_no_model(pairs: Path) -> None:
    train("svm", "--checkpoint", "c.tw")
    message = "c.tw: this is a checkpoint of train svm or perceptron; a model of rules is needed"
    for arguments in (["transduce", "c.tw", pairs], ["grammar", "show", "c.tw"]):
        assert fail(1, *arguments) == message


def test_the_interrupt_key_in_the_real_program() -> None:
    command = [*TREEWRIGHT, "train", "svm", TRAIN, "--model", "m.tw"]
    endless = ["--c", "100", "--tolerance", "1e-12", "--rounds", "1000000"]
    options = ["--checkpoint", "c.tw", "--checkpoint-every", "1"]
    with started(*command, *endless, *options, stderr=PIPE, text=True) as process:
        while not Path("c.tw").exists() and process.poll() is None:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate()
    assert process.returncode == 130, err
    assert "Traceback" not in err
    assert err.endswith(
        "treewright: interrupted: the last checkpoint is kept in c.tw; add --resume to continue\n"
    )
    assert [path.name for path in Path().iterdir()] == ["c.tw"]
