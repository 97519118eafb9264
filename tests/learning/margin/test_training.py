"""Threads, checkpoints, reports, and requests that make no sense."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from treewright.errors import DataError, ModelFileError, UsageError
from treewright.learning.checkpoints import Checkpoint, TrainingFiles
from treewright.learning.margin.frank_wolfe import FrankWolfe
from treewright.learning.margin.method import KIND, train
from treewright.learning.margin.n_slack import NSlack
from treewright.learning.margin.perceptron import Perceptron
from treewright.learning.margin.problem import Cut, Objective
from treewright.progress import Silent

from .toys import NAMES, Enumerated, make, primal, random_problem

STRICT = Objective(c=5.0, tolerance=1e-7)


@pytest.mark.parametrize("name", NAMES)
def test_threads_change_nothing(name):
    problem = random_problem(6)
    results = [train(make(name, problem, STRICT, threads), rounds=12) for threads in (1, 3)]
    assert results[0].weights.tobytes() == results[1].weights.tobytes()


@pytest.mark.parametrize("name", NAMES)
def test_a_resumed_run_is_the_same_to_the_last_bit(name, tmp_path):
    problem, path = random_problem(7), tmp_path / "state"
    whole = train(make(name, problem, STRICT), rounds=13)
    files = TrainingFiles(checkpoint=path, checkpoint_every=3)

    def interrupt(report):
        if report.round == 8:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(make(name, problem, STRICT), rounds=13, files=files, report=interrupt)
    assert Checkpoint.load(path, KIND).numbers["round"] == 6
    resume = TrainingFiles(checkpoint=path, checkpoint_every=3, resume=True)
    resumed = train(make(name, problem, STRICT), rounds=13, files=resume)
    assert resumed.reports[0].round == 7
    assert resumed.weights.tobytes() == whole.weights.tobytes()
    for before, after in zip(whole.reports[6:], resumed.reports, strict=True):
        assert (before.primal, before.dual, before.constraints, before.updates) == (
            after.primal,
            after.dual,
            after.constraints,
            after.updates,
        )


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("short", [4, 5, 7])
def test_a_run_given_more_rounds_is_the_same_to_the_last_bit(name, short, tmp_path):
    problem, path = random_problem(7), tmp_path / "state"
    whole = train(make(name, problem, STRICT), rounds=13)
    train(make(name, problem, STRICT), rounds=short, files=TrainingFiles(checkpoint=path))
    resume = TrainingFiles(checkpoint=path, resume=True)
    resumed = train(make(name, problem, STRICT), rounds=13, files=resume)
    assert resumed.weights.tobytes() == whole.weights.tobytes()
    assert [report.primal for report in resumed.reports] == [
        report.primal for report in whole.reports[short:]
    ]


@pytest.mark.parametrize("name", [name for name in NAMES if name != "perceptron"])
@pytest.mark.parametrize("rounds", [1, 4, 5, 7])
def test_the_objective_of_what_is_returned_is_known(name, rounds, tmp_path):
    problem, path = random_problem(7), tmp_path / "state"
    run = make(name, problem, STRICT)
    result = train(run, rounds=rounds, files=TrainingFiles(checkpoint=path))
    found, dual = run.bounds()
    assert found == pytest.approx(primal(problem, STRICT, result.weights))
    assert found <= primal(problem, STRICT, run.weights) + 1e-12 and dual <= found
    again = make(name, problem, STRICT)
    train(again, rounds=rounds, files=TrainingFiles(checkpoint=path, resume=True))
    assert again.bounds() == (found, dual)


@pytest.mark.parametrize("name", NAMES)
def test_a_finished_run_resumes_to_its_result(name, tmp_path):
    problem, path = random_problem(8), tmp_path / "state"
    files = TrainingFiles(checkpoint=path)
    first = train(make(name, problem, Objective(c=0.1)), rounds=30, files=files)
    again = train(
        make(name, problem, Objective(c=0.1)),
        rounds=30,
        files=TrainingFiles(checkpoint=path, resume=True),
    )
    assert again.reports == () and again.weights.tobytes() == first.weights.tobytes()


def test_a_checkpoint_of_something_else_is_refused(tmp_path):
    path = tmp_path / "state"
    files = TrainingFiles(checkpoint=path, resume=True)
    NSlack(random_problem(1), Objective(c=1.0)).save(path)
    with pytest.raises(DataError, match="other data"):
        train(NSlack(random_problem(2), Objective(c=1.0)), files=files)
    with pytest.raises(UsageError, match=r"c 1.0, found 2.0; resume with the same settings"):
        train(NSlack(random_problem(1), Objective(c=2.0)), files=files)
    with pytest.raises(UsageError, match=r"batch 32, found None"):
        train(FrankWolfe(random_problem(1), Objective(c=1.0)), files=files)


@pytest.mark.parametrize("name", NAMES)
def test_a_damaged_state_is_refused(name, tmp_path):
    problem, path = random_problem(1), tmp_path / "state"
    run = make(name, problem, STRICT)
    run.advance()
    run.save(path)
    saved = Checkpoint.load(path, KIND)
    arrays, numbers = run.arrays(), run.numbers()
    for part in arrays:
        damaged = {**arrays, part: np.append(arrays[part], arrays[part])}
        replace(saved, arrays=damaged).save(path)
        with pytest.raises(ModelFileError, match="do not fit"):
            make(name, problem, STRICT).load(path)
    for part in numbers:
        rest = {key: number for key, number in numbers.items() if key != part}
        replace(saved, numbers=rest).save(path)
        with pytest.raises(ModelFileError, match="do not fit"):
            make(name, problem, STRICT).load(path)


def test_rounds_are_reported_as_they_end():
    said, seen = [], []

    class Listener(Silent):
        def say(self, message):
            said.append(message)

    run = NSlack(random_problem(1), Objective())
    result = train(run, report=seen.append, progress=Listener())
    assert tuple(seen) == result.reports and len(said) == len(seen)
    assert said[0].startswith("round 1: primal ") and " 12 constraints, 12 updates, " in said[0]
    assert all(report.seconds >= report.separating > 0.0 for report in seen)


@pytest.mark.parametrize("number", [0.0, -1.0, math.nan, math.inf])
def test_numbers_that_make_no_sense(number):
    with pytest.raises(UsageError, match="C must be a finite number above 0"):
        Objective(c=number)
    with pytest.raises(UsageError, match="tolerance must be a finite number above 0"):
        Objective(tolerance=number)


def test_requests_that_make_no_sense():
    problem, objective = random_problem(0), Objective()
    with pytest.raises(UsageError, match="choose one of: margin, slack"):
        Objective(rescaling="loss")  # type: ignore[arg-type]
    for make_one in (
        lambda: NSlack(problem, objective, batch=0),
        lambda: NSlack(problem, objective, patience=0),
        lambda: FrankWolfe(problem, objective, check_every=0),
        lambda: Perceptron(problem, threads=0),
        lambda: train(Perceptron(problem), rounds=0),
        lambda: TrainingFiles(checkpoint_every=0),
    ):
        with pytest.raises(UsageError, match="at least 1"):
            make_one()
    with pytest.raises(UsageError, match="nothing to resume"):
        TrainingFiles(resume=True)
    with pytest.raises(UsageError, match="not standard output"):
        TrainingFiles(checkpoint="-")
    empty = Enumerated([np.zeros((1, 1))], [np.zeros(1)])
    empty.num_examples = 0
    with pytest.raises(DataError, match="no examples"):
        NSlack(empty, objective)


@pytest.mark.parametrize(
    ("indices", "values", "loss"),
    [([1, 1], [1.0, 1.0], 0.5), ([2, 1], [1.0, 1.0], 0.5), ([-1], [1.0], 0.5),
     ([1], [1.0, 2.0], 0.5), ([1], [1.0], -0.5), ([1], [1.0], math.nan)],
)  # fmt: skip
def test_cuts_that_kernels_cannot_trust_are_refused(indices, values, loss):
    with pytest.raises(ValueError, match=r"indices|loss"):
        Cut(0, np.array(indices, np.int32), np.array(values), loss)


def test_problems_that_break_their_promise_are_found():
    problem = random_problem(0)
    cut = Cut(0, np.array([99], np.int32), np.ones(1), 1.0)
    problem.separate = lambda weights, examples, rescaling: [cut]
    with pytest.raises(ValueError, match="one cut for each example"):
        NSlack(problem, Objective()).advance()
    problem.num_examples = 1
    with pytest.raises(ValueError, match="feature 99 of 8"):
        NSlack(problem, Objective()).advance()
