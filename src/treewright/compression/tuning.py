"""Choosing hyperparameters: every point of a grid is trained and scored on held-out pairs.

This module imports the learners, so the room does not import it for those who only rewrite.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from treewright.compression.models import AnyModel
from treewright.compression.scoring import Scores, score_model
from treewright.corpora import Pair
from treewright.evaluation import Evaluation
from treewright.learning import Learner
from treewright.learning.gibbs import Spread
from treewright.processes import Done, Task, in_processes, results
from treewright.progress import SILENT, Progress

Data = TypeVar("Data")
Learned = TypeVar("Learned", bound=AnyModel)
Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Scored(Generic[Learned]):
    """One point of the grid with its model, scored as decoded and at the gold rate.

    If a point has several `chains`, each with one of `models`, `model` is the one with the greatest
    objective.
    """

    settings: Mapping[str, Any]
    model: Learned
    decoded: Evaluation
    matched: Evaluation
    chains: Sequence[Scores]
    models: Sequence[Learned]

    def spread(self, column: str, *, matched: bool) -> Spread:
        """Summarise a score over the chains, at the gold rate if `matched`."""
        return Spread.of([scores[matched].score(column) for scores in self.chains])


def score_models(
    models: Sequence[AnyModel],
    pairs: Sequence[Pair],
    *,
    target: int | None = None,
    decode: str = "viterbi",
    jobs: int = 1,
    progress: Progress = SILENT,
) -> list[Scores]:
    """Evaluate several models as `score_model` does one."""
    return _run(_Scoring(pairs, target, decode), models, jobs, progress, "scoring")


def grid_search(
    learner: Learner[Data, Learned],
    grid: Mapping[str, Sequence[float]],
    data: Data,
    held_out: Sequence[Pair],
    *,
    target: int | None = None,
    decode: str = "viterbi",
    chains: int = 1,
    jobs: int = 1,
    progress: Progress = SILENT,
) -> list[Scored[Learned]]:
    """Train and score every combination of settings, best first.

    RelF1 as decoded favours near-copying, so points are ranked by RelF1 at the matched rate; with
    several `chains` of a sampler, which have consecutive seeds, by the mean.
    """
    points = [dict(zip(grid, values, strict=True)) for values in itertools.product(*grid.values())]
    learners = [
        replace(learner, **seeded)
        for point in points
        for seeded in _seeded(learner, dict[str, Any](point), chains)
    ]
    task = _Training[Data, Learned](data, _Scoring(held_out, target, decode))
    runs = _run(task, learners, jobs, progress, "searching the grid")
    parts = [runs[start : start + chains] for start in range(0, len(runs), chains)]
    scored = [_best_chain(point, part) for point, part in zip(points, parts, strict=True)]
    return sorted(scored, key=lambda s: -s.spread("relation_f1", matched=True).mean)


def _seeded(learner: Any, settings: dict[str, Any], chains: int) -> list[dict[str, Any]]:
    """Return the settings of every chain; a single chain needs no seed."""
    if chains == 1:
        return [settings]
    return [{**settings, "seed": learner.seed + chain} for chain in range(chains)]


Run = tuple[Learned, Scores]


def _best_chain(point: Mapping[str, Any], runs: Sequence[Run[Learned]]) -> Scored[Learned]:
    model, scores = max(runs, key=lambda run: float(run[0].metadata["objective"]))
    models, chains = zip(*runs, strict=True)
    return Scored(point, model, *scores, chains, models)


@dataclass(frozen=True)
class _Scoring:
    """What is the same for every model."""

    held_out: Sequence[Pair]
    target: int | None
    decode: str

    def __call__(self, model: AnyModel, progress: Progress) -> Scores:
        return score_model(model, self.held_out, target=self.target, decode=self.decode)


@dataclass(frozen=True)
class _Training(Generic[Data, Learned]):
    """What is the same for every point of the grid."""

    data: Data
    scoring: _Scoring

    def __call__(self, learner: Learner[Data, Learned], progress: Progress) -> Run[Learned]:
        model = learner.fit_prepared(self.data).model_
        return model, self.scoring(model, progress)


def _run(
    task: Task[Item, Result], items: Sequence[Item], jobs: int, progress: Progress, what: str
) -> list[Result]:
    """Process the items in turn or in parallel processes; results keep the order of the items."""
    done: Iterable[Done[Result]]
    if min(jobs, len(items)) <= 1:
        done = (Done(place, task(item, SILENT)) for place, item in enumerate(items))
    else:
        events = in_processes(task, items, jobs)
        done = (event for event in events if isinstance(event, Done))
    return results(progress.track(done, what, len(items)))
