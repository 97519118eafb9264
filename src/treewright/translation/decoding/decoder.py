"""`Decoder`: the search for the best translations of a sentence, with given weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from treewright.compiling import expect_work
from treewright.errors import DataError, UsageError, check_type
from treewright.translation.decoding import _kernels, _search_kernels
from treewright.translation.decoding.features import Features
from treewright.translation.decoding.graph import assemble
from treewright.translation.decoding.options import Fixed, Options, gather
from treewright.translation.decoding.problem import pose, zones
from treewright.translation.decoding.scorers import Scorers

if TYPE_CHECKING:
    from treewright.learning.tuning import SearchGraph
    from treewright.lm import LanguageModel
    from treewright.translation.phrases import PhraseTable

MAX_WORDS = 500
UNKNOWNS = ("copy", "drop")
LONG = 60
"""A sentence of more words is worth compiling the kernels for."""


@dataclass(frozen=True)
class Search:
    """How hard a decoder searches; 0 means without a limit.

    `stack` hypotheses go on from each number of words covered, found with `pops` steps of cube
    pruning, unless they are worse than the best by `threshold`. A phrase starts at most
    `distortion` words from the end of the one before (-1: anywhere in the next 62).
    """

    stack: int = 200
    pops: int = 500
    threshold: float = float("inf")
    distortion: int = 6
    per_span: int = 20
    unknown: str = "copy"
    monotone_at_punctuation: bool = False

    def __post_init__(self) -> None:
        for name in ("stack", "pops", "distortion", "per_span"):
            check_type(getattr(self, name), int, name, "a whole number")
        check_type(self.threshold, int | float, "threshold", "a number")
        if min(self.stack, self.pops) < 0 or self.per_span < 1 or self.distortion < -1:
            raise UsageError(
                "stack and pops are at least 0, per_span at least 1, distortion at least -1"
            )
        if self.unknown not in UNKNOWNS:
            raise UsageError(f"unknown must be one of {', '.join(UNKNOWNS)}")
        if not self.threshold >= 0:
            raise UsageError("threshold must be at least 0")


@dataclass(frozen=True, eq=False)
class Found:
    """All translations of a sentence that a search found, packed, with their features."""

    sentence: tuple[str, ...]
    graph: SearchGraph
    options: Options
    option: NDArray[np.int32]
    """The option of each edge of the graph; -1 at the beginning and the end."""


class Decoder:
    """Translates sentences with a phrase table and language models, by weighted features."""

    def __init__(
        self, table: PhraseTable, models: Sequence[LanguageModel], search: Search | None = None
    ) -> None:
        self.table = table
        self.search = search or Search()
        self.features = Features(table.feature_names, len(models))
        self.scorers = Scorers.of(models, table.target)

    def decode(
        self,
        sentence: Sequence[str],
        weights: NDArray[np.float64],
        fixed: Sequence[Fixed] = (),
        *,
        spelled: Sequence[str] | None = None,
    ) -> Found:
        """Search for translations of a sentence of at least one word.

        Words that have none are copied as they are in `spelled`, the same sentence as the user
        wrote it.
        """
        if not 0 < len(sentence) <= MAX_WORDS:
            raise DataError(f"a sentence of {len(sentence)} words; expected 1 to {MAX_WORDS}")
        if len(sentence) > LONG:
            expect_work()
        search = self.search
        return decode_options(
            sentence,
            gather(self.table, sentence, fixed, copy=search.unknown == "copy", spelled=spelled),
            weights,
            self.features,
            self.scorers,
            search,
            zones(sentence, monotone_at_punctuation=search.monotone_at_punctuation),
        )


def decode_options(
    sentence: Sequence[str],
    options: Options,
    weights: NDArray[np.float64],
    features: Features,
    scorers: Scorers,
    search: Search,
    boundary: NDArray[np.int64],
) -> Found:
    """Search over given options; `boundary` is that of `zones`."""
    size = len(sentence)
    posed = pose(
        options, size, weights, features, scorers, per_span=search.per_span, boundary=boundary
    )
    effort = _kernels.Effort(
        search.stack,
        search.pops,
        float(search.threshold),
        search.distortion,
        float(weights[features.local]),
    )
    found = _search_kernels.search(posed.problem, scorers.arrays, effort)
    graph, option = assemble(posed.options, posed.following, size, *found)
    return Found(tuple(sentence), graph, posed.options, option)
