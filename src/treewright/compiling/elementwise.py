"""Loops that run element by element in a compiled kernel, and over whole arrays otherwise.

    for k in lanes(size):
        sums[k] = greatest(sums[k] + more[k], zero)

Uncompiled, `k` is a slice, and NumPy applies the body of the loop to all elements at once. The
iterations of such a loop must not depend on one another.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Twins:
    """Two functions with one name: one for compiled kernels, and one for uncompiled ones."""

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
