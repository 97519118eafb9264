"""Kernels of hashed features: keys from attributes, and their numbers in a table."""

from __future__ import annotations

import numpy as np

from treewright.compiling import njit

_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)
_UP = np.uint64(32)


@njit(cache=True, nogil=True, inline="always")
def mix(key, value):
    """Return a key that depends on both, in this order."""
    key = (key ^ value) * _FACTOR
    return key ^ (key >> _SHIFT)


@njit(cache=True, nogil=True)
def make_keys(columns, seeds, pointer, members):
    """Return the key of each template (column) at each item (row).

    Template `t` has the attributes `members[pointer[t]:pointer[t + 1]]`, rows of `columns`. No key
    is 0, which stands for a hole in tables.
    """
    count = columns.shape[1]
    keys = np.empty((count, len(seeds)), dtype=np.uint64)
    for item in range(count):
        for t in range(len(seeds)):
            key = mix(_FACTOR, seeds[t])
            for k in range(pointer[t], pointer[t + 1]):
                key = mix(key, columns[members[k], item])
            keys[item, t] = max(key, np.uint64(1))
    return keys


@njit(cache=True, nogil=True)
def find(table, key):
    """Return the place of a key in a table of open addresses, or that of the hole it belongs in."""
    mask = len(table) - 1
    place = np.int64(key >> _UP) & mask
    while table[place] != np.uint64(0) and table[place] != key:
        place = (place + 1) & mask
    return place


@njit(cache=True, nogil=True)
def build_table(keys, size):
    """Return a table of `size` (a power of two) open addresses, and each one's number in `keys`."""
    table = np.zeros(size, dtype=np.uint64)
    number = np.full(size, -1, dtype=np.int32)
    for k in range(len(keys)):
        place = find(table, keys[k])
        table[place] = keys[k]
        number[place] = k
    return table, number


@njit(cache=True, nogil=True)
def sum_weights(table, weights, keys):
    """Return the summed weights of each row of keys; `weights` are beside the table's addresses."""
    sums = np.zeros(len(keys))
    for item in range(len(keys)):
        for t in range(keys.shape[1]):
            place = find(table, keys[item, t])
            if table[place] != np.uint64(0):
                sums[item] += weights[place]
    return sums


@njit(cache=True, nogil=True)
def count_keys(table, counts, keys):
    """Count keys; return the table and its counts, enlarged so that half of it or more is holes."""
    taken = np.count_nonzero(table)
    for item in range(len(keys)):
        for t in range(keys.shape[1]):
            place = find(table, keys[item, t])
            if table[place] == np.uint64(0):
                table[place] = keys[item, t]
                taken += 1
            counts[place] += 1
            if 2 * taken > len(table):
                table, counts = enlarge(table, counts)
    return table, counts


@njit(cache=True, nogil=True)
def enlarge(table, counts):
    """Return a table of twice the size, with the same keys and counts."""
    larger = np.zeros(2 * len(table), dtype=np.uint64)
    larger_counts = np.zeros(2 * len(table), dtype=counts.dtype)
    for place in range(len(table)):
        if table[place] != np.uint64(0):
            new = find(larger, table[place])
            larger[new] = table[place]
            larger_counts[new] = counts[place]
    return larger, larger_counts


@njit(cache=True, nogil=True)
def number_keys(table, number, keys):
    """Return the number of each key, -1 for one that the table does not have."""
    found = np.empty(keys.shape, dtype=np.int32)
    for item in range(len(keys)):
        for t in range(keys.shape[1]):
            place = find(table, keys[item, t])
            found[item, t] = number[place] if table[place] != np.uint64(0) else -1
    return found
