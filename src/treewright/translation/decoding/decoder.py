"""`Decoder`: the search for the best translations of a sentence, with given weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from treewright.arrays import Bools, Floats, Ints, Longs
from treewright.compiling import expect_work
from treewright.errors import DataError, UsageError, check_type
from treewright.translation.decoding import _kernels, _search_kernels
from treewright.translation.decoding.features import Features
from treewright.translation.decoding.graph import assemble
from treewright.translation.decoding.options import Allowed, Fixed, Options, gather
from treewright.translation.decoding.problem import pose, zones
from treewright.translation.decoding.scorers import Scorers
from treewright.translation.decoding.skeleton import (
    Scored,
    SkeletonUse,
    check_skeleton,
    consistent,
)

if TYPE_CHECKING:
    from treewright.learning.tuning import SearchGraph
    from treewright.lm import LanguageModel
    from treewright.translation.phrases.table import PhraseTable

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
    option: Ints
    """The option of each edge of the graph; -1 at the beginning and the end."""


@dataclass(frozen=True, eq=False)
class SkeletalModel:
    """What a decoder needs to score skeletons: which scores count, and their language model.

    `slot` is the word that stands for a stretch outside the skeleton. There is a language model if
    it counts.
    """

    use: SkeletonUse
    lm: LanguageModel | None
    slot: str

    def __post_init__(self) -> None:
        if self.use.lm != (self.lm is not None):
            raise UsageError("a skeletal language model is needed if it counts, and only then")


class Decoder:
    """Translates sentences with a phrase table and language models, by weighted features."""

    def __init__(
        self,
        table: PhraseTable,
        models: Sequence[LanguageModel],
        search: Search | None = None,
        skeletal: SkeletalModel | None = None,
    ) -> None:
        self.table = table
        self.search = search or Search()
        self.skeletal = skeletal
        use = None if skeletal is None else skeletal.use
        self.features = Features(table.feature_names, len(models), use)
        if skeletal is not None and skeletal.lm is not None:
            self.scorers = Scorers.of([*models, skeletal.lm], table.target, skeletal.slot)
        else:
            self.scorers = Scorers.of(models, table.target)

    def decode(
        self,
        sentence: Sequence[str],
        weights: Floats,
        fixed: Sequence[Fixed] = (),
        *,
        spelled: Sequence[str] | None = None,
        kept: Bools | None = None,
        thorough: bool = False,
    ) -> Found:
        """Search for translations of a sentence of at least one word.

        Words that have none are copied as they are in `spelled`, the same sentence as the user
        wrote it. `kept` marks the words of the skeleton, which a model of skeletons needs. Features
        of the skeleton with a weight of zero are left out of the search unless it is `thorough`,
        as tuning needs it.
        """
        if not 0 < len(sentence) <= MAX_WORDS:
            raise DataError(f"a sentence of {len(sentence)} words; expected 1 to {MAX_WORDS}")
        if len(sentence) > LONG:
            expect_work()
        check_skeleton(kept, len(sentence), scored=self.skeletal is not None)
        search = self.search
        options = gather(
            self.table,
            sentence,
            fixed,
            copy=search.unknown == "copy",
            spelled=spelled,
            allowed=self._allowed(kept),
        )
        return decode_options(
            sentence,
            options,
            weights,
            self.features,
            self.scorers,
            search,
            zones(sentence, monotone_at_punctuation=search.monotone_at_punctuation),
            kept=kept,
            thorough=thorough,
        )

    def _allowed(self, kept: Bools | None) -> Allowed | None:
        if kept is None or self.skeletal is None or self.skeletal.use.crossing != "never":
            return None
        return partial(consistent, kept)


def decode_options(
    sentence: Sequence[str],
    options: Options,
    weights: Floats,
    features: Features,
    scorers: Scorers,
    search: Search,
    boundary: Longs,
    *,
    kept: Bools | None = None,
    thorough: bool = False,
) -> Found:
    """Search over given options; `boundary` is that of `zones`."""
    size = len(sentence)
    scored = _scored(features, weights, thorough=thorough)
    if features.skeleton is not None and features.skeleton.lm and not scored.lm:
        scorers = scorers.without_last
    posed = pose(
        options,
        size,
        weights,
        features,
        scorers,
        per_span=search.per_span,
        boundary=boundary,
        kept=kept,
        scored=scored,
    )
    effort = _kernels.Effort(
        search.stack,
        search.pops,
        float(search.threshold),
        search.distortion,
        float(weights[features.local]),
    )
    found = _search_kernels.search(posed.problem, scorers.arrays, effort)
    graph, option = assemble(posed, size, *found)
    return Found(tuple(sentence), graph, posed.options, option)


def _scored(features: Features, weights: Floats, *, thorough: bool) -> Scored:
    """Tell which parts of a skeleton's score the search must know: those with weights."""
    if features.skeleton is None:
        return Scored()
    matters = features.in_use & (thorough or features.skeleton_weights(weights) != 0)
    columns = features.columns
    return Scored(
        moves=bool(matters[columns.distance] | matters[columns.moves].any()),
        lm=bool(matters[columns.lm]),
        marked=bool(matters[columns.consistent]),
    )
