"""Annealing schedules: the temperature of every sweep."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from treewright.errors import UsageError, choose
from treewright.learning.checks import check_number

SCHEDULES: dict[str, Callable[[float, float, float], float]] = {
    "linear": lambda hot, cold, share: hot + (cold - hot) * share,
    "cosine": lambda hot, cold, share: cold + (hot - cold) * (1 + math.cos(math.pi * share)) / 2,
    "geometric": lambda hot, cold, share: hot * (cold / hot) ** share,
    "constant": lambda hot, cold, share: hot,
}
"""Functions of the hottest and the coldest temperature and the completed share of the run; the
constant schedule stays at the hottest.
"""


@dataclass(frozen=True)
class Annealing:
    """The temperatures of a run; the paper's falls linearly from 5 to 0."""

    schedule: str
    hottest: float
    coldest: float
    iterations: int

    def __post_init__(self) -> None:
        choose(self.schedule, SCHEDULES, "schedule")
        check_number("hottest", self.hottest, above=0.0)
        check_number("coldest", self.coldest, least=0.0, most=self.hottest)
        if self.schedule == "geometric" and self.coldest == 0.0:
            raise UsageError("a geometric schedule never reaches 0; give coldest, such as 0.01")

    def temperature(self, iteration: int) -> float:
        """Return the temperature of a sweep, counted from 0; a single sweep is the last."""
        share = iteration / (self.iterations - 1) if self.iterations > 1 else 1.0
        return SCHEDULES[self.schedule](self.hottest, self.coldest, share)
