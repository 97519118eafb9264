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


def score_model(model: Model, pairs: Sequence[Pair]) -> tuple[Evaluation, Evaluation]:
    """Evaluate a model on pairs, as decoded and with all outputs brought to the gold rate."""
    decoded = _evaluate(model, pairs, UNLIMITED, "as decoded")
    gold = Budget(corpus_rate=decoded.score("gold_word_rate"))
    return decoded, _evaluate(model, pairs, gold, "at the gold rate")


def _evaluate(model: Model, pairs: Sequence[Pair], budget: Budget, name: str) -> Evaluation:
    rewritings = Rewriter(model=model, budget=budget)(pair.source for pair in pairs)
    outputs = (r.best.tree if r.best is not None else None for r in rewritings)
    return evaluate(outputs, pairs, name=name)


def grid_search(
    learner: IterativeLearner,
    grid: Mapping[str, Sequence[float]],
    data: TrainingSet,
    held_out: Sequence[Pair],
    *,
    jobs: int = 1,
    progress: Progress = SILENT,
) -> list[Scored]:
    """Train and score every combination of settings, best at the matched rate first."""
    points = [dict(zip(grid, values, strict=True)) for values in itertools.product(*grid.values())]
    settings: list[dict[str, Any]] = [dict(point) for point in points]
    learners = [replace(learner, **setting) for setting in settings]
    results = _run(learners, data, held_out, jobs)
    scored = [
        Scored(point, *result)
        for point, result in progress.track(
            zip(points, results, strict=True), "searching the grid", len(points)
        )
    ]
    return sorted(scored, key=lambda s: -s.matched.score("relation_f1"))


Result = tuple[Model, Evaluation, Evaluation]


def _run(
    learners: Sequence[IterativeLearner],
    data: TrainingSet,
    held_out: Sequence[Pair],
    jobs: int,
) -> Iterator[Result]:
    if jobs == 1:
        return (_fit_and_score(learner, data, held_out) for learner in learners)
    return _run_parallel(learners, data, held_out, jobs)


def _run_parallel(
    learners: Sequence[IterativeLearner],
    data: TrainingSet,
    held_out: Sequence[Pair],
    jobs: int,
) -> Iterator[Result]:
    """Let each process receive the data once, and then only the learners it is to run."""
    with ProcessPoolExecutor(jobs, initializer=_receive, initargs=(data, held_out)) as pool:
        yield from pool.map(_work, learners)


_received: tuple[TrainingSet, Sequence[Pair]] | None = None


def _receive(data: TrainingSet, held_out: Sequence[Pair]) -> None:
    global _received
    _received = (data, held_out)


def _work(learner: IterativeLearner) -> Result:
    assert _received is not None
    return _fit_and_score(learner, *_received)


def _fit_and_score(
    learner: IterativeLearner, data: TrainingSet, held_out: Sequence[Pair]
) -> Result:
    model = learner.fit_prepared(data).model_
    return (model, *score_model(model, held_out))
