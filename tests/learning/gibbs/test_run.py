"""Annealed runs: a resumed one equals one that never stopped, bit by bit."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import pytest

from treewright.errors import DataError, UsageError
from treewright.learning.gibbs import Gibbs, Report, RunFiles
from treewright.learning.gibbs.files import REFRESH
from treewright.learning.gibbs.packing import PackedPairs
from treewright.progress import Item, Silent

from .toys import sample_pairs

PACKED = PackedPairs.pack(sample_pairs("train")[:20])
RUNS: dict[str, dict[str, Any]] = {
    "plain": {},
    "samples": {"samples": 3, "spacing": 2},
    "hyper-parameters": {"resample_hyperparameters": True},
    "all": {"resample_hyperparameters": True, "samples": 2, "schedule": "cosine"},
}


class Cut(Silent):
    """Interrupts the work after some steps."""

    def __init__(self, steps: int) -> None:
        self.steps = steps
        self.said: list[str] = []

    def track(
        self, items: Iterable[Item], description: str, total: int | None = None
    ) -> Iterator[Item]:
        for number, item in enumerate(items):
            if number == self.steps:
                raise KeyboardInterrupt
            yield item

    def say(self, message: str) -> None:
        self.said.append(message)


def gibbs(**settings: Any) -> Gibbs:
    return Gibbs(**{"iterations": 230, "pruning": False, **settings})


def outcome(learner: Gibbs, path: Path) -> tuple[float, bytes]:
    learner.model_.save(path)
    return learner.log_joint_, path.read_bytes()


@pytest.mark.parametrize("steps", [57, 120, 229])
@pytest.mark.parametrize("name", RUNS)
def test_a_resumed_run_equals_one_that_never_stopped(name: str, steps: int, tmp_path: Path) -> None:
    learner = gibbs(**RUNS[name])
    whole = outcome(learner.fit_prepared(PACKED), tmp_path / "whole")
    reports = [timeless(report) for report in learner.reports_]
    files = RunFiles(checkpoint=tmp_path / "c", checkpoint_every=1)
    with pytest.raises(KeyboardInterrupt):
        learner.fit_prepared(PACKED, files=files, progress=Cut(steps))
    again = gibbs(**RUNS[name])
    resumed = RunFiles(checkpoint=tmp_path / "c", resume=True)
    assert outcome(again.fit_prepared(PACKED, files=resumed), tmp_path / "resumed") == whole
    late = [timeless(report) for report in again.reports_]
    assert late == reports[-len(late) :]
    assert again.reports_[0].iteration == steps // REFRESH * REFRESH + 2


def timeless(report: Report) -> dict[str, Any]:
    return {**asdict(report), "updates_per_second": 0.0}


def test_a_finished_run_has_nothing_left_to_do(tmp_path: Path) -> None:
    files = RunFiles(checkpoint=tmp_path / "c")
    learner = gibbs(samples=2)
    whole = outcome(learner.fit_prepared(PACKED, files=files), tmp_path / "a")
    resumed = RunFiles(checkpoint=tmp_path / "c", resume=True)
    assert outcome(learner.fit_prepared(PACKED, files=resumed), tmp_path / "b") == whole
    assert learner.reports_ == []


def test_a_checkpoint_leaves_the_run_as_it_is(tmp_path: Path) -> None:
    files = RunFiles(checkpoint=tmp_path / "c", checkpoint_every=1, trace=tmp_path / "t")
    plain = outcome(gibbs().fit_prepared(PACKED), tmp_path / "a")
    assert outcome(gibbs().fit_prepared(PACKED, files=files), tmp_path / "b") == plain


def test_checkpoints_fall_on_the_first_refresh_that_is_due() -> None:
    files = RunFiles(checkpoint="c", checkpoint_every=70)
    assert [i for i in range(1, 331) if files.due(i, 330)] == [100, 150, 250, 300, 330]
    assert not RunFiles(checkpoint_every=1).due(50, 50)


def test_the_best_state_of_the_run_is_kept() -> None:
    learner = gibbs(schedule="constant", hottest=1.0, iterations=60).fit_prepared(PACKED)
    reported = [report.log_joint for report in learner.reports_]
    assert learner.log_joint_ == pytest.approx(max(reported), abs=1e-6)
    assert learner.log_joint_ > reported[-1]


def test_a_trace_has_every_report(tmp_path: Path) -> None:
    trace = tmp_path / "t.jsonl"
    trace.write_text("of an earlier run\n")
    learner = gibbs().fit_prepared(PACKED, files=RunFiles(trace=trace, chain=3))
    lines = [json.loads(line) for line in trace.read_text().splitlines()]
    assert lines == [asdict(report) for report in learner.reports_]
    assert list(lines[0]) == [field.name for field in fields(Report)]
    assert [line["iteration"] for line in lines] == list(range(2, 231, 2))
    assert {line["chain"] for line in lines} == {3}
    assert (lines[0]["temperature"], lines[-1]["temperature"]) == (pytest.approx(5 - 5 / 229), 0.0)
    assert all(0.0 <= line["changed"] <= 1.0 and line["rules"] > 0 for line in lines)


def test_a_resumed_trace_goes_on_behind_its_last_whole_line(tmp_path: Path) -> None:
    files = RunFiles(checkpoint=tmp_path / "c", checkpoint_every=1, trace=tmp_path / "t")
    with pytest.raises(KeyboardInterrupt):
        gibbs().fit_prepared(PACKED, files=files, progress=Cut(57))
    with (tmp_path / "t").open("a") as lines:
        lines.write('{"chain": 0, "itera')
    resumed = RunFiles(checkpoint=tmp_path / "c", resume=True, trace=tmp_path / "t")
    gibbs().fit_prepared(PACKED, files=resumed)
    found = [json.loads(line)["iteration"] for line in (tmp_path / "t").read_text().splitlines()]
    assert found == [*range(2, 57, 2), *range(52, 231, 2)]


def test_a_run_speaks_ten_times() -> None:
    progress = Cut(1000)
    gibbs(iterations=200).fit_prepared(PACKED, progress=progress)
    assert len(progress.said) == 10
    assert progress.said[-1].startswith("chain 0, sweep 200: log joint -")
    assert ", temperature 0.00, " in progress.said[-1]
    gibbs(iterations=3).fit_prepared(PACKED, progress=progress)
    assert progress.said[-1].startswith("chain 0, sweep 3: ")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"checkpoint_every": 0}, "checkpoint_every must be at least 1, found 0"),
        ({"resume": True}, "nothing to resume from; name the checkpoint"),
        ({"checkpoint": "-"}, "files, not standard output"),
        ({"trace": "-"}, "files, not standard output"),
    ],
)
def test_files_that_make_no_sense(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        RunFiles(**settings)


def test_files_that_cannot_be_written(tmp_path: Path) -> None:
    for name in ("trace", "checkpoint"):
        files = RunFiles(**{name: tmp_path / "none" / "x"})
        with pytest.raises(DataError, match=r"none/x: cannot write it: No such file"):
            gibbs(iterations=1).fit_prepared(PACKED, files=files)
