"""The error surface along a line: the score of a whole corpus at every step, exactly."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treewright.learning.tuning.spaces import Pieces, Scorer

Floats = NDArray[np.float64]


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


def surface_at(surface: Surface, steps: ArrayLike) -> Floats:
    """Return the scores at given steps."""
    places = np.searchsorted(surface.at, np.asarray(steps), side="right") - 1
    return surface.scores[np.clip(places, 0, surface.scores.size - 1)]
