"""One annealed run of the sampler: sweeps, the best state so far, reports and checkpoints."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from treewright.arrays import Ints
from treewright.errors import ModelFileError, UsageError, choose
from treewright.learning.checkpoints import Checkpoint
from treewright.learning.checks import check_number
from treewright.learning.gibbs.files import NO_FILES, REFRESH, RunFiles
from treewright.learning.gibbs.sampler import Sampler
from treewright.progress import SILENT, Progress

KIND = "gibbs-checkpoint"

HYPERPARAMETERS = 10
"""Sweeps between two draws of the hyperparameters."""


SCHEDULES: dict[str, Callable[[float, float, float], float]] = {
    "linear": lambda hot, cold, share: hot + (cold - hot) * share,
    "cosine": lambda hot, cold, share: cold + (hot - cold) * (1 + math.cos(math.pi * share)) / 2,
    "geometric": lambda hot, cold, share: hot * (cold / hot) ** share,
    "constant": lambda hot, cold, share: hot,
}
"""Functions of the hottest and the coldest temperature and the completed share of the run; the
constant schedule stays at the hottest.
"""


@dataclass(frozen=True)
class Annealing:
    """The temperatures of a run; the paper's falls linearly from 5 to 0."""

    schedule: str
    hottest: float
    coldest: float
    iterations: int

    def __post_init__(self) -> None:
        choose(self.schedule, SCHEDULES, "schedule")
        check_number("hottest", self.hottest, above=0.0)
        check_number("coldest", self.coldest, least=0.0, most=self.hottest)
        if self.schedule == "geometric" and self.coldest == 0.0:
            raise UsageError("a geometric schedule never reaches 0; give coldest, such as 0.01")

    def temperature(self, iteration: int) -> float:
        """Return the temperature of a sweep, counted from 0; a single sweep is the last."""
        share = iteration / (self.iterations - 1) if self.iterations > 1 else 1.0
        return SCHEDULES[self.schedule](self.hottest, self.coldest, share)


@dataclass(frozen=True)
class Report:
    """The status of a chain after a sweep; shares are of all updates since the previous report."""

    chain: int
    iteration: int
    temperature: float
    log_joint: float
    changed: float
    rules: int
    updates_per_second: float

    def __str__(self) -> str:
        return (
            f"chain {self.chain}, sweep {self.iteration}: log joint {self.log_joint:.0f}, "
            f"temperature {self.temperature:.2f}, {100 * self.changed:.1f} % changed, "
            f"{self.rules} rules, {self.updates_per_second / 1e6:.2f} M updates/s"
        )


class Run:
    """An annealed run; `best` is the state with the greatest log joint so far, and its
    parameters.
    """

    def __init__(
        self,
        sampler: Sampler,
        annealing: Annealing,
        *,
        resample: bool,
        settings: Mapping[str, Any],
        data: str,
    ) -> None:
        self.sampler = sampler
        self.annealing = annealing
        self.resample = resample
        self.settings = settings
        self.data = data
        self.iteration = 0
        self.reports: list[Report] = []
        self._keep_best()
        self._meter = _Meter()

    @property
    def log_density(self) -> float:
        """What the best state maximises: the log joint, with the priors of what is drawn."""
        return self.sampler.log_joint + (self.sampler.log_hyperprior if self.resample else 0.0)

    def _keep_best(self) -> None:
        self.best = self.log_density
        self.best_to: Ints = self.sampler.to.copy()
        self.best_alphas = self.sampler.roots["alpha"].copy()
        self.best_betas = self.sampler.betas.copy()

    def finish(self, files: RunFiles = NO_FILES, progress: Progress = SILENT) -> None:
        """Sweep to the end of the schedule, from the checkpoint if requested."""
        iterations = self.annealing.iterations
        if files.resume:
            assert files.checkpoint is not None
            self._restore(files.checkpoint)
        every = max(1, iterations // 100)
        left = range(self.iteration, iterations)
        with files.open_trace() as trace:
            for iteration in progress.track(left, "sampling", len(left)):
                self.step()
                if self.iteration % every == 0 or self.iteration == iterations:
                    report = self._report(files.chain, self.annealing.temperature(iteration))
                    if trace is not None:
                        trace.write(json.dumps(asdict(report)) + "\n")
                    if self.iteration % (10 * every) == 0 or self.iteration == iterations:
                        progress.say(str(report))
                if files.due(self.iteration, iterations):
                    assert files.checkpoint is not None
                    self._checkpoint().save(files.checkpoint)

    def step(self) -> None:
        """Do one sweep, and what is due after it."""
        temperature = self.annealing.temperature(self.iteration)
        begin = time.perf_counter()
        changed = self.sampler.sweep(temperature)
        self._meter.add(changed, self.sampler.packed.sites, time.perf_counter() - begin)
        self.iteration += 1
        if self.resample and temperature > 0.0 and self.iteration % HYPERPARAMETERS == 0:
            self.sampler.resample_hyperparameters()
        if self.log_density > self.best:
            self._keep_best()
        if self.iteration % REFRESH == 0:
            self.sampler.refresh()

    def _report(self, chain: int, temperature: float) -> Report:
        meter, self._meter = self._meter, _Meter()
        report = Report(
            chain,
            self.iteration,
            temperature,
            self.sampler.log_joint,
            meter.changed / max(1, meter.updates),
            self.sampler.rules,
            meter.updates / max(1e-9, meter.seconds),
        )
        self.reports.append(report)
        return report

    def _checkpoint(self) -> Checkpoint:
        sampler = self.sampler
        return Checkpoint(
            kind=KIND,
            arrays={
                "to": sampler.to,
                "alpha": sampler.roots["alpha"].copy(),
                "betas": sampler.betas,
                "order": sampler.order,
                "site": sampler.layout.site,
                "best_to": self.best_to,
                "best_alphas": self.best_alphas,
                "best_betas": self.best_betas,
            },
            numbers={
                "iteration": self.iteration,
                "best": self.best,
                "random": sampler.random.bit_generator.state,
            },
            settings=self.settings,
            data=self.data,
        )

    def _restore(self, path: str | Path) -> None:
        saved = Checkpoint.load(path, KIND)
        saved.check(path, self.settings, self.data)
        try:
            self._check_parts(saved)
            self._go_on_from(saved)
        except (KeyError, ValueError, TypeError) as error:
            raise ModelFileError(f"its parts do not fit: {error}", where=str(path)) from None

    def _check_parts(self, saved: Checkpoint) -> None:
        """Raise a `ValueError` unless the parts are a state of this run, because kernels trust
        them.

        A checkpoint from a stranger is data, and must not be able to do more than stop the run.
        """
        sampler, arrays = self.sampler, saved.arrays
        for name in ("to", "best_to"):
            if not sampler.packed.admits(arrays[name]):
                raise ValueError(f"{name} is not a state of these pairs")
        for name, own in (("order", sampler.order), ("site", sampler.layout.site)):
            if not np.array_equal(np.sort(arrays[name]), np.sort(own)):
                raise ValueError(f"{name} is not in some order of the run's own")
        for name, values in (("alpha", sampler.roots["alpha"]), ("betas", sampler.betas)):
            top = np.inf if name == "alpha" else 1.0
            for part in (arrays[name], arrays["best_" + name.rstrip("s") + "s"]):
                inside = (part > 0.0) & (part < top)
                if part.shape != values.shape or part.dtype != values.dtype or not inside.all():
                    raise ValueError(f"{name} out of bounds")
        iteration, best = saved.numbers["iteration"], saved.numbers["best"]
        if type(iteration) is not int or not 0 <= iteration <= self.annealing.iterations:
            raise ValueError(f"iteration {iteration!r}")
        if type(best) is not float or not np.isfinite(best):
            raise ValueError(f"best {best!r}")

    def _go_on_from(self, saved: Checkpoint) -> None:
        sampler, arrays = self.sampler, saved.arrays
        sampler.nodes["to"] = arrays["to"]
        sampler.roots["alpha"] = arrays["alpha"]
        sampler.betas[:] = arrays["betas"]
        sampler.order[:] = arrays["order"]
        sampler.layout.site[:] = arrays["site"]
        sampler.random.bit_generator.state = saved.numbers["random"]
        sampler.refresh()
        self.iteration, self.best = saved.numbers["iteration"], saved.numbers["best"]
        self.best_to = arrays["best_to"].astype(np.int32)
        self.best_alphas, self.best_betas = arrays["best_alphas"], arrays["best_betas"]


class _Meter:
    """Sums between two reports."""

    def __init__(self) -> None:
        self.changed = self.updates = 0
        self.seconds = 0.0

    def add(self, changed: int, updates: int, seconds: float) -> None:
        self.changed += changed
        self.updates += updates
        self.seconds += seconds
