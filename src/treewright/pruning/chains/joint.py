"""`Joint`: what prunings of a tree weigh if their neighbours count beside their prices."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from treewright.pruning.chains.chain import Chain, ChainSum, Uses, sum_chains
from treewright.pruning.gaps import Prices

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Joint:
    """The scores of neighbours alone (`seams`), and what they weigh with all that goes between.

    A forest of the same prunings has the seams among its weights only when it is split by the
    tokens at the ends of what nodes keep (`join_neighbours`), after guards have made it smaller.
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
