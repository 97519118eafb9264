"""Word alignment of parallel text, from words to links."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from treewright.alignment.statistical.numbering import Text, check_parallel
from treewright.alignment.statistical.sampling import Sampler, Sampling
from treewright.alignment.statistical.symmetrization import SYMMETRIZATIONS, symmetrize
from treewright.compiling import expect_work
from treewright.corpora import Links
from treewright.errors import UsageError, choose
from treewright.progress import SILENT, Progress

METHODS = ("bayes",)
"""The models by name."""
_CHUNK = 1_000


@dataclass(frozen=True, kw_only=True)
class AlignmentSettings:
    """How words are aligned."""

    method: str = "bayes"
    symmetrize: str = "posterior"
    threshold: float = 0.45
    """The least probability of a link, for the symmetrization `posterior`."""
    seed: int = 0
    jobs: int = 1
    """Threads; they do not change the result."""

    def __post_init__(self) -> None:
        choose(self.method, METHODS, "method")
        choose(self.symmetrize, SYMMETRIZATIONS, "symmetrization")
        if not 0 <= self.threshold < 1:
            raise UsageError(f"threshold must be at least 0 and below 1, found {self.threshold}")
        if self.jobs < 1:
            raise UsageError(f"jobs must be at least 1, found {self.jobs}")


def align_words(
    sources: Sequence[Sequence[str]],
    targets: Sequence[Sequence[str]],
    *,
    method: str = AlignmentSettings.method,
    symmetrize: str = AlignmentSettings.symmetrize,
    seed: int = 0,
    jobs: int = 1,
    lowercase: bool = True,
    progress: Progress | None = None,
) -> Links:
    """Return the word alignments of parallel sentences; a pair with an empty side has no links."""
    check_parallel(sources, targets)
    settings = AlignmentSettings(method=method, symmetrize=symmetrize, seed=seed, jobs=jobs)
    text = Text.of(zip(sources, targets, strict=True), lowercase=lowercase)
    return align_text(text, settings, progress=progress or SILENT)


def align_text(
    text: Text,
    settings: AlignmentSettings,
    *,
    wanted: int | None = None,
    progress: Progress = SILENT,
) -> Links:
    """Learn from all pairs of a text and return the links of the first `wanted` ones."""
    expect_work(len(text))
    wanted = len(text) if wanted is None else wanted
    sampling = Sampling()
    sampler = Sampler(text, sampling, seed=settings.seed, jobs=settings.jobs)
    for step in progress.track(list(sampling.steps(len(text))), "sampling alignments"):
        sampler.advance(*step)
    return joined(_parts(sampler, text, wanted, settings))


def _parts(
    sampler: Sampler, text: Text, wanted: int, settings: AlignmentSettings
) -> Iterator[Links]:
    for first in range(0, wanted, _CHUNK):
        last = min(first + _CHUNK, wanted)
        forward, reverse = sampler.posteriors(first, last)
        yield symmetrize(
            forward,
            reverse,
            text.source.lengths[first:last],
            text.target.lengths[first:last],
            method=settings.symmetrize,
            threshold=settings.threshold,
        )


def joined(parts: Iterable[Links]) -> Links:
    """Return the links of consecutive parts of a text as one."""
    parts = list(parts)
    sizes = [np.zeros(1, np.int64), *[np.diff(part.start) for part in parts]]
    return Links(
        np.concatenate([np.zeros(0, np.int32), *[part.source for part in parts]]),
        np.concatenate([np.zeros(0, np.int32), *[part.target for part in parts]]),
        np.cumsum(np.concatenate(sizes)),
    )
