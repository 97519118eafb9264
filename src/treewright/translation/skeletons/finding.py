"""Finding skeletons: a compression model shortens sentences, and what it keeps is the skeleton."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

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
from treewright.errors import DataError, Problems, UsageError, check_least, check_type
from treewright.progress import SILENT, Progress
from treewright.translation.skeletons.files import Skeleton, keep_stop, skeleton_of

_ELSEWHERE = ("file=", "corenlp=")
"""Parsers that look sentences up, or send them away."""


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
        for name in ("model", "parser"):
            check_type(getattr(self, name), str, name, "a name")
        check_type(self.rate, int | float, "rate", "a number")
        for name in ("nbest", "jobs"):
            check_type(getattr(self, name), int, name, "a whole number")
        check_least(self, "nbest", "jobs")
        if not 0 < self.rate <= 1:
            raise UsageError(f"rate must be above 0 and at most 1, found {self.rate}")

    def stored(self) -> dict[str, Any]:
        """Return what a translation model stores of it; a model file by its whole path."""
        if self.parser.startswith(_ELSEWHERE):
            raise UsageError(
                f"a model cannot find skeletons of new sentences by the parser {self.parser}; find "
                "them by treewright skeleton, and give them"
            )
        path = Path(self.model)
        model = str(path.resolve()) if path.is_file() else self.model
        return {"model": model, "rate": self.rate, "parser": self.parser}

    @classmethod
    def restored(cls, stored: Mapping[str, Any]) -> SkeletonFinder:
        """Undo `stored`."""
        finder = cls(**{name: stored[name] for name in ("model", "rate", "parser")})
        finder.stored()
        return finder

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
        return Request(limit=limit, alternatives=self.nbest - 1, grammar="loose", language="any")

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
