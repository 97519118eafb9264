"""`Chain`: the prunings of a tree as chains of the tokens that stay.

Between two kept tokens that become neighbours everything goes, and what that costs follows from
these two alone: the nodes that go are the largest ones between the two, because each larger one
holds a token that stays. The same is true of gaps: one lies below the lowest node that has both
tokens, the others on the two ways from there down. So the weight of a pruning is a sum over pairs
of neighbours, and a score of how two tokens look side by side can be added to it. Sums over all
prunings stay exact, in time quadratic in the length of the sentence.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.pruning._kernels import sum_dropped
from treewright.pruning.chains import _kernels
from treewright.pruning.gaps import Gaps, Prices
from treewright.trees import TreeArrays

Floats = NDArray[np.float64]


class ChainSum(NamedTuple):
    """The log of the sum over all chains, and the probability that two tokens become neighbours."""

    log_total: float
    chances: Floats


class Uses(NamedTuple):
    """How often each gap is used, and how often each node is dropped."""

    gaps: Floats
    drops: Floats


class Chain:
    """The prunings of one tree, without weights.

    Matrices of pairs have a row and a column for each token, and before and after those one for
    either end of the sentence.
    """

    def __init__(self, tree: TreeArrays, gaps: Gaps) -> None:
        self.tree = tree
        self.gaps = gaps

    @cached_property
    def _jumps(self) -> NDArray[np.int32]:
        jumps: NDArray[np.int32] = _kernels.list_jumps(self.gaps[:], self.tree.end)
        return jumps

    def weigh(self, prices: Prices) -> Floats:
        """Return what pairs of neighbours weigh, -inf if they are in the wrong order."""
        assert prices.drops is not None, "without rules, prices say what dropping a node costs"
        worth = prices.gaps + sum_dropped(self.gaps[:], self.tree.end, prices.drops)
        scores: Floats = _kernels.weigh_pairs(self.tree[:], self._jumps, worth)
        return scores

    def spread(self, uses: Floats) -> Uses:
        """Return how often gaps and nodes are used if pairs of neighbours are used so often."""
        return Uses(*_kernels.spread(self.tree[:], self.gaps[:], self._jumps, uses))

    def uses(self, kept: Sequence[int]) -> Floats:
        """Return the pairs of neighbours of one chain, as a matrix."""
        size = int(self.tree.right[0])
        matrix = np.zeros((size + 2, size + 2))
        for left, right in pairwise([0, *[place + 1 for place in kept], size + 1]):
            matrix[left, right] = 1.0
        return matrix


def sum_chains(scores: Floats) -> ChainSum:
    """Sum over all chains that keep a token, given the weights of pairs of neighbours."""
    return ChainSum(*_kernels.sum_chains(scores))


def best_chain(scores: Floats) -> tuple[int, ...]:
    """Return the tokens that the best chain keeps, from 0."""
    return tuple(_kernels.best_chain(scores).tolist())
