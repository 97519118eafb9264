"""How a skeleton takes part in the search (Xiao, Zhu and Zhang 2014): its features and options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.arrays import Bools, Floats, Ints
from treewright.errors import DataError, UsageError, check_type, choose
from treewright.translation.decoding._kernels import CROSSING, INSIDE, OUTSIDE, Bones
from treewright.translation.decoding.features import SkeletonColumns
from treewright.translation.decoding.options import Options

CROSSINGS = ("never", "priced", "marked")
"""Options that cover words of both kinds: none; each at a price; at one price for a derivation."""


@dataclass(frozen=True)
class SkeletonUse:
    """Which scores of the skeleton's derivation count: those of its phrases, its language model."""

    phrases: bool = True
    lm: bool = True
    crossing: str = "never"

    def __post_init__(self) -> None:
        for name in ("phrases", "lm"):
            check_type(getattr(self, name), bool, name, "true or false")
        choose(self.crossing, CROSSINGS, "crossing")


VARIANTS: Mapping[str, SkeletonUse] = MappingProxyType(
    {
        "full": SkeletonUse(),
        "no-lm": SkeletonUse(lm=False),
        "no-phrases": SkeletonUse(phrases=False),
        "space": SkeletonUse(phrases=False, lm=False),
        "feature": SkeletonUse(phrases=False, lm=False, crossing="marked"),
        "soft": SkeletonUse(crossing="priced"),
    }
)
"""The systems of the paper's table 1, and one in which phrases may cross the skeleton."""


@dataclass(frozen=True)
class Scored:
    """Which parts of a hypothesis the search must know for the skeleton's score."""

    moves: bool = False
    lm: bool = False
    marked: bool = False


@dataclass(frozen=True, eq=False)
class Places:
    """Where options stand in a skeleton: their kind, and their span among its words alone."""

    kind: NDArray[np.int8]
    start: Ints
    end: Ints
    num_words: int

    @classmethod
    def of(cls, options: Options, kept: Bools | None) -> Places:
        """Place options; `kept` marks the words of the skeleton."""
        if kept is None:
            none = np.zeros(len(options), np.int32)
            return cls(none.astype(np.int8), none, none, 0)
        rank = ranks(kept)
        start, end = rank[options.start], rank[options.end]
        inside = end - start
        kind = np.full(len(options), CROSSING, np.int8)
        kind[inside == options.end - options.start] = INSIDE
        kind[inside == 0] = OUTSIDE
        return cls(kind, start, end, int(rank[-1]))

    @property
    def touched(self) -> Bools:
        """Which options translate words of the skeleton."""
        touched: Bools = self.kind != OUTSIDE
        return touched

    def take(self, order: NDArray[Any]) -> Places:
        """Return the places of these options."""
        return Places(self.kind[order], self.start[order], self.end[order], self.num_words)


def check_skeleton(kept: Bools | None, size: int, *, scored: bool) -> None:
    """Raise an error unless a sentence of so many words has a skeleton just if it is scored."""
    if kept is None:
        if scored:
            raise UsageError("this model scores skeletons; give that of each sentence")
        return
    if not scored:
        raise UsageError("this model scores no skeletons; leave them out")
    if not (isinstance(kept, np.ndarray) and kept.dtype == np.bool_ and kept.ndim == 1):
        raise UsageError(
            "a skeleton is an array of booleans, one for each word; skeleton_of makes it from the "
            "positions of the words that it keeps"
        )
    if kept.size != size:
        raise DataError(f"a skeleton of {kept.size} words; the sentence has {size}")


def consistent(kept: Bools, start: Ints, end: Ints) -> Bools:
    """Tell which spans do not cross the boundary of a skeleton (section 2.3)."""
    rank = ranks(kept)
    inside = rank[end] - rank[start]
    whole: Bools = (inside == 0) | (inside == end - start)
    return whole


def ranks(kept: Bools) -> Ints:
    """Return how many words of a skeleton stand before each position of the sentence."""
    return np.concatenate([[0], np.cumsum(kept)]).astype(np.int32)


def bones(
    places: Places,
    options: Options,
    following: Floats,
    weights: Floats,
    scored: Scored,
    lm: int,
    slot: int,
) -> Bones:
    """Return what the search asks about a skeleton; `weights` are those of its columns."""
    columns = SkeletonColumns.after(options.features.shape[1])
    move = weights[columns.moves]
    return Bones(
        kind=places.kind,
        start=places.start,
        end=places.end,
        previous=options.reordering[:, :3] * move[:3],
        following=following * move[3:],
        moves=scored.moves,
        distance=float(weights[columns.distance]),
        marked=scored.marked,
        consistent=float(weights[columns.consistent]),
        lm=lm if scored.lm else -1,
        slot=slot,
    )
