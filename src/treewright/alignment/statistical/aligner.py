"""Word alignment of parallel text, from words to links."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from treewright.alignment.statistical.checkpoints import CheckpointFile
from treewright.alignment.statistical.em import Maximisation, Maximiser
from treewright.alignment.statistical.model import AlignmentModel
from treewright.alignment.statistical.numbering import Text, check_parallel
from treewright.alignment.statistical.sampling.sampler import Sampler
from treewright.alignment.statistical.sampling.settings import Sampling
from treewright.alignment.statistical.symmetrization import SYMMETRIZATIONS, Aligned, links_of
from treewright.compiling import expect_work
from treewright.corpora import Links
from treewright.errors import UsageError, check_least, choose
from treewright.progress import SILENT, Progress

METHODS = ("bayes", "hmm", "ibm1")
"""The models: sampled, with jumps and fertilities; by EM, with jumps; by EM, words alone."""
NO_CHECKPOINT = CheckpointFile()


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
        check_least(self, "jobs")


def align_words(
    sources: Sequence[Sequence[str]],
    targets: Sequence[Sequence[str]],
    *,
    method: str = AlignmentSettings.method,
    symmetrize: str = AlignmentSettings.symmetrize,
    seed: int = 0,
    jobs: int = 1,
    lowercase: bool = True,
    progress: Progress = SILENT,
) -> Links:
    """Return the word alignments of parallel sentences; a pair with an empty side has no links."""
    check_parallel(sources, targets)
    settings = AlignmentSettings(method=method, symmetrize=symmetrize, seed=seed, jobs=jobs)
    text = Text.of(zip(sources, targets, strict=True), lowercase=lowercase)
    return align_text(text, settings, progress=progress)


def align_text(text: Text, settings: AlignmentSettings, *, progress: Progress = SILENT) -> Links:
    """Learn from all pairs of a text and return their links."""
    return learned_links(learn(text, settings, progress=progress), text, settings)


def learn(
    text: Text,
    settings: AlignmentSettings,
    *,
    checkpoint: CheckpointFile = NO_CHECKPOINT,
    progress: Progress = SILENT,
) -> Aligned:
    """Learn from all pairs of a text."""
    expect_work(len(text))
    if settings.method == "bayes":
        return _sampled(text, settings, checkpoint, progress)
    if checkpoint.path is not None:
        raise UsageError(f"the method {settings.method} takes no checkpoints; use bayes")
    is_hmm = settings.method == "hmm"
    iterations = Maximisation(hmm=5 if is_hmm else 0, agree=is_hmm)
    maximiser = Maximiser(text, iterations, jobs=settings.jobs)
    for markov in progress.track(maximiser.steps(), "improving the model"):
        maximiser.advance(markov)
    return maximiser


def _sampled(
    text: Text, settings: AlignmentSettings, checkpoint: CheckpointFile, progress: Progress
) -> Sampler:
    sampling = Sampling()
    sampler = Sampler(text, sampling, seed=settings.seed, jobs=settings.jobs)
    made_by = {"seed": settings.seed}
    steps = list(enumerate(sampling.steps(len(text)), start=1))
    done = checkpoint.load(sampler, made_by, text, len(steps))
    for number, step in progress.track(steps[done:], "sampling alignments"):
        sampler.advance(*step)
        checkpoint.save(sampler, number, made_by, text)
    return sampler


def learned_links(
    learned: Aligned, text: Text, settings: AlignmentSettings, *, wanted: int | None = None
) -> Links:
    """Return the links of the first `wanted` pairs of a text that a model has learned from."""
    wanted = len(text) if wanted is None else wanted
    return joined(links_of(learned, text, wanted, settings.symmetrize, settings.threshold))


def model_of(learned: Aligned, text: Text, *, lowercase: bool) -> AlignmentModel:
    """Return a model that aligns other text; only the sampler makes one."""
    if not isinstance(learned, Sampler):
        raise UsageError("only the method bayes makes models; choose it, or give no --model")
    words = text.source_words.words, text.target_words.words
    return AlignmentModel(words, learned.counted(), lowercase)


def joined(parts: Iterable[Links]) -> Links:
    """Return the links of consecutive parts of a text as one."""
    parts = list(parts)
    sizes = [np.zeros(1, np.int64), *[np.diff(part.start) for part in parts]]
    return Links(
        np.concatenate([np.zeros(0, np.int32), *[part.source for part in parts]]),
        np.concatenate([np.zeros(0, np.int32), *[part.target for part in parts]]),
        np.cumsum(np.concatenate(sizes)),
    )
