"""What training reports: a report after each round, and the result."""

from __future__ import annotations

from dataclasses import dataclass

from treewright.learning.margin.problem import Floats


@dataclass(frozen=True)
class Report:
    """The status of training after a round.

    `primal` is the lowest measured so far, that of the weights training would return now; None
    before the first measurement, and if there is no objective (perceptron). `updates` counts what
    the round changed: constraints added, steps made, mistakes corrected. `separating` is the part
    of `seconds` spent in the problem's own code.
    """

    round: int
    primal: float | None
    dual: float | None
    constraints: int
    updates: int
    seconds: float
    separating: float

    @property
    def gap(self) -> float | None:
        """By how much the primal can exceed the minimum at most; None if unknown."""
        if self.primal is None or self.dual is None:
            return None
        return self.primal - self.dual

    def __str__(self) -> str:
        parts = [f"round {self.round}:"]
        if self.primal is not None:
            parts.append(f"primal {self.primal:.6g},")
        if self.dual is not None:
            parts.append(f"dual {self.dual:.6g},")
        if self.gap is not None:
            parts.append(f"gap {self.gap:.2g},")
        parts.append(f"{self.constraints} constraints, {self.updates} updates,")
        parts.append(f"{self.seconds:.1f} s ({self.separating:.1f} s separating)")
        return " ".join(parts)


@dataclass(frozen=True)
class Result:
    """The weights, the report of each round, and whether the stopping rule was met."""

    weights: Floats
    reports: tuple[Report, ...]
    converged: bool
