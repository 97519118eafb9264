"""How a skeleton takes part in the search (Xiao, Zhu and Zhang 2014): its features and options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.errors import choose
from treewright.translation.decoding._kernels import CROSSED, CROSSING, INSIDE, OUTSIDE, Bones
from treewright.translation.decoding.options import Options
from treewright.translation.decoding.reordering import distances, moves

CROSSINGS = ("never", "priced", "marked")
"""Options that cover words of both kinds: none; each at a price; at one price for a derivation."""


@dataclass(frozen=True)
class SkeletonUse:
    """Which scores of the skeleton's derivation count: those of its phrases, its language model."""

    phrases: bool = True
    lm: bool = True
    crossing: str = "never"

    def __post_init__(self) -> None:
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
    start: NDArray[np.int32]
    end: NDArray[np.int32]
    num_words: int

    @classmethod
    def of(cls, options: Options, kept: NDArray[np.bool_] | None) -> Places:
        """Place options; `kept` marks the words of the skeleton."""
        if kept is None:
            none = np.zeros(len(options), np.int32)
            return cls(none.astype(np.int8), none, none, 0)
        rank = _ranks(kept)
        start, end = rank[options.start], rank[options.end]
        inside = end - start
        kind = np.full(len(options), CROSSING, np.int8)
        kind[inside == options.end - options.start] = INSIDE
        kind[inside == 0] = OUTSIDE
        return cls(kind, start, end, int(rank[-1]))

    @property
    def touched(self) -> NDArray[np.bool_]:
        """Which options translate words of the skeleton."""
        touched: NDArray[np.bool_] = self.kind != OUTSIDE
        return touched

    def take(self, order: NDArray[Any]) -> Places:
        """Return the places of these options."""
        return Places(self.kind[order], self.start[order], self.end[order], self.num_words)


def consistent(
    kept: NDArray[np.bool_], start: NDArray[np.int32], end: NDArray[np.int32]
) -> NDArray[np.bool_]:
    """Tell which spans do not cross the boundary of a skeleton (section 2.3)."""
    rank = _ranks(kept)
    inside = rank[end] - rank[start]
    whole: NDArray[np.bool_] = (inside == 0) | (inside == end - start)
    return whole


def _ranks(kept: NDArray[np.bool_]) -> NDArray[np.int32]:
    return np.concatenate([[0], np.cumsum(kept)]).astype(np.int32)


def bones(
    places: Places,
    options: Options,
    following: NDArray[np.float64],
    weights: NDArray[np.float64],
    scored: Scored,
    lm: int,
    slot: int,
) -> Bones:
    """Return what the search asks about a skeleton; `weights` are those of `skeleton_columns`."""
    local = options.features.shape[1]
    move = weights[local + 1 : local + 7]
    return Bones(
        kind=places.kind,
        start=places.start,
        end=places.end,
        previous=options.reordering[:, :3] * move[:3],
        following=following * move[3:],
        moves=scored.moves,
        distance=float(weights[local]),
        marked=scored.marked,
        consistent=float(weights[-1]),
        lm=lm if scored.lm else -1,
        slot=slot,
    )


def skeleton_features(
    places: Places,
    options: Options,
    following: NDArray[np.float64],
    nodes: NDArray[Any],
    edges: NDArray[Any],
    lm: NDArray[np.float64],
    scored: Scored,
) -> NDArray[np.float64]:
    """Return the features of edges on the skeleton's derivation d' (equation 7).

    The columns are those of `Features.skeleton_columns`. `lm` has the scores of the skeletal
    language model. What is not scored is zero.
    """
    option, tail = edges["option"], edges["tail"]
    ends = option < 0
    inside = ~ends & places.touched[option]
    local = options.features.shape[1]
    features = np.zeros((option.size, local + 10))
    features[:, :local] = np.where(inside[:, None], options.features[option], 0.0)
    if scored.moves:
        start = np.where(ends, places.num_words, places.start[option])
        end = np.where(ends, places.num_words, places.end[option])
        before = nodes["bone_start"][tail], nodes["bone_end"][tail], nodes["bone_behind"][tail]
        features[:, local] = np.where(inside, distances(start, before[1]), 0)
        features[:, local + 1 : local + 7] = np.where(
            (inside | ends)[:, None],
            moves(options, following, option, (start, end), before),
            0.0,
        )
    features[:, local + 7] = lm
    crosses = ~ends & (places.kind[option] == CROSSING)
    features[:, local + 8] = -1.0 * crosses
    if scored.marked:
        features[:, local + 9] = -1.0 * (crosses & (nodes["marks"][tail] & CROSSED == 0))
    return features
