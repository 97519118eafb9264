"""n-slack cutting planes (Tsochantaridis et al. 2005): a working set for each example.

The joint QP over all working sets would be too large for a dense solver, so blocks, one an example,
are solved exactly in turn: block-coordinate ascent in the dual. As in the paper's Algorithm 1, new
constraints count at once: a batch is separated, its blocks solved, then the next one is separated
with the better weights. That needs about half the separations of rounds in which all examples see
the same weights, and a batch still keeps all cores busy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from treewright.arrays import Floats, Ints, Longs
from treewright.errors import UsageError
from treewright.learning.margin.method import DualMethod, fitting
from treewright.learning.margin.problem import Cut, Objective, Problem
from treewright.learning.margin.rows import Rows
from treewright.learning.margin.solver import solve


class Block:
    """Constraints ⟨w, a⟩ ≥ b − ξ of one example, whose multipliers share the cap C/n.

    `idle` counts the rounds for which a constraint has had no influence.
    """

    def __init__(self, rows: Rows, losses: Floats, alphas: Floats, idle: Longs) -> None:
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


REST = 3
"""Rounds with hardly a part in the gap after which an example sleeps until all are checked."""

CHECK = 10
"""Rounds after which the gap is measured and reported, even if it cannot be small yet."""

SHARE = 0.1
"""The part of the gap seen, or allowed, that solving and adding constraints may leave open."""

PASSES = 10
"""The most passes over the blocks in one round; the rest is left to the next round."""


class NSlack(DualMethod):
    """A slack and a working set for each example.

    The primal is measured in rounds that separate all examples with the same weights: when the gap
    seen by the batches is small enough to stop, in every tenth round, or if one batch holds all
    examples. A constraint is dropped after `patience` rounds without influence.
    """

    name: ClassVar[str] = "n-slack"

    def __init__(
        self,
        problem: Problem,
        objective: Objective,
        *,
        batch: int = 32,
        patience: int = 10,
        threads: int = 1,
    ) -> None:
        super().__init__(problem, objective, threads=threads)
        if batch < 1:
            raise UsageError(f"a batch needs at least 1 example, found {batch}")
        if patience < 1:
            raise UsageError(f"a constraint must stay at least 1 round, found {patience}")
        self.batch = batch
        self.patience = patience
        self.blocks = [Block.empty() for _ in range(problem.num_examples)]
        self.quiet = np.zeros(problem.num_examples, np.int64)
        self.check = False
        self.scale = 0.0
        self.still = False

    def step(self) -> None:
        """Separate what is awake, or all if it is time to check; solve; shrink."""
        everyone = self.problem.num_examples
        awake: Sequence[int] = np.flatnonzero(self.quiet < REST).tolist()
        size = self.batch
        if self.check or not awake:
            awake, size = range(everyone), everyone
        exact = size >= len(awake) == everyone
        self.updates = 0
        gap = slack = 0.0
        for at in range(0, len(awake), size):
            examples = awake[at : at + size]
            for cut in self.separator.separate(self.weights, examples, self.objective.rescaling):
                own_gap, own_slack = self._take(cut)
                gap, slack = gap + own_gap, slack + own_slack
            if not exact:
                self._solve_each(examples, 0.0)
        if exact:
            squared = float(self.weights @ self.weights)
            self.measured(0.5 * squared + self.cap * slack, self.weights)
        if not (exact and self.converged):
            self._go_on(awake, gap, slack, exact)

    def _take(self, cut: Cut) -> tuple[float, float]:
        """Add a constraint if it is violated more than those held; return the gap and
        slack seen.
        """
        block = self.blocks[cut.example]
        costs = block.costs(self.weights)
        held = block.slack(costs)
        found = cut.violation(self.weights, self.objective.rescaling)
        gap = block.gap(costs, max(held, found), self.cap)
        # If no example has more than this, their sum is within SHARE of the allowed gap.
        least = SHARE * self.objective.allowed_gap(self.scale) / len(self.blocks)
        self.quiet[cut.example] = self.quiet[cut.example] + 1 if gap <= least else 0
        if self.cap * (found - held) > least:
            block.add(cut.indices, cut.vector(self.objective.rescaling), cut.loss)
            self.updates += 1
        return gap, max(held, found)

    def _solve_each(self, examples: Sequence[int], least: float) -> float:
        """Solve in turn the blocks whose part of the gap is above `least`; return the gap seen."""
        total = 0.0
        for example in examples:
            block = self.blocks[example]
            if len(block):
                costs = block.costs(self.weights)
                gap = block.gap(costs, block.slack(costs), self.cap)
                total += gap
                if gap > least:
                    block.solve(costs, self.weights, self.cap)
        return total

    def _go_on(self, awake: Sequence[int], gap: float, slack: float, exact: bool) -> None:
        """Solve over the working sets, drop what is idle, and see whether to check next."""
        before = self.dual
        examples = range(self.problem.num_examples)
        target = SHARE * max(gap, self.objective.allowed_gap(self.scale))
        for _ in range(PASSES):
            if self._solve_each(examples, 0.5 * target / len(examples)) <= target:
                break
        for example in awake:
            self.blocks[example].shrink(self.patience)
        self._set_weights()
        self.scale = 0.5 * float(self.weights @ self.weights) + self.cap * slack
        small = gap <= self.objective.allowed_gap(self.scale)
        self.check = small or self.updates == 0 or self.round % CHECK == 0
        self.still = exact and self.updates == 0 and self.dual <= before

    def _set_weights(self) -> None:
        """Recompute the weights from the multipliers, so rounding errors never accumulate."""
        self.weights = np.zeros(self.problem.num_features)
        self.dual = 0.0
        for block in self.blocks:
            block.rows.add_to(self.weights, block.alphas)
            self.dual += float(block.losses @ block.alphas)
        self.dual -= 0.5 * float(self.weights @ self.weights)

    @property
    def stuck(self) -> bool:
        """Whether a check found no new constraint and solving gained nothing."""
        return self.still

    @property
    def constraints(self) -> int:
        """How many constraints all working sets hold."""
        return sum(map(len, self.blocks))

    def settings(self) -> dict[str, Any]:
        """Return the objective, the batch and the patience with constraints."""
        return {**super().settings(), "batch": self.batch, "patience": self.patience}

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return weights, working sets and multipliers."""
        blocks = self.blocks
        return {
            **super().arrays(),
            **Rows.of([row for block in blocks for row in block.rows.vectors()]).arrays(),
            "losses": np.concatenate([block.losses for block in blocks]),
            "alphas": np.concatenate([block.alphas for block in blocks]),
            "idle": np.concatenate([block.idle for block in blocks]),
            "sizes": np.array([len(block) for block in blocks], np.int64),
            "quiet": self.quiet,
        }

    def numbers(self) -> dict[str, Any]:
        """Return the counters, the objectives and what the next round is to be."""
        own = {"check": self.check, "scale": self.scale, "still": self.still}
        return {**super().numbers(), **own}

    def restore(self, arrays: Mapping[str, NDArray[Any]], numbers: Mapping[str, Any]) -> None:
        """Restore weights, working sets and multipliers."""
        super().restore(arrays, numbers)
        rows = Rows.restored(arrays, self.problem.num_features)
        losses = fitting(arrays["losses"], len(rows))
        alphas = fitting(arrays["alphas"], len(rows))
        idle, sizes, quiet = arrays["idle"], arrays["sizes"], arrays["quiet"]
        whole = all(counts.dtype == np.int64 for counts in (idle, sizes, quiet))
        fit = idle.shape == losses.shape and sizes.shape == quiet.shape == self.quiet.shape
        if not whole or not fit or (sizes < 0).any() or sizes.sum() != len(rows):
            raise ValueError("working sets that do not fit the examples")
        ends = np.cumsum(sizes)
        vectors = rows.vectors()
        self.blocks = [
            Block(
                Rows.of(vectors[begin:end]), losses[begin:end], alphas[begin:end], idle[begin:end]
            )
            for begin, end in zip((ends - sizes).tolist(), ends.tolist(), strict=True)
        ]
        self.quiet = quiet.copy()
        self.check, self.still = bool(numbers["check"]), bool(numbers["still"])
        self.scale = float(numbers["scale"])
