"""Kernels that number the cells of pairs."""

from __future__ import annotations

import numpy as np

from treewright.compiling import njit

_HASH = np.int64(-7046029254386353131)


@njit(nogil=True)
def number_cells(bitext, first, size, key, slot, used):
    """Give each cell of the pairs from `first` on its slot, until the table is three quarters full.

    Return the first pair that is left, and the number of slots.
    """
    for p in range(first, bitext.source_start.size - 1):
        width = bitext.target_start[p + 1] - bitext.target_start[p]
        length = bitext.source_start[p + 1] - bitext.source_start[p]
        if 4 * (used + width * length) > 3 * key.size:
            return p, used
        cell = bitext.cell_start[p]
        for i in range(bitext.source_start[p], bitext.source_start[p + 1]):
            for j in range(bitext.target_start[p], bitext.target_start[p + 1]):
                wanted = np.int64(bitext.source[i]) * size + bitext.target[j]
                place = find(key, wanted)
                if key[place] < 0:
                    key[place] = wanted
                    slot[place] = used
                    used += 1
                bitext.cell[cell] = slot[place]
                cell += 1
    return bitext.source_start.size - 1, used


@njit(nogil=True)
def find(key, wanted):
    """Return the place of a key, or where it would be."""
    mask = key.size - 1
    mixed = wanted * _HASH
    place = ((mixed >> np.int64(29)) ^ mixed) & mask
    while key[place] >= 0 and key[place] != wanted:
        place = (place + 1) & mask
    return place


@njit(nogil=True)
def move(key, slot, new_key, new_slot):
    """Put the entries of one table into another."""
    for old in range(key.size):
        if key[old] >= 0:
            place = find(new_key, key[old])
            new_key[place] = key[old]
            new_slot[place] = slot[old]
