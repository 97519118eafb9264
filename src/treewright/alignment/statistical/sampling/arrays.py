"""The arrays that alignment kernels share: the pairs of a text, and the chains that sample them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.arrays import Floats, Ints, Singles

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
    links: Ints
    prior: Ints
    total: Floats
    """Of each word, over the words that chose it."""
    null: Singles
    """Of each word, how often it chose none; in the last place, the sum."""
    jump: Singles
    """Of each jump forward, and mirrored."""
    jumps: Floats
    fertility: Singles
    expected: Singles
    """The prior counts of each fertility of any word."""


class Options(NamedTuple):
    """What the model assumes."""

    level: int
    """1: words alone; 2: and jumps; 3: and fertilities."""
    null: np.float32
    """The prior weight of choosing no word."""
    null_alpha: np.float32
    """The prior count of each word that chooses none."""
    null_total: Singles
    """The sum of these for each direction."""
