"""Loops that a kernel runs element by element when it is compiled, and over whole arrays otherwise.

    for k in lanes(size):
        sums[k] = greatest(sums[k] + more[k], zero)

Uncompiled, `k` is a slice, and NumPy does with all elements at once what the loop says of one. The
turns of such a loop may not depend on one another.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Twins:
    """Two functions of one name: what a kernel calls when it is compiled, and when it is not."""

    def __init__(self, compiled: Callable[..., Any], plain: Callable[..., Any]) -> None:
        self.compiled = compiled
        self.plain = plain

    def __call__(self, *arguments: Any) -> Any:
        """Call the plain one."""
        return self.plain(*arguments)


def _at_once(size: int) -> tuple[slice]:
    return (slice(0, size),)


def _minimum(one: Any, other: Any) -> Any:
    import numpy as np

    return np.minimum(one, other)


def _maximum(one: Any, other: Any) -> Any:
    import numpy as np

    return np.maximum(one, other)


lanes = Twins(range, _at_once)
least = Twins(min, _minimum)
greatest = Twins(max, _maximum)
