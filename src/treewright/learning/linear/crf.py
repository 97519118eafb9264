"""`CRF`: the conditional likelihood of targets, by inside-outside on the forests.

    maximise  Σ_pairs (log Σ_{derivations of the target} exp s - log Σ_{all derivations} exp s)
              - precision / 2 · ‖w‖²

with s = ⟨w, Ψ⟩ the score of a derivation. Without extracted rules a target has one derivation, and
the objective one maximum.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Self

import numpy as np

from treewright.arrays import Floats
from treewright.forest import Forest, add_expected_counts, join_forests
from treewright.learning.checks import check_number, check_whole
from treewright.learning.linear.examples import ExampleSet
from treewright.learning.linear.learner import LinearLearner
from treewright.progress import SILENT, Progress

_PARTS = 8
"""Forests are summed over in this many parts, whatever the number of threads, to give the same
bytes.
"""


SLOPE = 1e-2
"""How steep the objective may still be at the end, relative to its start."""


@dataclass(kw_only=True)
class CRF(LinearLearner):
    """Maximises the conditional likelihood with a Gaussian prior of this `precision`.

    After `fit`: also `objective_` (one value per iteration) and `converged_`.
    """

    precision: float = 30.0
    iterations: int = 200
    tolerance: float = 1e-5
    threads: int = 2

    name = "crf"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_number("precision", self.precision, above=0.0)
        check_number("tolerance", self.tolerance, above=0.0)
        for name in ("iterations", "threads"):
            check_whole(name, getattr(self, name))

    def fit_prepared(self, data: ExampleSet, *, progress: Progress = SILENT) -> Self:
        """Maximise the likelihood by L-BFGS."""
        from scipy.optimize import minimize

        self.objective_: list[float] = []
        steps = iter(progress.track(range(self.iterations), "training crf", self.iterations))
        with ThreadPoolExecutor(self.threads) as pool:
            likelihood = _Likelihood(data, pool)

            def objective(weights: Floats) -> tuple[float, Floats]:
                value, slope = likelihood(weights)
                penalty = 0.5 * self.precision * float(weights @ weights)
                return penalty - value, self.precision * weights - slope

            def note(intermediate_result: object) -> None:
                self.objective_.append(-float(intermediate_result.fun))  # type: ignore[attr-defined]
                next(steps, None)

            start = np.zeros(data.rows.num_features)
            first = float(np.linalg.norm(objective(start)[1]))
            found = minimize(
                objective,
                start,
                jac=True,
                method="L-BFGS-B",
                callback=note,
                options={"maxiter": self.iterations, "ftol": self.tolerance, "gtol": 0.0},
            )
        self.weights_ = np.asarray(found.x)
        # With rules the objective has flat regions where it gains little: the slope decides.
        self.converged_ = bool(np.linalg.norm(found.jac) <= SLOPE * first)
        self.model_ = self.finish(
            data,
            self.weights_,
            {
                "iterations": int(found.nit),
                "converged": self.converged_,
                "objective": -float(found.fun),
            },
        )
        return self


class _Likelihood:
    """The conditional log-likelihood of all targets, and its gradient."""

    def __init__(self, data: ExampleSet, pool: ThreadPoolExecutor) -> None:
        self.rows = data.rows
        self.pool = pool
        number = {id(source): place for place, source in enumerate(data.sources)}
        copies = np.zeros(len(data.sources), dtype=np.int64)
        for example in data.examples:
            copies[number[id(example.source)]] += 1
        used = np.flatnonzero(copies).tolist()
        self.everything = _joined(
            [data.sources[place].forest for place in used], copies[used].tolist()
        )
        golden = [example.gold_forest for example in data.examples]
        self.golden = _joined(golden, [1] * len(golden))

    def __call__(self, weights: Floats) -> tuple[float, Floats]:
        """Return the log-likelihood and its gradient."""
        scores = self.rows.scores(weights)
        wanted, uses = self._expect(self.golden, scores)
        total, expected = self._expect(self.everything, scores)
        return wanted - total, self.rows.totals(uses - expected)

    def _expect(self, parts: Sequence[Forest], scores: Floats) -> tuple[float, Floats]:
        def expect(forest: Forest) -> tuple[float, Floats]:
            uses = np.zeros(len(scores))
            return add_expected_counts(forest, scores, uses), uses

        done = list(self.pool.map(expect, parts))
        return sum(value for value, _ in done), np.sum([uses for _, uses in done], axis=0)


def _joined(forests: Sequence[Forest], copies: Sequence[int]) -> list[Forest]:
    """Join neighbouring forests into a few large ones."""
    bounds = [len(forests) * k // _PARTS for k in range(_PARTS + 1)]
    return [join_forests(forests[a:b], copies[a:b]) for a, b in pairwise(bounds) if a < b]
