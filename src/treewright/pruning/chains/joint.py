"""`Joint`: what prunings of a tree weigh if their neighbours count beside their prices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from treewright.pruning.chains import _kernels
from treewright.pruning.chains.chain import Chain, ChainSum, Uses, sum_chains
from treewright.pruning.gaps import Prices

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Joint:
    """The scores of neighbours alone (`seams`), and what they weigh with all that goes between.

    A forest derives the same prunings, and guards restrict it; but its weights do not hold the
    seams, because nodes do not know the tokens at the ends of what they keep.
    """

    chain: Chain
    seams: Floats
    scores: Floats

    @classmethod
    def of(cls, chain: Chain, prices: Prices) -> Joint:
        """Add the scores of neighbours to the prices of what goes between them."""
        assert prices.seams is not None, "there are scores of neighbours"
        return cls(chain, prices.seams, chain.weigh(prices) + prices.seams)

    @cached_property
    def sum(self) -> ChainSum:
        """The sum over all prunings, and how probable neighbours are."""
        return sum_chains(self.scores)

    @cached_property
    def uses(self) -> Uses:
        """How often each gap and the dropping of each node is expected to be used."""
        return self.chain.spread(self.sum.chances)

    def together(self, governors: NDArray[np.int32]) -> Floats:
        """Return the probability that each token stays together with its governor."""
        chances: Floats = _kernels.kept_together(self.scores, governors)
        return chances

    def seam_weight(self, kept: Sequence[int]) -> float:
        """Return what the neighbours of a version are worth, given the tokens that it keeps."""
        places = [0, *[place + 1 for place in kept], len(self.seams) - 1]
        return float(sum(self.seams[pair] for pair in pairwise(places)))
