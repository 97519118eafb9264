"""The quadratic programs of the cutting-plane methods: a dual over one simplex.

Solved by DAQP, a dual active-set method: of the packaged solvers it has the fewest dependencies
(none), is the fastest on blocks of a few constraints, and says exactly which multipliers are 0.
"""

from __future__ import annotations

import numpy as np

from treewright.arrays import Floats
from treewright.errors import DataError

PROXIMAL = 1e-5
"""Weight of the proximal steps that let the solver work on singular Gram matrices, which repeated
and dependent constraints give; the steps continue until their effect is gone.
"""

NOTHING = 1e-13
"""The share of a problem's scale below which a multiplier is rounding error."""


def solve(gram: Floats, bounds: Floats, cap: float, start: Floats | None = None) -> Floats:
    """Return the α that minimises ½αᵀGα − bᵀα with α ≥ 0 and Σα ≤ cap, exactly feasible.

    `start` is a feasible α to start from; the result is never worse. `gram` may be singular.
    """
    if not (np.isfinite(gram).all() and np.isfinite(bounds).all()):
        raise DataError("features or losses that are not finite numbers: no margin can be found")
    nothing = np.zeros(len(bounds))
    if not (bounds > 0.0).any():
        # G has no negative direction, so no α but 0 can gain anything.
        return nothing
    alphas = _one(gram, bounds, cap) if len(bounds) == 1 else _several(gram, bounds, cap, start)
    if start is not None and _value(gram, bounds, start) < _value(gram, bounds, alphas):
        return start.copy()
    return alphas


def _one(gram: Floats, bounds: Floats, cap: float) -> Floats:
    curvature, slope = float(gram[0, 0]), float(bounds[0])
    return np.array([cap if slope >= curvature * cap else slope / curvature])


def _several(gram: Floats, bounds: Floats, cap: float, start: Floats | None) -> Floats:
    """Solve in units in which multipliers, slopes and curvatures are all about 1."""
    positive = bounds > 0.0
    slope = float(np.abs(bounds).max())
    with np.errstate(divide="ignore", over="ignore"):
        unit = min(cap, float((bounds[positive] / np.diag(gram)[positive]).max()))
    scaled = _daqp(
        gram * (unit / slope),
        bounds / slope,
        cap / unit,
        None if start is None or not start.any() else start / unit,
    )
    scaled[scaled < NOTHING] = 0.0
    alphas = np.minimum(unit * scaled, cap)
    total = float(alphas.sum())
    return alphas * (cap / total) if total > cap else alphas


def _daqp(gram: Floats, bounds: Floats, cap: float, start: Floats | None) -> Floats:
    import daqp

    size = len(bounds)
    upper = np.full(size + 1, cap)
    lower = np.append(np.zeros(size), -np.inf)
    flag = 0
    # A start with a bad active set can fail where a cold start does not.
    for begin, proximal in ((start, PROXIMAL), (None, PROXIMAL), (None, 1e3 * PROXIMAL)):
        alphas, _, flag, _ = daqp.solve(
            np.ascontiguousarray(gram),
            -bounds,
            np.ones((1, size)),
            upper,
            lower,
            np.zeros(size + 1, dtype=np.intc),
            primal_start=begin,
            eps_prox=proximal,
        )
        if flag > 0 and np.isfinite(alphas).all():
            return np.array(alphas)
    raise DataError(
        f"the quadratic program over {size} constraints cannot be solved (DAQP's exit flag "
        f"{flag}); bring features and losses to like sizes, or lower C"
    )


def _value(gram: Floats, bounds: Floats, alphas: Floats) -> float:
    return float(0.5 * alphas @ gram @ alphas - bounds @ alphas)
