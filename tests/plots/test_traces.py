"""Traces as they are read and as they are drawn."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from treewright.errors import DataError
from treewright.plots import draw_traces, read_traces

from .toys import sweep, turn, write_trace


def test_chains_come_apart_in_order(tmp_path: Path) -> None:
    traces = read_traces(write_trace(tmp_path / "t.jsonl"))
    assert [trace.chain for trace in traces] == [0, 1]
    assert traces[0].sweeps.tolist() == [1, 2, 4]
    assert traces[1].values["log_joint"].tolist() == [-999.0, -998.0, -996.0]
    assert traces[1].values["rules"].tolist() == [39, 38, 36]


def test_what_was_reported_last_counts(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text(sweep(0, 1) + sweep(0, 2) + sweep(0, 3) + "\n" + sweep(0, 2, rules=7))
    [trace] = read_traces(str(path))
    assert trace.sweeps.tolist() == [1, 2, 3]
    assert trace.values["rules"].tolist() == [39, 7, 37]


def test_the_line_being_written_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text(sweep(0, 1) + sweep(0, 2)[:30])
    [trace] = read_traces(str(path))
    assert trace.sweeps.tolist() == [1]


def test_null_is_not_a_number(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text(sweep(0, 1, changed=None))
    [trace] = read_traces(str(path))
    assert np.isnan(trace.values["changed"]).all()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", ": no reports in it; expected what train … --trace writes"),
        (sweep(0, 1) + "{\n", ":2: not JSON; expected one object per report"),
        ("3\n", ":1: expected one object per report"),
        ('{"chain": 0}\n', ":1: no field 'iteration'; is this a trace?"),
        (sweep(0, 1, rules="many"), ":1: 'rules' is 'many'; expected a number"),
        (sweep(0, 1, chain=None), ":1: 'chain' is None; expected a whole number"),
        (sweep(0, 1, chain=math.inf), ":1: 'chain' is inf; expected a whole number"),
        (sweep(0, 1, iteration=math.nan), ":1: 'iteration' is nan; expected a whole number"),
        (sweep(0, 1, iteration=1.5), ":1: 'iteration' is 1.5; expected a whole number"),
        (sweep(0, 1, chain=10**400), f":1: 'chain' is 1{'0' * 39}; expected a whole number"),
        (sweep(0, 1, rules=10**400), f":1: 'rules' is 1{'0' * 39}; expected a number"),
        (sweep(0, 1, log_joint=True), ":1: 'log_joint' is True; expected a number"),
        (turn(1, dual="x"), ":1: 'dual' is 'x'; expected a number"),
        (turn(None), ":1: 'round' is None; expected a whole number"),
        (turn(1) + sweep(0, 1), ":2: no field 'round'; is this a trace?"),
        ("\x00\n", ":1:1: a NUL byte; the file is not text"),
    ],
)
def test_bad_traces(content: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text(content)
    with pytest.raises(DataError) as caught:
        read_traces(str(path))
    assert str(caught.value) == f"{path}{message}"


def test_the_picture_has_a_line_a_chain_in_every_panel(tmp_path: Path) -> None:
    traces = read_traces(write_trace(tmp_path / "t.jsonl"))
    figure = draw_traces(traces, title="a run")
    titles = [panel.get_title(loc="left") for panel in figure.axes]
    assert titles[:3] == ["log joint probability", "temperature", "distinct rules"]
    for panel, column in zip(figure.axes, ("log_joint", "temperature", "rules"), strict=False):
        lines = [np.column_stack(line.get_data()).tolist() for line in panel.get_lines()]
        assert lines == [
            np.column_stack([trace.sweeps, trace.values[column]]).tolist() for trace in traces
        ]
    assert figure.axes[3].get_lines()[0].get_ydata().tolist() == [50.0, 50.0, 50.0]
    [legend] = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["chain 0", "chain 1"]
    assert not draw_traces(traces[:1]).legends


def test_rounds_are_read_and_drawn(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text(turn(1) + turn(2) + turn(3, primal=4.0, gap=0.5) + turn(2, dual=2.5))
    [trace] = read_traces(str(path))
    assert trace.sweeps.tolist() == [1, 2, 3]
    assert trace.values["dual"].tolist() == [1.0, 2.5, 3.0]
    assert np.isnan(trace.values["primal"]).tolist() == [True, True, False]
    figure = draw_traces([trace], title="a run")
    titles = [panel.get_title(loc="left") for panel in figure.axes]
    assert titles == ["objective", "gap between primal and dual", "constraints", "seconds a round"]
    primal, dual = figure.axes[0].get_lines()
    assert primal.get_xydata().tolist() == [[3.0, 4.0]]
    assert dual.get_xydata().tolist() == [[1.0, 1.0], [2.0, 2.5], [3.0, 3.0]]
    assert figure.axes[1].get_yscale() == "log"


def test_rounds_without_an_objective_are_drawn(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text(turn(1, dual=None))
    figure = draw_traces(read_traces(str(path)))
    assert figure.axes[1].get_yscale() == "linear"
    assert figure.axes[3].get_lines()[0].get_xydata().tolist() == [[1.0, 0.5]]
