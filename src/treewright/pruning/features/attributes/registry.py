"""The registry of attributes, and what their functions share."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from treewright.pruning.features.surroundings import Surroundings

Values = NDArray[np.generic]
Attribute = Callable[[Surroundings], Values]

NODE: dict[str, Attribute] = {}
GAP: dict[str, Attribute] = {}
TOKEN: dict[str, Attribute] = {}


def of_node(function: Attribute) -> Attribute:
    """Register an attribute of nodes under the function's name."""
    NODE[function.__name__] = function
    return function


def of_gap(function: Attribute) -> Attribute:
    """Register an attribute of gaps under the function's name."""
    GAP[function.__name__] = function
    return function


def of_token(function: Attribute) -> Attribute:
    """Register an attribute of tokens under the function's name."""
    TOKEN[function.__name__] = function
    return function


_ROUGHLY = np.array([0, 1, 2, 3, 4, 4, 5, 5, 5, 5, 6])


def bucket(counts: NDArray[np.int64]) -> Values:
    """Return counts, rounded if large: 0 to 3, 4-5, 6-9, 10 and more."""
    return _ROUGHLY[np.minimum(counts, len(_ROUGHLY) - 1)]
