"""Tuning of a phrase model: better weights, and rounds that survive an interruption."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.translation.toy import PAIRS, toy_model
from treewright.forest import best_derivations
from treewright.learning.tuning import words_of
from treewright.translation import Outlined
from treewright.translation.training.tuning import (
    DevDecoder,
    DevSet,
    Log,
    TuningSettings,
    tune_model,
)

DEV = DevSet([Outlined(f.split()) for f, _, _ in PAIRS], [e.split() for _, e, _ in PAIRS])


def test_the_metric_sees_words_and_not_case() -> None:
    model = toy_model()
    shouted = DevSet(
        [Outlined(["The", "Zeppelin", "is", "big"])], [["DAS", "zeppelin", "IST", "groß"]]
    )
    decoder = DevDecoder(model, shouted, jobs=1)
    [graph] = decoder(model.weights)
    listed = best_derivations(graph.forest, graph.scores(model.weights), 1)
    start, words = words_of(graph, listed.start, listed.edges)
    rows = decoder.metric.statistics(np.zeros(1, np.int64), start, words)
    assert float(decoder.metric.score(rows[0])) == pytest.approx(100.0)


@pytest.mark.parametrize("method", ["mira", "mert", "pro"])
def test_tuning_does_not_lose(method: str, tmp_path: Path) -> None:
    model = toy_model()
    bad = model.features.named(model.weights) | {"lm": 0.0, "words": -1.0}
    weak = model.with_weights(model.features.weights(bad))
    log = Log(tmp_path / "tuning.json", {})
    tuned, found = tune_model(weak, DEV, DEV, TuningSettings(method, 4), log, seed=1)
    scores = [each.score for each in found.curve]
    assert found.curve[found.best].score == max(scores) > scores[0]
    assert np.array_equal(tuned.weights, found.weights)


def test_tuning_goes_on_from_the_last_round(tmp_path: Path) -> None:
    model, path = toy_model(), tmp_path / "tuning.json"
    settings = TuningSettings("mira", 2)
    tune_model(model, DEV, None, TuningSettings("mira", 1), Log(path, {"seed": 1}))
    finished = Log(path, {"seed": 1})
    again, found = tune_model(model, DEV, None, settings, finished)
    assert len(found.curve) == len(finished.rounds) == 2
    assert np.array_equal(again.weights, found.weights)
    interrupted = json.loads(path.read_text()) | {"best": None}
    interrupted["rounds"][0]["score"] = 101.0
    path.write_text(json.dumps(interrupted))
    last = json.loads(path.read_text())["rounds"][-1]["weights"]
    said: list[str] = []

    class Listener:
        def track(self, items, description, total=None):
            return items

        def say(self, message: str) -> None:
            said.append(message)

    _, found = tune_model(model, DEV, None, settings, Log(path, {"seed": 1}), progress=Listener())
    assert "going on from the last" in said[0]
    assert found.curve[1].weights == pytest.approx(last)
    assert found.curve[found.best].score == max(each.score for each in found.curve)
    assert Log(path, {"seed": 2}).rounds == []
    path.write_text("{")
    assert Log(path, {"seed": 1}).rounds == []
