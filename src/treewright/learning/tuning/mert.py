"""`Mert`: minimum error rate training by exact line searches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from treewright.arrays import Floats
from treewright.errors import UsageError, check_least, choose
from treewright.learning.tuning.constraints import Constraints
from treewright.learning.tuning.lattices import Graphs
from treewright.learning.tuning.lists import Lists
from treewright.learning.tuning.spaces import Pieces, Scorer, Space

_WIDTH = 2.0
"""A step goes at most so many times as far as the weights reach."""
_RESTARTS = 3
_INSET = 0.05
"""How far inside a wide interval a step ends, as a share of the weights."""


class Surface(NamedTuple):
    """The score on each interval of steps: from `at[i]` to `at[i + 1]` it is `scores[i]`."""

    at: Floats
    scores: Floats


def error_surface(pieces: Pieces, scorer: Scorer, high: float) -> Surface:
    """Merge the pieces of all sentences; the last interval ends at `high`.

    Och, "Minimum error rate training" (ACL 2003): where a sentence's output changes, so do the
    summed statistics.
    """
    first = pieces.start[:-1]
    later = np.ones(pieces.at.size, np.bool_)
    later[first] = False
    changes = np.flatnonzero(later)
    order = changes[np.argsort(pieces.at[changes], kind="stable")]
    steps = pieces.rows[order] - pieces.rows[order - 1]
    base = pieces.rows[first].sum(axis=0)
    sums = np.cumsum(np.concatenate([base[None], steps]), axis=0)
    low = pieces.at[first[0]]
    at = np.concatenate([[low], pieces.at[order], [high]])
    # Of changes at the same step, only what the last one leads to ever comes out.
    lasting = np.append(np.diff(at[:-1]) > 0, True)
    return Surface(np.append(at[:-1][lasting], high), scorer.score(sums[lasting]))


def best_step(surface: Surface, inset: float) -> tuple[float, float]:
    """Return a step with the highest score, and that score; 0 if no other is better.

    Of several intervals with this score, the widest wins. The step is the middle of a narrow
    interval, and `inset` inside the nearer end of a wide one.
    """
    at, scores = surface
    here = int(np.clip(np.searchsorted(at, 0.0, side="right") - 1, 0, scores.size - 1))
    best = float(scores.max())
    if scores[here] >= best:
        return 0.0, best
    widths = np.where(scores == best, np.diff(at), -1.0)
    chosen = int(widths.argmax())
    low, high = float(at[chosen]), float(at[chosen + 1])
    inside = min(inset, (high - low) / 2)
    return (low + inside if low >= 0 else high - inside), best


@dataclass(frozen=True)
class Mert:
    """Och (ACL 2003): in turn along each feature and some random directions, go where the score of
    the best outputs is highest; from several starting points.

    `over` lists of the `most` best derivations, or `over` graphs of `density` edges per word
    (Macherey et al. 2008), of the last `keep` rounds. Line searches over graphs take many times as
    long as over lists, so without a number of `restarts` there are none, and 3 over lists.
    """

    over: str = "lists"
    most: int = 100
    density: int = 20
    keep: int = 3
    restarts: int | None = None
    directions: int = 5
    sweeps: int = 10
    tolerance: float = 0.01

    def __post_init__(self) -> None:
        choose(self.over, ("lists", "graphs"), "search space")
        check_least(self, "most", "density", "keep", "sweeps")
        if min(self.restarts or 0, self.directions, self.tolerance) < 0:
            raise UsageError("restarts, directions and tolerance must not be negative")

    def space(self, scorer: Scorer) -> Space:
        """Return where outputs are kept."""
        if self.over == "graphs":
            return Graphs(scorer, density=self.density, keep=self.keep)
        return Lists(scorer, most=self.most)

    def improve(
        self, space: Space, weights: Floats, constraints: Constraints, rng: np.random.Generator
    ) -> Floats:
        """Return the best weights found from the given ones and from random ones."""
        restarts = self.restarts
        if restarts is None:
            restarts = 0 if self.over == "graphs" else _RESTARTS
        starts = [weights, *[constraints.draw(weights, rng) for _ in range(restarts)]]
        found = [self._climb(space, start, constraints, rng) for start in starts]
        return max(found, key=lambda each: each[1])[0]

    def _climb(
        self, space: Space, weights: Floats, constraints: Constraints, rng: np.random.Generator
    ) -> tuple[Floats, float]:
        """Sweep over directions until a whole sweep gains nothing."""
        score = space.score(weights)
        for _ in range(self.sweeps):
            before = score
            for direction in self._directions(weights, constraints, rng):
                size = float(np.abs(weights).sum())
                low, high = constraints.reach(weights, direction, _WIDTH)
                pieces = space.line(weights, direction, low, high)
                inset = _INSET * size / float(np.abs(direction).sum())
                step, reached = best_step(error_surface(pieces, space.scorer, high), inset)
                if reached > score:
                    weights, score = constraints.scale(weights + step * direction), reached
            if score - before <= self.tolerance:
                break
        return weights, space.score(weights)

    def _directions(
        self, weights: Floats, constraints: Constraints, rng: np.random.Generator
    ) -> Floats:
        """Return each free feature, in random order, and random directions."""
        axes = np.eye(weights.size)[rng.permutation(constraints.free)]
        drawn = rng.normal(size=(self.directions, weights.size)) * ~constraints.fixed
        return np.concatenate([axes, drawn])
