"""Independent chains: the same run from several seeds, in parallel processes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean, stdev

from treewright.errors import DataError, UsageError
from treewright.learning.gibbs.files import NO_FILES, RunFiles
from treewright.learning.gibbs.learner import Gibbs
from treewright.learning.gibbs.packing import PackedPairs
from treewright.processes import STEPS, Event, Said, in_processes, results
from treewright.progress import SILENT, Progress


def fit_chains(
    learner: Gibbs,
    packed: PackedPairs,
    chains: int,
    *,
    jobs: int = 1,
    files: RunFiles = NO_FILES,
    progress: Progress = SILENT,
) -> list[Gibbs]:
    """Fit copies of a learner with consecutive seeds; `jobs` of them run at a time.

    All report to one trace. If there are several, each has its own checkpoint (`run.tw`:
    `run.0.tw`, `run.1.tw`, …); a resumed run starts those that were never saved from the beginning.
    """
    if chains < 1:
        raise UsageError(f"chains must be at least 1, found {chains}")
    check_resume(files, chains)
    if chains == 1:
        return [replace(learner).fit_prepared(packed, progress=progress, files=files)]
    members = [
        (replace(learner, seed=learner.seed + chain), files.of_chain(chain))
        for chain in range(chains)
    ]
    files.begin_trace()
    task = _Fitting(packed)
    if jobs == 1:
        return [task(member, progress) for member in members]
    steps = chains * (STEPS * (2 if learner.samples else 1) + 1)
    events = _speak(in_processes(task, members, jobs), progress)
    return results(progress.track(events, f"sampling {chains} chains", steps))


def names_of_chains(path: str | Path, chains: int) -> list[str]:
    """Return the file of every chain; a single chain keeps the name."""
    if chains == 1:
        return [str(path)]
    files = RunFiles(checkpoint=path)
    return [str(files.of_chain(chain).checkpoint) for chain in range(chains)]


def check_resume(files: RunFiles, chains: int) -> None:
    """Raise a `DataError` if a run is to continue but none of its chains has a checkpoint."""
    if not files.resume or files.checkpoint is None:
        return
    names = names_of_chains(files.checkpoint, chains)
    if not any(Path(name).exists() for name in names):
        raise DataError("no checkpoint to resume from", where=", ".join(names))


@dataclass(frozen=True)
class _Fitting:
    """What is the same for every chain."""

    packed: PackedPairs

    def __call__(self, member: tuple[Gibbs, RunFiles], progress: Progress) -> Gibbs:
        learner, files = member
        return learner.fit_prepared(self.packed, progress=progress, files=files)


def _speak(events: Iterator[Event[Gibbs]], progress: Progress) -> Iterator[Event[Gibbs]]:
    """Yield steps and results; pass on messages from the processes."""
    for event in events:
        if isinstance(event, Said):
            progress.say(event.message)
        else:
            yield event


def best_chain(learners: Sequence[Gibbs]) -> Gibbs:
    """Return the chain that found the state with the greatest log joint."""
    return max(learners, key=lambda learner: learner.log_joint_)


@dataclass(frozen=True)
class Spread:
    """The mean of a figure over chains, and its standard deviation; one chain has none."""

    mean: float
    deviation: float | None

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """Summarise one value per chain."""
        return cls(fmean(values), stdev(values) if len(values) > 1 else None)
