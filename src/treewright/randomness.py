"""Seeded random generators: the only source of randomness in the package."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np


def generator(*seed: int) -> np.random.Generator:
    """Return a fresh generator; the same seed gives the same stream on every machine.

    Several numbers are a seed, too: for example that of a run, and which item of it is drawn for.
    """
    import numpy as np

    return np.random.Generator(np.random.PCG64(seed[0] if len(seed) == 1 else seed))
