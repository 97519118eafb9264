"""Signatures of rows: on which side of random hyperplanes their weights lie (Charikar 2002).

Two rows at angle θ differ in a bit with probability θ/π, so of b bits in about b·θ/π, give or take
√(b·p(1 − p)). Cosines between phrases are small, about 0.1, where that error is as large as what is
looked for: candidates are found by many short bands, and a shortlist is ranked by exact cosines.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from treewright.arrays import Floats, Ints, Longs, Singles
from treewright.compiling import expect_work
from treewright.paraphrase.space import Space

WORD = 64
BAND = 8
"""Bits of a band: one byte of the signature."""
_SEED = 2011
_PROBES = np.array([0, *(1 << bit for bit in range(BAND))], np.uint8)
"""What the query's byte is changed by: itself, and every byte that differs in one bit."""
_WEIGHTS = np.array([3, *(1 for _ in range(BAND))])
_WIDER = 4
"""How many times as long as the shortlist the list of those that share bands is."""


def signature(contexts: Ints, weights: Singles, bits: int) -> NDArray[np.uint64]:
    """Return the signature of a sparse vector."""
    from treewright.paraphrase._kernels import POOL_BITS, project

    pool = np.random.default_rng(_SEED).standard_normal(1 << POOL_BITS).astype(np.float32)
    total = np.zeros(bits, np.float32)
    project(contexts, weights, pool, bits, total)
    return np.packbits(total > 0, bitorder="little").view(np.uint64)


def candidate_rows(space: Space) -> Longs:
    """Return the rows that are frequent enough to be candidates."""
    return np.flatnonzero(space.row_counts >= space.settings.min_count)


@dataclass(frozen=True, eq=False)
class SignatureIndex:
    """The signatures of the rows that may be candidates, and the rows in each bucket of each
    band.
    """

    space: Space
    signatures: NDArray[np.uint64]

    @classmethod
    def of(cls, space: Space) -> SignatureIndex:
        """Sign all rows that are frequent enough."""
        rows = candidate_rows(space)
        expect_work(len(rows))
        bits = space.settings.bits
        found = np.zeros((len(rows), bits // WORD), np.uint64)
        for place, row in enumerate(rows.tolist()):
            found[place] = signature(*space.vector(row), bits)
        return cls(space, found)

    @cached_property
    def rows(self) -> Longs:
        """The rows that are signed."""
        return candidate_rows(self.space)

    @cached_property
    def _buckets(self) -> tuple[Ints, Longs]:
        """Places sorted by byte in each band, and where each byte starts there."""
        bands = self.signatures.view(np.uint8).T
        order = np.argsort(bands, axis=1, kind="stable").astype(np.int32)
        starts = np.array([np.searchsorted(np.sort(band), np.arange(257)) for band in bands])
        return order, starts

    def shortlist(self, row: int, size: int) -> Longs:
        """Return rows that are likely to be similar: of those that share most bands, the ones with
        the nearest signatures.
        """
        from treewright.paraphrase._kernels import differing_bits

        own = self._signature(row)
        shared = self._shared_bands(own.view(np.uint8))
        wide = np.argsort(-shared, kind="stable")[: _WIDER * size]
        differing = np.empty(len(wide), np.int64)
        differing_bits(self.signatures, own, wide, differing)
        return self.rows[wide[np.argsort(differing, kind="stable")[:size]]]

    def _signature(self, row: int) -> NDArray[np.uint64]:
        """The signature of a row, computed if it is too rare to be a candidate."""
        place = int(np.searchsorted(self.rows, row))
        if place < len(self.rows) and self.rows[place] == row:
            stored: NDArray[np.uint64] = self.signatures[place]
            return stored
        return signature(*self.space.vector(row), self.space.settings.bits)

    def _shared_bands(self, own: NDArray[np.uint8]) -> Floats:
        from treewright.paraphrase._kernels import add_shared_bands

        total = np.zeros(len(self.rows))
        add_shared_bands(*self._buckets, own, _PROBES, _WEIGHTS, total)
        return total

    def similarities(self, row: int, size: int) -> Singles:
        """Return the cosines of a row with those of its shortlist; 0 for all other rows."""
        from treewright.paraphrase._kernels import row_products

        rows = self.shortlist(row, size)
        contexts, weights = self.space.vector(row)
        dense = np.zeros(len(self.space.contexts), np.float32)
        dense[contexts] = weights
        products = np.empty(len(rows), np.float32)
        row_products(self.space.by_row, rows, dense, products)
        found = np.zeros(len(self.space.rows), np.float32)
        found[rows] = products
        return found
