"""Losses measured on a few pairs, and their picture."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from treewright.errors import UsageError
from treewright.evaluation import Evaluation
from treewright.learning import SVM
from treewright.plots import LossPoint, draw_losses, loss_table, measure_losses, vary_losses

from ..compression.toys import sample_pairs


def point(loss: str, c: float, rate: float, score: float) -> LossPoint:
    scores = {"word_rate": rate, "relation_f1": score, "token_f1": 0.5}
    return LossPoint(loss, c, True, cast(Evaluation, SimpleNamespace(score=scores.__getitem__)))


def test_learners_differ_in_loss_and_c() -> None:
    varied = vary_losses(SVM(rounds=7), ["f1", "hamming"], [1.0, 0.5, 1.0])
    assert [(each.loss, each.c) for each in varied] == [
        ("f1", 0.5),
        ("f1", 1.0),
        ("hamming", 0.5),
        ("hamming", 1.0),
    ]
    assert {each.rounds for each in varied} == {7}
    every = vary_losses(SVM(c=3.0))
    assert {each.c for each in every} == {3.0}
    assert {"precision", "precision-bp1", "precision-bp2", "hamming", "f1"} <= {
        each.loss for each in every
    }
    with pytest.raises(UsageError, match="unknown loss 'bleu'"):
        vary_losses(SVM(), ["bleu"])


def test_runs_share_prepared_data_and_are_those_of_single_training() -> None:
    pairs = sample_pairs("test")
    learner = SVM(rules=False, rounds=3)
    data = learner.prepare(pairs)
    points = measure_losses(vary_losses(learner, ["hamming"], [0.01, 1.0]), data, pairs, target=0)
    assert [(each.loss, each.c) for each in points] == [("hamming", 0.01), ("hamming", 1.0)]
    [alone] = measure_losses([SVM(rules=False, rounds=3, loss="hamming", c=1.0)], data, pairs)
    assert alone.as_dict() == points[1].as_dict()
    assert points[0].as_dict().keys() == {
        "loss",
        "c",
        "word_rate",
        "relation_f1",
        "token_f1",
        "converged",
    }


def test_the_picture_has_a_line_a_loss_and_a_mark_a_point() -> None:
    points = [
        point("f1", 0.1, 0.8, 0.6),
        point("f1", 1.0, 0.7, 0.5),
        point("errors", 0.1, 0.6, 0.4),
    ]
    figure = draw_losses(points, 0.65, title="losses")
    [panel] = figure.axes
    drawn: list[Any] = [line.get_xydata().round(6).tolist() for line in panel.get_lines()]
    assert drawn[1:4] == [[[80.0, 60.0], [70.0, 50.0]], [[80.0, 60.0]], [[70.0, 50.0]]]
    [legend] = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == [
        "references, 65.0 %",
        "f1",
        "errors",
        "marks grow with C, 0.1 to 1",
    ]
    [legend] = draw_losses(points[::2], 0.65).legends
    assert [text.get_text() for text in legend.get_texts()] == [
        "references, 65.0 %",
        "f1",
        "errors",
    ]


def test_the_table_has_a_row_a_point() -> None:
    table = loss_table([point("f1", 0.1, 0.8, 0.6), point("errors", 0.1, 0.6, 0.4)], title="t")
    cells = [list(column.cells) for column in table.columns]
    assert cells == [
        ["f1", "errors"],
        ["0.1", "0.1"],
        ["80.00", "60.00"],
        ["60.00", "40.00"],
        ["50.00"] * 2,
    ]
