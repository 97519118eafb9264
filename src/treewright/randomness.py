"""Seeded random generators: the only source of randomness in the package."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np


def generator(seed: int) -> np.random.Generator:
    """Return a fresh generator; the same seed gives the same stream on every machine."""
    import numpy as np

    return np.random.Generator(np.random.PCG64(seed))
