"""Block-coordinate Frank–Wolfe (Lacoste-Julien, Jaggi, Schmidt and Pletscher 2013).

Each example owns a part w_i of w = Σ w_i, a mean of its constraints times C/n. A step moves w_i
towards the most violated one, as far as the dual rises (their Algorithm 4). Written for margin
rescaling, it needs nothing but ⟨w, a⟩ ≥ b − ξ, and so serves slack rescaling as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from treewright.arrays import Floats, Ints
from treewright.errors import UsageError
from treewright.learning.margin._kernels import add_sparse, combine, sparse_dense
from treewright.learning.margin.method import DualMethod, fitting
from treewright.learning.margin.problem import Cut, Objective, Problem
from treewright.learning.margin.rows import Rows
from treewright.randomness import generator

Vector = tuple[Ints, Floats]


class FrankWolfe(DualMethod):
    """No QP and no working sets: only a sparse vector and a number for each example.

    A round is a pass in shuffled order; every `check_every` rounds, all examples are separated with
    the same weights to measure the gap.
    """

    name: ClassVar[str] = "frank-wolfe"

    def __init__(
        self,
        problem: Problem,
        objective: Objective,
        *,
        seed: int = 0,
        check_every: int = 5,
        threads: int = 1,
    ) -> None:
        super().__init__(problem, objective, threads=threads)
        if check_every < 1:
            raise UsageError(f"gaps need at least 1 round between them, found {check_every}")
        self.seed = seed
        self.check_every = check_every
        self.random = generator(seed)
        nothing: Vector = (np.empty(0, np.int32), np.empty(0))
        self.parts: list[Vector] = [nothing] * problem.num_examples
        self.losses: Floats = np.zeros(problem.num_examples)

    def step(self) -> None:
        """Do one pass, and measure the gap if that is due."""
        self.updates = 0
        for example in self.random.permutation(self.problem.num_examples).tolist():
            [cut] = self.separator.separate(self.weights, [example], self.objective.rescaling)
            self._move(cut)
        if self.round % self.check_every == 0:
            self._set_weights()
            cuts = self.measure()
            if not self.converged:
                # Each cut found along the way is good for a step.
                for cut in cuts:
                    self._move(cut)
        self._set_weights()

    def _move(self, cut: Cut) -> None:
        """Move the example's part towards a constraint, or to 0 if that is not violated."""
        part, loss = self.parts[cut.example], float(self.losses[cut.example])
        goal: Vector = (cut.indices, self.cap * cut.vector(self.objective.rescaling))
        goal_loss = self.cap * cut.loss
        if sparse_dense(*goal, self.weights) > goal_loss:
            goal, goal_loss = (goal[0][:0], goal[1][:0]), 0.0
        indices, values = combine(*goal, 1.0, *part, -1.0)
        gain = goal_loss - loss - sparse_dense(indices, values, self.weights)
        if gain <= 0.0:
            return
        squared = float(values @ values)
        share = 1.0 if gain >= squared else gain / squared
        add_sparse(indices, values, share, self.weights)
        self.parts[cut.example] = (
            goal if share == 1.0 else combine(*part, 1.0 - share, *goal, share)
        )
        self.losses[cut.example] = (1.0 - share) * loss + share * goal_loss
        self.updates += 1

    def _set_weights(self) -> None:
        """Recompute the weights from the parts, so rounding errors never accumulate."""
        self.weights = np.zeros(self.problem.num_features)
        for indices, values in self.parts:
            add_sparse(indices, values, 1.0, self.weights)
        self.dual = float(self.losses.sum() - 0.5 * (self.weights @ self.weights))

    @property
    def constraints(self) -> int:
        """How many examples contribute to the weights."""
        return sum(len(indices) > 0 for indices, _ in self.parts)

    def settings(self) -> dict[str, Any]:
        """Return the objective, the seed and how often the gap is measured."""
        return {**super().settings(), "seed": self.seed, "check_every": self.check_every}

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return weights and parts."""
        return {**super().arrays(), **Rows.of(self.parts).arrays(), "losses": self.losses}

    def numbers(self) -> dict[str, Any]:
        """Return the counters, the objectives and the generator's state."""
        return {**super().numbers(), "random": self.random.bit_generator.state}

    def restore(self, arrays: Mapping[str, NDArray[Any]], numbers: Mapping[str, Any]) -> None:
        """Restore weights, parts and the generator's state."""
        super().restore(arrays, numbers)
        rows = Rows.restored(arrays, self.problem.num_features)
        if len(rows) != self.problem.num_examples:
            raise ValueError("parts that do not fit the examples")
        self.parts = rows.vectors()
        self.losses = fitting(arrays["losses"], len(rows))
        self.random.bit_generator.state = numbers["random"]
