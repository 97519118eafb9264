"""Timing a parser on the sentences of a treebank."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from treewright.errors import DataError
from treewright.parsing.protocol import Parser, parse_each
from treewright.progress import SILENT, Progress
from treewright.trees import Tree

BATCH = 128
WARM_UP = 8


@dataclass(frozen=True, slots=True)
class Speed:
    """How much was parsed in how many seconds; *tokens* include punctuation."""

    sentences: int
    tokens: int
    seconds: float

    @property
    def sentences_per_second(self) -> float:
        """Sentences parsed per second."""
        return self.sentences / self.seconds if self.seconds else 0.0

    @property
    def tokens_per_second(self) -> float:
        """Tokens parsed per second."""
        return self.tokens / self.seconds if self.seconds else 0.0

    def as_dict(self) -> dict[str, float]:
        """Return rates and totals as plain values."""
        return {
            "sentences_per_second": self.sentences_per_second,
            "tokens_per_second": self.tokens_per_second,
            "tokens": self.tokens,
            "seconds": self.seconds,
        }


def parse_timed(
    parser: Parser,
    sentences: Sequence[Sequence[str]],
    *,
    batch: int = BATCH,
    warm_up: int = WARM_UP,
    progress: Progress = SILENT,
) -> tuple[list[Tree | DataError], Speed]:
    """Parse sentences in batches, with an error in place of each bad one.

    The first sentences are parsed once before the clock starts, because the first call compiles
    kernels and loads models. The clock stops between batches.
    """
    if warm_up:
        parse_each(parser, sentences[:warm_up])
    seconds = 0.0
    results: list[Tree | DataError] = []
    starts = range(0, len(sentences), batch)
    for start in progress.track(starts, "Parsing", len(starts)):
        begun = time.perf_counter()
        results += parse_each(parser, sentences[start : start + batch])
        seconds += time.perf_counter() - begun
    return results, Speed(len(sentences), sum(map(len, sentences)), seconds)
