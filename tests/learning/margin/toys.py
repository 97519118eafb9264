"""Small problems with all their outputs written out, and their exact solution."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import strategies as st
from scipy.optimize import minimize

from treewright.arrays import Floats
from treewright.learning.margin.frank_wolfe import FrankWolfe
from treewright.learning.margin.n_slack import NSlack
from treewright.learning.margin.perceptron import Perceptron
from treewright.learning.margin.problem import Cut, Objective, Problem, Rescaling

DUAL_METHODS = (NSlack, FrankWolfe)


class Enumerated:
    """Outputs of example i: rows of `features[i]`, the gold one first, with losses `losses[i]`."""

    def __init__(self, features: Sequence[Floats], losses: Sequence[Floats]) -> None:
        self.features = [np.asarray(rows, float) for rows in features]
        self.losses = [np.asarray(row, float) for row in losses]
        self.num_examples = len(self.features)
        self.num_features = self.features[0].shape[1]
        parts = [*self.features, *self.losses]
        self.fingerprint = b"".join(part.tobytes() for part in parts).hex()

    def differences(self, example: int) -> Floats:
        return self.features[example][0] - self.features[example]

    def costs(self, weights: Floats, example: int, rescaling: Rescaling) -> Floats:
        losses, scores = self.losses[example], self.differences(example) @ weights
        return losses - (scores if rescaling == "margin" else losses * scores)

    def separate(self, weights: Floats, examples: Sequence[int], rescaling: Rescaling) -> list[Cut]:
        return [
            self._cut(example, int(self.costs(weights, example, rescaling).argmax()))
            for example in examples
        ]

    def predict(self, weights: Floats, examples: Sequence[int]) -> list[Cut]:
        # Of outputs with the same score the worst: no credit for a tie.
        return [
            self._cut(example, int(np.lexsort((self.losses[example], scores))[-1]))
            for example in examples
            for scores in [self.features[example] @ weights]
        ]

    def _cut(self, example: int, output: int) -> Cut:
        vector = self.differences(example)[output]
        indices = np.flatnonzero(vector).astype(np.int32)
        return Cut(example, indices, vector[indices], float(self.losses[example][output]))


def primal(problem: Enumerated, objective: Objective, weights: Floats) -> float:
    slacks = [
        max(0.0, problem.costs(weights, example, objective.rescaling).max())
        for example in range(problem.num_examples)
    ]
    return float(0.5 * weights @ weights + objective.c * np.mean(slacks))


def optimum(problem: Enumerated, objective: Objective) -> float:
    """Solve the whole QP, with all constraints, by a general-purpose method."""
    size, examples = problem.num_features, problem.num_examples
    rows, bounds = [], []
    for example in range(examples):
        for vector, loss in zip(problem.differences(example), problem.losses[example], strict=True):
            slack = np.zeros(examples)
            slack[example] = 1.0
            factor = loss if objective.rescaling == "slack" else 1.0
            rows.append(np.append(factor * vector, slack))
            bounds.append(loss)
    matrix, least = np.array(rows), np.array(bounds)
    price = np.append(np.zeros(size), np.full(examples, objective.c / examples))
    found = minimize(
        lambda x: 0.5 * x[:size] @ x[:size] + price @ x,
        np.append(np.zeros(size), np.full(examples, least.max())),
        jac=lambda x: np.append(x[:size], np.zeros(examples)) + price,
        constraints={"type": "ineq", "fun": lambda x: matrix @ x - least, "jac": lambda x: matrix},
        bounds=[(None, None)] * size + [(0.0, None)] * examples,
        method="SLSQP",
        options={"maxiter": 1000, "ftol": 1e-12},
    )
    return primal(problem, objective, found.x[:size])


def random_problem(
    seed: int, *, examples: int = 12, outputs: int = 6, features: int = 8
) -> Enumerated:
    random = np.random.default_rng(seed)
    losses = random.uniform(0.1, 1.0, (examples, outputs))
    losses[:, 0] = 0.0
    return Enumerated(random.normal(size=(examples, outputs, features)), losses)


def classes(seed: int) -> Enumerated:
    """Three classes far from each other: multiclass with a block of features for each class."""
    random = np.random.default_rng(seed)
    centres = 4.0 * np.eye(3)
    features = []
    for example in range(15):
        label = example % 3
        point = centres[label] + 0.3 * random.normal(size=3)
        rows = [np.kron(np.eye(3)[choice], point) for choice in range(3)]
        features.append(np.array([rows[label], *(rows[k] for k in range(3) if k != label)]))
    return Enumerated(features, [np.array([0.0, 1.0, 1.0])] * 15)


numbers = st.integers(-8, 8).map(lambda number: number / 4)


@st.composite
def problems(draw: st.DrawFn) -> Enumerated:
    """Up to 4 examples of up to 4 outputs, with repeats, zero vectors and losses of any size."""
    size = draw(st.integers(1, 4))
    features, losses = [], []
    for _ in range(draw(st.integers(1, 4))):
        outputs = draw(st.integers(1, 4))
        rows = draw(st.lists(numbers, min_size=outputs * size, max_size=outputs * size))
        features.append(np.reshape(rows, (outputs, size)))
        others = st.sampled_from([0.0, 0.25, 0.5, 1.0, 3.0])
        losses.append(np.array([0.0, *draw(st.tuples(*[others] * (outputs - 1)))]))
    return Enumerated(features, losses)


def make(name: str, problem: Problem, objective: Objective, threads: int = 1):  # type: ignore[no-untyped-def]
    """Return a method by name, in small batches where it has them, so that threads have work."""
    return {
        "n-slack": lambda: NSlack(problem, objective, batch=5, threads=threads),
        "frank-wolfe": lambda: FrankWolfe(problem, objective, seed=3, threads=threads),
        "perceptron": lambda: Perceptron(problem, seed=3, threads=threads),
    }[name]()


NAMES = ("n-slack", "frank-wolfe", "perceptron")
