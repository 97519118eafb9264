"""What the optimisers share: rounds, measurements, checkpoints, and the loop around them."""

from __future__ import annotations

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from treewright.arrays import Floats
from treewright.errors import DataError, ModelFileError, UsageError
from treewright.learning.checkpoints import NO_FILES, Checkpoint, TrainingFiles
from treewright.learning.margin.problem import Cut, Objective, Problem, Rescaling
from treewright.progress import SILENT, Progress

KIND = "margin-checkpoint"


CHUNKS = 4
"""Chunks per thread: examples differ in size, and one long chunk would keep the others waiting."""


class Separator:
    """Queries a problem in several threads. Its kernels release the lock, so threads suffice.

    The number of threads has no influence on the results. `seconds` adds up the time taken.
    """

    def __init__(self, problem: Problem, threads: int = 1) -> None:
        if threads < 1:
            raise UsageError(f"separation needs at least 1 thread, found {threads}")
        self.problem = problem
        self.threads = threads
        self.seconds = 0.0
        self._pool: ThreadPoolExecutor | None = None

    def separate(self, weights: Floats, examples: Sequence[int], rescaling: Rescaling) -> list[Cut]:
        """Return the most violated output of each example."""
        return self._ask(lambda part: self.problem.separate(weights, part, rescaling), examples)

    def predict(self, weights: Floats, examples: Sequence[int]) -> list[Cut]:
        """Return the best output of each example."""
        return self._ask(lambda part: self.problem.predict(weights, part), examples)

    def close(self) -> None:
        """End the threads; the next query starts new ones."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None

    def _ask(
        self, ask: Callable[[Sequence[int]], Sequence[Cut]], examples: Sequence[int]
    ) -> list[Cut]:
        begin = time.perf_counter()
        if self.threads == 1 or len(examples) < 2:
            cuts = list(ask(examples))
        else:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(self.threads)
            size = -(-len(examples) // (CHUNKS * self.threads))
            parts = [examples[at : at + size] for at in range(0, len(examples), size)]
            cuts = [cut for part in self._pool.map(ask, parts) for cut in part]
        self._check(cuts, examples)
        self.seconds += time.perf_counter() - begin
        return cuts

    def _check(self, cuts: list[Cut], examples: Sequence[int]) -> None:
        """Raise an error unless there is one cut for each example: kernels write where cuts point
        to.
        """
        if [cut.example for cut in cuts] != list(examples):
            raise ValueError("a problem must return one cut for each example, in their order")
        for cut in cuts:
            if len(cut.indices) and cut.indices[-1] >= self.problem.num_features:
                raise ValueError(f"feature {cut.indices[-1]} of {self.problem.num_features}")


@dataclass(frozen=True)
class Report:
    """The status of training after a round.

    `primal` is the lowest measured so far, that of the weights training would return now; None
    before the first measurement, and if there is no objective (perceptron). `updates` counts what
    the round changed: constraints added, steps made, mistakes corrected. `separating` is the part
    of `seconds` spent in the problem's own code.
    """

    round: int
    primal: float | None
    dual: float | None
    constraints: int
    updates: int
    seconds: float
    separating: float

    @property
    def gap(self) -> float | None:
        """By how much the primal can exceed the minimum at most; None if unknown."""
        if self.primal is None or self.dual is None:
            return None
        return self.primal - self.dual

    def __str__(self) -> str:
        parts = [f"round {self.round}:"]
        if self.primal is not None:
            parts.append(f"primal {self.primal:.6g},")
        if self.dual is not None:
            parts.append(f"dual {self.dual:.6g},")
        if self.gap is not None:
            parts.append(f"gap {self.gap:.2g},")
        parts.append(f"{self.constraints} constraints, {self.updates} updates,")
        parts.append(f"{self.seconds:.1f} s ({self.separating:.1f} s separating)")
        return " ".join(parts)


@dataclass(frozen=True)
class Result:
    """The weights, the report of each round, and whether the stopping rule was met."""

    weights: Floats
    reports: tuple[Report, ...]
    converged: bool


class Method(ABC):
    """An optimiser: `step` does one round; all state is in attributes that `arrays` and `numbers`
    save and `restore` restores, to the last bit.
    """

    name: ClassVar[str]

    def __init__(self, problem: Problem, *, threads: int = 1) -> None:
        if problem.num_examples < 1:
            raise DataError("no examples to learn from")
        self.problem = problem
        self.separator = Separator(problem, threads)
        self.weights: Floats = np.zeros(problem.num_features)
        self.round = 0
        self.updates = 0

    @abstractmethod
    def step(self) -> None:
        """Do one round."""

    @property
    @abstractmethod
    def converged(self) -> bool:
        """Whether the stopping rule is met."""

    @property
    def stuck(self) -> bool:
        """Whether another round would change nothing, however large the gap is."""
        return False

    @property
    @abstractmethod
    def learned(self) -> Floats:
        """The weights to return now."""

    @property
    def constraints(self) -> int:
        """How many constraints are held."""
        return 0

    def bounds(self) -> tuple[float | None, float | None]:
        """Return the primal and dual values to report."""
        return None, None

    @abstractmethod
    def settings(self) -> dict[str, Any]:
        """Return what a checkpoint must agree with. Threads are not included: they
        change nothing.
        """

    @abstractmethod
    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays of the state."""

    def numbers(self) -> dict[str, Any]:
        """Return the rest of the state."""
        return {"round": self.round, "updates": self.updates}

    @abstractmethod
    def restore(self, arrays: Mapping[str, NDArray[Any]], numbers: Mapping[str, Any]) -> None:
        """Restore a saved state; raise a `ValueError`, `KeyError` or `TypeError` if it
        is not one.
        """
        self.round, self.updates = int(numbers["round"]), int(numbers["updates"])

    def advance(self) -> Report:
        """Do one round and report on it."""
        begin, separating = time.perf_counter(), self.separator.seconds
        self.round += 1
        self.step()
        return Report(
            self.round,
            *self.bounds(),
            self.constraints,
            self.updates,
            time.perf_counter() - begin,
            self.separator.seconds - separating,
        )

    def save(self, path: str | Path) -> None:
        """Write a checkpoint."""
        Checkpoint(
            kind=KIND,
            arrays=self.arrays(),
            numbers=self.numbers(),
            settings=self.settings(),
            data=self.problem.fingerprint,
        ).save(path)

    def load(self, path: str | Path) -> None:
        """Continue from a checkpoint of the same problem and settings."""
        saved = Checkpoint.load(path, KIND)
        saved.check(path, self.settings(), self.problem.fingerprint)
        try:
            self.restore(saved.arrays, saved.numbers)
        except (KeyError, ValueError, TypeError, IndexError) as error:
            raise ModelFileError(f"its parts do not fit: {error}", where=str(path)) from None


class DualMethod(Method):
    """An optimiser of equation 4 that ascends in the dual and occasionally measures the primal.

    It returns the weights with the lowest primal measured: their gap is known, and the primal of a
    cutting-plane method goes up and down.
    """

    def __init__(self, problem: Problem, objective: Objective, *, threads: int = 1) -> None:
        super().__init__(problem, threads=threads)
        self.objective = objective
        self.cap = objective.c / problem.num_examples
        self.dual = 0.0
        self.primal = math.inf
        self.best: Floats = self.weights

    def measured(self, primal: float, weights: Floats) -> None:
        """Record the primal objective of some weights."""
        if primal < self.primal:
            self.primal, self.best = primal, weights.copy()

    def measure(self) -> list[Cut]:
        """Measure the primal of the current weights; return the cuts found along the way."""
        weights, rescaling = self.weights, self.objective.rescaling
        cuts = self.separator.separate(weights, range(self.problem.num_examples), rescaling)
        slack = sum(max(0.0, cut.violation(weights, rescaling)) for cut in cuts)
        self.measured(0.5 * float(weights @ weights) + self.cap * slack, weights)
        return cuts

    @property
    def converged(self) -> bool:
        """Whether the duality gap is small enough."""
        return self.primal - self.dual <= self.objective.allowed_gap(self.primal) < math.inf

    @property
    def learned(self) -> Floats:
        """The weights with the lowest primal measured, or else the current ones."""
        return self.best if self.primal < math.inf else self.weights

    def bounds(self) -> tuple[float | None, float | None]:
        """Return the lowest primal and the current dual value."""
        return (self.primal if self.primal < math.inf else None), self.dual

    def settings(self) -> dict[str, Any]:
        """Return the method's name and the objective."""
        return {"method": self.name, **asdict(self.objective)}

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the best weights and the current ones."""
        return {"weights": self.weights, "best": self.best}

    def numbers(self) -> dict[str, Any]:
        """Return the counters and both objectives."""
        primal = self.primal if self.primal < math.inf else None
        return {**super().numbers(), "dual": self.dual, "primal": primal}

    def restore(self, arrays: Mapping[str, NDArray[Any]], numbers: Mapping[str, Any]) -> None:
        """Restore both weights, the counters and the objectives."""
        super().restore(arrays, numbers)
        self.weights = fitting(arrays["weights"], self.problem.num_features)
        self.best = fitting(arrays["best"], self.problem.num_features)
        self.dual = float(numbers["dual"])
        self.primal = math.inf if numbers["primal"] is None else float(numbers["primal"])


def fitting(array: NDArray[Any], size: int) -> Floats:
    """Return a checkpoint's vector; a `ValueError` unless it is `size` finite numbers."""
    if array.shape != (size,) or array.dtype != np.float64 or not np.isfinite(array).all():
        raise ValueError(f"a vector of {size} numbers expected")
    return array.copy()


def train(
    method: Method,
    *,
    rounds: int = 500,
    files: TrainingFiles = NO_FILES,
    report: Callable[[Report], None] | None = None,
    progress: Progress = SILENT,
) -> Result:
    """Do rounds until the stopping rule is met, or `rounds` of them are done in total.

    A resumed run gives the same weights, to the last bit, as one that never stopped. So the last
    weights of a run that uses up its rounds are measured after its last checkpoint.
    """
    if rounds < 1:
        raise UsageError(f"training needs at least 1 round, found {rounds}")
    if files.resume:
        assert files.checkpoint is not None
        method.load(files.checkpoint)
    reports = []
    try:
        for done in progress.track(_rounds(method, rounds), f"training ({method.name})"):
            reports.append(done)
            progress.say(str(done))
            if report is not None:
                report(done)
            last = method.converged or method.stuck or method.round >= rounds
            if files.checkpoint is not None and (
                last or method.round % files.checkpoint_every == 0
            ):
                method.save(files.checkpoint)
        if isinstance(method, DualMethod) and not (method.converged or method.stuck):
            method.measure()
    finally:
        method.separator.close()
    return Result(method.learned, tuple(reports), method.converged)


def _rounds(method: Method, rounds: int) -> Iterator[Report]:
    while method.round < rounds and not (method.converged or method.stuck):
        yield method.advance()
