"""1-slack cutting planes (Joachims, Finley and Yu 2009): one averaged constraint a round."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from treewright.errors import UsageError
from treewright.learning.margin._kernels import add_sparse, sparse_dense
from treewright.learning.margin.method import DualMethod, fitting
from treewright.learning.margin.problem import Cut, Floats, Ints, Objective, Problem
from treewright.learning.margin.rows import Rows
from treewright.learning.margin.solver import solve


class OneSlack(DualMethod):
    """All examples share one slack; a small dense QP over all cuts follows each separation.

    Few constraints, hence little optimiser time, but many rounds of separation when C is large.
    A cut is dropped after `patience` rounds without influence. An averaged cut has the features
    of all examples, so memory grows with rounds, not with examples.
    """

    name: ClassVar[str] = "1-slack"

    def __init__(
        self, problem: Problem, objective: Objective, *, patience: int = 50, threads: int = 1
    ) -> None:
        super().__init__(problem, objective, threads=threads)
        if patience < 1:
            raise UsageError(f"a cut must stay at least 1 round, found {patience}")
        self.patience = patience
        self.vectors: list[tuple[Ints, Floats]] = []
        self.gram: Floats = np.zeros((0, 0))
        self.losses: Floats = np.zeros(0)
        self.alphas: Floats = np.zeros(0)
        self.idle = np.zeros(0, np.int64)

    def step(self) -> None:
        """Separate all examples, add their mean constraint, solve, drop what is idle."""
        cuts = self.separator.separate(
            self.weights, range(self.problem.num_examples), self.objective.rescaling
        )
        vector, loss, slack = self._mean(cuts)
        self.measured(
            0.5 * float(self.weights @ self.weights) + self.objective.c * slack, self.weights
        )
        self.updates = 0
        if self.converged or slack <= self._slack():
            return
        self._add(vector, loss)
        self._solve()
        self._shrink()

    @property
    def stuck(self) -> bool:
        """Whether the last separation found nothing that is violated more than what is held."""
        return self.round > 0 and self.updates == 0

    @property
    def constraints(self) -> int:
        """How many cuts are held."""
        return len(self.vectors)

    def _mean(self, cuts: list[Cut]) -> tuple[Floats, float, float]:
        """Return the mean of the violated constraints, dense, their mean loss and slack."""
        share = 1.0 / len(cuts)
        vector, loss, slack = np.zeros(self.problem.num_features), 0.0, 0.0
        for cut in cuts:
            violation = cut.violation(self.weights, self.objective.rescaling)
            if violation > 0.0:
                add_sparse(cut.indices, cut.vector(self.objective.rescaling), share, vector)
                loss += share * cut.loss
                slack += share * violation
        return vector, loss, slack

    def _slack(self) -> float:
        """Return the slack that the cuts held ask for at the present weights."""
        violations = [
            loss - sparse_dense(*vector, self.weights)
            for vector, loss in zip(self.vectors, self.losses, strict=True)
        ]
        return max(0.0, *violations) if violations else 0.0

    def _add(self, vector: Floats, loss: float) -> None:
        indices = np.flatnonzero(vector).astype(np.int32)
        self.vectors.append((indices, vector[indices]))
        row = np.array([sparse_dense(*held, vector) for held in self.vectors])
        size = len(row)
        gram = np.empty((size, size))
        gram[:-1, :-1] = self.gram
        gram[-1], gram[:, -1] = row, row
        self.gram = gram
        self.losses = np.append(self.losses, loss)
        self.alphas = np.append(self.alphas, 0.0)
        self.idle = np.append(self.idle, 0)
        self.updates = 1

    def _solve(self) -> None:
        self.alphas = solve(self.gram, self.losses, self.objective.c, self.alphas)
        self._set_weights()

    def _set_weights(self) -> None:
        self.weights = np.zeros(self.problem.num_features)
        for (indices, values), alpha in zip(self.vectors, self.alphas, strict=True):
            if alpha:
                add_sparse(indices, values, alpha, self.weights)
        self.dual = float(self.losses @ self.alphas - 0.5 * (self.weights @ self.weights))

    def _shrink(self) -> None:
        self.idle = np.where(self.alphas > 0.0, 0, self.idle + 1)
        keep = self.idle < self.patience
        if not keep.all():
            self.vectors = [held for held, kept in zip(self.vectors, keep, strict=True) if kept]
            self.gram = self.gram[np.ix_(keep, keep)]
            self.losses, self.alphas = self.losses[keep], self.alphas[keep]
            self.idle = self.idle[keep]

    def adopt(self, other: Self, ratio: float) -> None:
        """Copy another run's cuts, their multipliers times `ratio`."""
        self.vectors = list(other.vectors)
        self.gram, self.losses = other.gram.copy(), other.losses.copy()
        self.alphas, self.idle = ratio * other.alphas, np.zeros_like(other.idle)
        self._solve()

    def settings(self) -> dict[str, Any]:
        """Return the objective and the patience with cuts."""
        return {**super().settings(), "patience": self.patience}

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return weights, cuts and multipliers."""
        return {
            **super().arrays(),
            **Rows.of(self.vectors).arrays(),
            "gram": self.gram,
            "losses": self.losses,
            "alphas": self.alphas,
            "idle": self.idle,
        }

    def restore(self, arrays: Mapping[str, NDArray[Any]], numbers: Mapping[str, Any]) -> None:
        """Take over weights, cuts and multipliers."""
        super().restore(arrays, numbers)
        rows = Rows.restored(arrays, self.problem.num_features)
        size = len(rows)
        self.losses = fitting(arrays["losses"], size)
        self.alphas = fitting(arrays["alphas"], size)
        self.gram = fitting(arrays["gram"].reshape(-1), size * size).reshape(size, size)
        if arrays["idle"].shape != (size,) or arrays["idle"].dtype != np.int64:
            raise ValueError("idle rounds that do not fit the cuts")
        self.idle = arrays["idle"].copy()
        self.vectors = rows.vectors()
