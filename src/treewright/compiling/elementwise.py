"""Functions that differ in compiled and in uncompiled kernels, and the loops made of them.

    for k in lanes(size):
        sums[k] = greatest(sums[k] + more[k], zero)

A loop over `lanes` runs element by element in a compiled kernel. Uncompiled, `k` is a slice, and
NumPy applies the body of the loop to all elements at once. The iterations of such a loop must not
depend on one another.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any


class Twins:
    """Two functions with one name: one for compiled kernels, and one for uncompiled ones.

    The former may need numba, so it is made when the first kernel that calls it is compiled.
    `sources` are the files that say what it does, if it is ours.
    """

    def __init__(
        self, make: Callable[[], Any], plain: Callable[..., Any], sources: Sequence[Path] = ()
    ) -> None:
        self._make = make
        self._sources = sources
        self.plain = plain

    def __call__(self, *arguments: Any) -> Any:
        """Call the plain one."""
        return self.plain(*arguments)

    @cached_property
    def compiled(self) -> Any:
        """The one for compiled kernels."""
        return self._make()

    @property
    def stamp(self) -> bytes:
        """What compiled kernels contain of it, which changes when it does."""
        return b"".join([source.read_bytes() for source in self._sources])


def _at_once(size: int) -> tuple[slice]:
    return (slice(0, size),)


def _minimum(one: Any, other: Any) -> Any:
    import numpy as np

    return np.minimum(one, other)


def _maximum(one: Any, other: Any) -> Any:
    import numpy as np

    return np.maximum(one, other)


lanes = Twins(lambda: range, _at_once)
least = Twins(lambda: min, _minimum)
greatest = Twins(lambda: max, _maximum)
