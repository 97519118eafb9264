"""Commands that train linear models in a few steps, and pairs for them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from treewright.data import sample_path

from .runner import Run, fail, succeed

TRAIN = sample_path("test")  # the smaller part
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
