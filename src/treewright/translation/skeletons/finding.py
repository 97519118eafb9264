"""Finding skeletons: a compression model shortens sentences, and what it keeps is the skeleton."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from treewright.compiling import expect_work
from treewright.compression import (
    Compression,
    Compressor,
    Job,
    Limit,
    Request,
    compress_stream,
)
from treewright.corpora import Words
from treewright.errors import DataError, Problems, UsageError
from treewright.progress import SILENT, Progress
from treewright.translation.skeletons.files import Skeleton, skeleton_of
from treewright.translation.skeletons.stops import keep_stop


@dataclass(frozen=True, kw_only=True)
class SkeletonFinder:
    """Finds the skeletons of tokenised sentences, whose tokens stay as they are.

    `model` is a shipped model or a model file; `parser` must be one of its language, and may look
    trees up (`file=TREES`). `rate` is the share of the words that a skeleton keeps at most, where
    an admissible version is that short. Up to `nbest` distinct skeletons are found, best first.
    The mark that ends a sentence belongs to all of them. A sentence that cannot be shortened is its
    own skeleton.
    """

    model: str = "news"
    rate: float = 0.65
    nbest: int = 1
    parser: str = "embedded"
    jobs: int = 1

    def __post_init__(self) -> None:
        if self.nbest < 1:
            raise UsageError(f"nbest must be at least 1, found {self.nbest}")
        if self.jobs < 1:
            raise UsageError(f"jobs must be at least 1, found {self.jobs}")

    def __call__(
        self,
        sentences: Sequence[Words],
        *,
        problems: Problems | None = None,
        progress: Progress = SILENT,
    ) -> Iterator[list[Skeleton]]:
        """Yield the skeletons of each sentence, in order; `problems` names sentences by number."""
        problems = problems or Problems(strict=True)
        # Also checks the rate, before anything is loaded.
        job = Job(load=self._load, request=self._request(), finish=_finish)
        expect_work(len(sentences))
        items = progress.track(map(_Item, sentences), "Finding skeletons", total=len(sentences))
        stream = (each for batch in compress_stream(job, items, self.jobs) for each in batch)
        for number, (words, found) in enumerate(zip(sentences, stream, strict=True), start=1):
            if found.error is not None:
                problems.add(DataError(found.error.message, where=f"sentence {number}"))
            yield self._distinct(words, found)

    def _load(self) -> Compressor:
        return _loaded(str(self.model), self.parser)

    def _request(self) -> Request:
        limit = Limit(rate=self.rate, per="sentence")
        return Request(limit=limit, alternatives=self.nbest - 1, language="any")

    def _distinct(self, words: Words, found: _Found) -> list[Skeleton]:
        """Return skeletons with their stops, each once."""
        several = [keep_stop(words, skeleton_of(kept, len(words))) for kept in found.kept]
        return list({kept.tobytes(): kept for kept in several}.values())


@lru_cache(maxsize=2)
def _loaded(model: str, parser: str) -> Compressor:
    """Load a model once, for translators that ask for one sentence after the other."""
    return Compressor.load(model, parser=parser)


class _Item(NamedTuple):
    """A sentence, as streams take it."""

    text: Words

    @property
    def size(self) -> int:
        """The number of characters."""
        return sum(map(len, self.text))


class _Found(NamedTuple):
    """The positions that the versions of a sentence keep, and why it was left unchanged."""

    kept: list[tuple[int, ...]]
    error: DataError | None


def _finish(item: _Item, result: Compression | DataError) -> _Found:
    """Extract what is needed of a compression, which cannot leave its process."""
    if isinstance(result, DataError):
        return _Found([tuple(range(len(item.text)))], result)
    others = [version.kept for version in result.alternatives]
    return _Found([result.kept, *others], next(iter(result.errors), None))


def share_kept(skeletons: Sequence[Skeleton]) -> float:
    """Return the share of all tokens that skeletons keep."""
    tokens = sum(kept.size for kept in skeletons)
    return float(sum(int(np.count_nonzero(kept)) for kept in skeletons)) / max(tokens, 1)
