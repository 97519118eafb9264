"""The averaged structured perceptron (Collins 2002): a cheap baseline without objective or QP."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from treewright.arrays import Floats
from treewright.learning.margin._kernels import add_sparse
from treewright.learning.margin.method import Method, fitting
from treewright.learning.margin.problem import Cut, Problem
from treewright.randomness import generator


class Perceptron(Method):
    """Adds δΨ of every prediction with a loss; returns the mean of the weights after each example.

    A round is an epoch in shuffled order; training ends when an epoch makes no mistake. The loss
    only decides what counts as a mistake.
    """

    name: ClassVar[str] = "perceptron"

    def __init__(self, problem: Problem, *, seed: int = 0, threads: int = 1) -> None:
        super().__init__(problem, threads=threads)
        self.seed = seed
        self.random = generator(seed)
        self.late: Floats = np.zeros(problem.num_features)
        self.seen = 0

    def step(self) -> None:
        """Do one epoch."""
        self.updates = 0
        for example in self.random.permutation(self.problem.num_examples).tolist():
            [cut] = self.separator.predict(self.weights, [example])
            self._correct(cut)

    def _correct(self, cut: Cut) -> None:
        if cut.loss > 0.0 and len(cut.indices):
            # A change made at example t is missing from the t weight vectors before it, so the
            # mean is w − late / T: no need to add up w itself after each example.
            add_sparse(cut.indices, cut.values, 1.0, self.weights)
            add_sparse(cut.indices, cut.values, float(self.seen), self.late)
            self.updates += 1
        self.seen += 1

    @property
    def converged(self) -> bool:
        """Whether the last epoch made no mistake that a feature could correct."""
        return self.round > 0 and self.updates == 0

    @property
    def learned(self) -> Floats:
        """The averaged weights."""
        return self.weights - self.late / max(1, self.seen)

    def settings(self) -> dict[str, Any]:
        """Return the method's name and seed."""
        return {"method": self.name, "seed": self.seed}

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the weights and what averaging subtracts from them."""
        return {"weights": self.weights, "late": self.late}

    def numbers(self) -> dict[str, Any]:
        """Return the counters and the generator's state."""
        random = self.random.bit_generator.state
        return {**super().numbers(), "seen": self.seen, "random": random}

    def restore(self, arrays: Mapping[str, NDArray[Any]], numbers: Mapping[str, Any]) -> None:
        """Restore weights, counters and the generator's state."""
        super().restore(arrays, numbers)
        self.weights = fitting(arrays["weights"], self.problem.num_features)
        self.late = fitting(arrays["late"], self.problem.num_features)
        self.seen = int(numbers["seen"])
        self.random.bit_generator.state = numbers["random"]
