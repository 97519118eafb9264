"""The arrays that alignment kernels share: the pairs of a text, and the chains that sample them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

UNIT = 1000
"""How counts of links are stored: in thousandths, so priors are whole numbers and sums exact."""
JUMPS = 1024
"""How many jumps are told apart; a sentence has at most `MAX_SENTENCE` words."""
STILL = JUMPS // 2
"""Where the jump of 0 is counted."""
FERTILITIES = 8
"""How many fertilities are told apart; the last stands for all that are higher."""
TAIL = np.float32(0.1)
"""How much less likely each fertility beyond the last is than the one before it."""
CERTAIN = np.float32(1 << 20)
"""The posterior of a certain link in one sample; whole numbers add up in any order."""


class Chains(NamedTuple):
    """The state of chains, the first axis of each array but `links` (slot, chain) and `prior`.

    The first `forward` chains let each target word choose a source word, the others the reverse.
    Everything but `link` (the choice of each word; -1: none) and `random` are counts of the links,
    plus priors. `links` has the slots of several cells: the one cell of each other slot is linked
    if `link` says so, beside its `prior` (slot, direction), which all chains share.
    """

    forward: int
    link: NDArray[np.int16]
    random: NDArray[np.uint64]
    links: NDArray[np.int32]
    prior: NDArray[np.int32]
    total: NDArray[np.float64]
    """Of each word, over the words that chose it."""
    null: NDArray[np.float32]
    """Of each word, how often it chose none; in the last place, the sum."""
    jump: NDArray[np.float32]
    """Of each jump forward, and mirrored."""
    jumps: NDArray[np.float64]
    fertility: NDArray[np.float32]
    expected: NDArray[np.float32]
    """The prior counts of each fertility of any word."""


class Options(NamedTuple):
    """What the model assumes."""

    level: int
    """1: words alone; 2: and jumps; 3: and fertilities."""
    null: np.float32
    """The prior weight of choosing no word."""
    null_alpha: np.float32
    """The prior count of each word that chooses none."""
    null_total: NDArray[np.float32]
    """The sum of these for each direction."""
