"""Kernels over sparse columns (`space.Columns`) and over signatures."""

from __future__ import annotations

import numpy as np

from treewright.compiling import njit

POOL_BITS = 14
"""The logarithm of the number of deviates in the pool."""


@njit(nogil=True)
def add_columns(columns, which, weight, total):
    """Add the given columns, each times its weight, to `total`."""
    start, row, value = columns
    for place in range(len(which)):
        by = weight[place]
        for entry in range(start[which[place]], start[which[place] + 1]):
            total[row[entry]] += by * value[entry]


@njit(nogil=True)
def project(contexts, weights, pool, bits, total):
    """Add a sparse vector's products with `bits` random directions to `total`.

    The coordinates of the directions are drawn from a pool of normal deviates by a hash of the
    context, so that they need not be stored (Van Durme & Lall 2010).
    """
    shift = np.uint64(64 - POOL_BITS)
    for place in range(len(contexts)):
        state = np.uint64(contexts[place] + 1) * np.uint64(0x9E3779B97F4A7C15)
        state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        weight = weights[place]
        for bit in range(bits):
            state = state * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
            total[bit] += weight * pool[state >> shift]


@njit(nogil=True)
def differing_bits(signatures, signature, rows, found):
    """Count the bits in which rows differ from a signature; both are in words of 64 bits."""
    one, two, four = (
        np.uint64(0x5555555555555555),
        np.uint64(0x3333333333333333),
        np.uint64(0x0F0F0F0F0F0F0F0F),
    )
    for place in range(len(rows)):
        count = np.int64(0)
        for word in range(signature.size):
            x = signatures[rows[place], word] ^ signature[word]
            x = x - ((x >> np.uint64(1)) & one)
            x = (x & two) + ((x >> np.uint64(2)) & two)
            x = (x + (x >> np.uint64(4))) & four
            count += np.int64((x * np.uint64(0x0101010101010101)) >> np.uint64(56))
        found[place] = count


@njit(nogil=True)
def row_products(by_row, rows, dense, found):
    """Multiply the given rows of a sparse matrix by a dense vector."""
    start, context, value = by_row
    for place in range(len(rows)):
        total = np.float32(0.0)
        for entry in range(start[rows[place]], start[rows[place] + 1]):
            total += value[entry] * dense[context[entry]]
        found[place] = total


@njit(nogil=True)
def add_shared_bands(order, starts, own, probes, weights, total):
    """Add up the weights of the buckets of each band, near that of `own`, that rows are in."""
    for band in range(len(own)):
        for probe in range(len(probes)):
            bucket = np.int64(own[band]) ^ np.int64(probes[probe])
            for place in range(starts[band, bucket], starts[band, bucket + 1]):
                total[order[band, place]] += weights[probe]
