"""The working set of one example: its constraints, their multipliers, and their Gram matrix."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treewright.learning.margin.problem import Floats, Ints
from treewright.learning.margin.rows import Rows
from treewright.learning.margin.solver import solve

Counts = NDArray[np.int64]


class Block:
    """Constraints ⟨w, a⟩ ≥ b − ξ of one example, whose multipliers share the cap C/n.

    `idle` counts the rounds for which a constraint has had no influence.
    """

    def __init__(self, rows: Rows, losses: Floats, alphas: Floats, idle: Counts) -> None:
        self.rows = rows
        self.losses = losses
        self.alphas = alphas
        self.idle = idle
        self.gram: Floats = np.empty((len(rows), len(rows)))
        for number in range(len(rows)):
            self.gram[number] = rows.products(*rows.row(number))

    @classmethod
    def empty(cls) -> Block:
        """Return a working set without constraints."""
        return cls(Rows.of([]), np.zeros(0), np.zeros(0), np.zeros(0, np.int64))

    def __len__(self) -> int:
        return len(self.losses)

    def add(self, indices: Ints, values: Floats, loss: float) -> None:
        """Add a constraint, initially without influence."""
        self.rows = Rows.of([*self.rows.vectors(), (indices, values)])
        row = self.rows.products(indices, values)
        gram = np.empty((len(row), len(row)))
        gram[:-1, :-1] = self.gram
        gram[-1], gram[:, -1] = row, row
        self.gram = gram
        self.losses = np.append(self.losses, loss)
        self.alphas = np.append(self.alphas, 0.0)
        self.idle = np.append(self.idle, 0)

    def costs(self, weights: Floats) -> Floats:
        """Return H of each constraint."""
        return self.losses - self.rows.scores(weights)

    def slack(self, costs: Floats) -> float:
        """Return the slack that the constraints require."""
        return max(0.0, float(costs.max())) if len(costs) else 0.0

    def gap(self, costs: Floats, slack: float, cap: float) -> float:
        """Return the example's part of the duality gap, given its slack."""
        return cap * slack - float(self.alphas @ costs)

    def solve(self, costs: Floats, weights: Floats, cap: float) -> None:
        """Solve for the multipliers exactly, with all else fixed, and update the weights."""
        alphas = solve(self.gram, costs + self.gram @ self.alphas, cap, self.alphas)
        self.rows.add_to(weights, alphas - self.alphas)
        self.alphas = alphas

    def shrink(self, patience: int) -> None:
        """Count idle rounds; drop constraints that have had no influence for too many."""
        self.idle = np.where(self.alphas > 0.0, 0, self.idle + 1)
        keep = self.idle < patience
        if not keep.all():
            self.rows = Rows.of(
                [row for row, kept in zip(self.rows.vectors(), keep, strict=True) if kept]
            )
            self.losses, self.alphas = self.losses[keep], self.alphas[keep]
            self.gram, self.idle = self.gram[np.ix_(keep, keep)], self.idle[keep]
