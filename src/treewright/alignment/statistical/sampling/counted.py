"""What chains have counted: all that a model knows about two languages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright.alignment.statistical.priors import Priors, Relatives
from treewright.alignment.statistical.sampling.arrays import FERTILITIES, JUMPS, UNIT
from treewright.arrays import Floats, Ints, Longs, Singles


@dataclass(frozen=True, eq=False)
class Counted:
    """Counts of links (in thousandths), nulls, jumps and fertilities, in both directions."""

    pairs: Ints
    """The two words of each pair that is linked."""
    links: Ints
    null: Singles
    jump: Singles
    fertility: Singles

    @classmethod
    def nothing(cls, sizes: tuple[int, int]) -> Counted:
        """Return the counts of no text, for two vocabularies."""
        return cls(
            np.zeros((0, 2), np.int32),
            np.zeros((0, 2), np.int32),
            np.zeros((2, max(sizes) + 1), np.float32),
            np.zeros((2, 2, JUMPS), np.float32),
            np.zeros((2, max(sizes), FERTILITIES), np.float32),
        )

    def widened(self, sizes: tuple[int, int]) -> Counted:
        """Make room for the words of larger vocabularies."""
        wider = Counted.nothing(sizes)
        wider.null[:, : self.null.shape[1] - 1] = self.null[:, :-1]
        wider.null[:, -1] = self.null[:, -1]
        wider.fertility[:, : self.fertility.shape[1]] = self.fertility
        return Counted(self.pairs, self.links, wider.null, self.jump, wider.fertility)

    @property
    def total(self) -> list[Floats]:
        """The links of each source word, by target words that chose it, and the reverse."""
        size = self.fertility.shape[1]
        return [
            np.asarray(np.bincount(pairs, links, minlength=size), np.float64)
            for pairs, links in zip(self.pairs.T, self.links.T, strict=True)
        ]

    def finder(self, size: int) -> Callable[[Ints], Ints]:
        """Return what tells the counts of pairs of words; `size` is that of the target side."""
        keys = _keys(self.pairs, size)
        order = np.argsort(keys)

        def find(pairs: Ints) -> Ints:
            found = np.zeros((len(pairs), 2), np.int32)
            if keys.size:
                wanted = _keys(pairs, size)
                place = np.minimum(np.searchsorted(keys, wanted, sorter=order), keys.size - 1)
                same = keys[order[place]] == wanted
                found[same] = self.links[order[place[same]]]
            return found

        return find

    def relatives(self, priors: Priors) -> Relatives:
        """Return what the links that were counted say of other words."""
        return priors.relatives(self.pairs, agreed(self.links))


def agreed(links: NDArray[np.integer], chains: int = 1) -> Floats:
    """Return how often words are linked, in both directions alike, given the counts that chains of
    both directions have together.
    """
    counts = links / (UNIT * chains)
    return np.asarray(np.sqrt(counts[:, 0] * counts[:, 1]), np.float64)


def _keys(pairs: Ints, size: int) -> Longs:
    return pairs[:, 0].astype(np.int64) * size + pairs[:, 1]
