"""Choosing hyper-parameters: every point of a grid is trained and scored on held-out pairs."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

from treewright.compression.budgets import Budget
from treewright.compression.rewriting import UNLIMITED, Rewriter
from treewright.corpora import Pair
from treewright.evaluation import Evaluation, evaluate
from treewright.grammar import Model
from treewright.learning import IterativeLearner, TrainingSet
from treewright.progress import SILENT, Progress


@dataclass(frozen=True)
class Scored:
    """One point of the grid with its model, scored as decoded and at the gold rate.

    RelF1 alone picks near-copying, so points are ranked by the score at the matched rate.
    """

    settings: Mapping[str, Any]
    model: Model
    decoded: Evaluation
    matched: Evaluation


def score_model(
    model: Model, pairs: Sequence[Pair], *, target: int | None = None
) -> tuple[Evaluation, Evaluation]:
    """Evaluate a model on pairs, as decoded and with all outputs brought to the gold rate.

    `target` only goes into the signature: it is which of the corpus's targets the pairs hold.
    """
    decoded = _evaluate(model, pairs, UNLIMITED, "as decoded", target)
    gold = Budget(corpus_rate=min(1.0, decoded.score("gold_word_rate")))
    return decoded, _evaluate(model, pairs, gold, "at the gold rate", target)


def _evaluate(
    model: Model, pairs: Sequence[Pair], budget: Budget, name: str, target: int | None
) -> Evaluation:
    rewritings = Rewriter(model=model, budget=budget)(pair.source for pair in pairs)
    outputs = (r.best.tree if r.best is not None else None for r in rewritings)
    return evaluate(outputs, pairs, name=name, target=target)


def grid_search(
    learner: IterativeLearner,
    grid: Mapping[str, Sequence[float]],
    data: TrainingSet,
    held_out: Sequence[Pair],
    *,
    target: int | None = None,
    jobs: int = 1,
    progress: Progress = SILENT,
) -> list[Scored]:
    """Train and score every combination of settings, best at the matched rate first."""
    points = [dict(zip(grid, values, strict=True)) for values in itertools.product(*grid.values())]
    settings: list[dict[str, Any]] = [dict(point) for point in points]
    learners = [replace(learner, **setting) for setting in settings]
    results = _run(learners, _Task(data, held_out, target), jobs)
    scored = [
        Scored(point, *result)
        for point, result in progress.track(
            zip(points, results, strict=True), "searching the grid", len(points)
        )
    ]
    return sorted(scored, key=lambda s: -s.matched.score("relation_f1"))


Result = tuple[Model, Evaluation, Evaluation]


@dataclass(frozen=True)
class _Task:
    """What is the same for every point of the grid."""

    data: TrainingSet
    held_out: Sequence[Pair]
    target: int | None

    def __call__(self, learner: IterativeLearner) -> Result:
        model = learner.fit_prepared(self.data).model_
        return (model, *score_model(model, self.held_out, target=self.target))


def _run(learners: Sequence[IterativeLearner], task: _Task, jobs: int) -> Iterator[Result]:
    """Run the learners in turn, or in processes that receive the task once each."""
    if jobs == 1:
        yield from map(task, learners)
        return
    with ProcessPoolExecutor(jobs, initializer=_receive, initargs=(task,)) as pool:
        yield from pool.map(_work, learners)


_received: list[_Task] = []


def _receive(task: _Task) -> None:
    _received[:] = [task]


def _work(learner: IterativeLearner) -> Result:
    return _received[0](learner)
