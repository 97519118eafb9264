"""Semirings: what "add" and "multiply" mean when a forest is summed from the leaves."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

T = TypeVar("T")


class Semiring(Protocol[T]):
    """Values under an associative, commutative `plus` and an associative `times` over it.

    `zero` is neutral for `plus` and absorbs under `times`; `one` is neutral for `times`;
    `times` distributes over `plus`. `lift` turns an edge's log-weight into a value.
    """

    @property
    def zero(self) -> T:
        """The value of having no derivation."""

    @property
    def one(self) -> T:
        """The value of the empty product."""

    def plus(self, a: T, b: T, /) -> T:
        """Combine alternatives."""

    def times(self, a: T, b: T, /) -> T:
        """Combine the parts of one derivation."""

    def lift(self, weight: float, /) -> T:
        """Return the value of an edge with this log-weight."""


@dataclass(frozen=True)
class Operations(Generic[T]):
    """A semiring put together from its parts."""

    zero: T
    one: T
    plus: Callable[[T, T], T]
    times: Callable[[T, T], T]
    lift: Callable[[float], T]


def log_add(a: float, b: float) -> float:
    """Return log(exp(a) + exp(b)), exact when either is -inf."""
    if a < b:
        a, b = b, a
    return a if b == -math.inf else a + math.log1p(math.exp(b - a))


LOG: Semiring[float] = Operations(
    zero=-math.inf, one=0.0, plus=log_add, times=lambda a, b: a + b, lift=float
)
"""Log-probabilities: inside is the log of the sum over derivations."""

MAX: Semiring[float] = Operations(
    zero=-math.inf, one=0.0, plus=max, times=lambda a, b: a + b, lift=float
)
"""Max-plus (tropical): inside is the weight of the best derivation."""

COUNTING: Semiring[int] = Operations(
    zero=0,
    one=1,
    plus=lambda a, b: a + b,
    times=lambda a, b: a * b,
    lift=lambda weight: int(weight > -math.inf),
)
"""Exact integers: inside is the number of derivations."""

BOOLEAN: Semiring[bool] = Operations(
    zero=False,
    one=True,
    plus=lambda a, b: a or b,
    times=lambda a, b: a and b,
    lift=lambda weight: weight > -math.inf,
)
"""Booleans: inside says whether there is a derivation."""
