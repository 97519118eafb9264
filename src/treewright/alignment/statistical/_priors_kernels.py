"""Kernels of the priors: resemblance of words, and what their parts are linked to."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treewright.alignment.statistical._numbering_kernels import find
from treewright.arrays import Ints, Longs
from treewright.compiling import njit

_SHORT = 4
_DOUBT = np.float32(2)


class Parts(NamedTuple):
    """The parts of source and of target words, and where those of each word begin."""

    source: Ints
    source_start: Longs
    target: Ints
    target_start: Longs
    size: int
    """How many parts target words have together."""


@njit(nogil=True)
def resemble(slots, source, source_start, target, target_start, alike):
    """Write how alike the two words of each slot are: 1 if they are the same, 0 if they share at
    most half their letters, in order, or are short.
    """
    masks = letters(source, source_start), letters(target, target_start)
    longest = 0
    for w in range(target_start.size - 1):
        longest = max(longest, target_start[w + 1] - target_start[w])
    row = np.zeros(longest + 1, np.int32)
    for slot in range(slots.shape[0]):
        s, t = slots[slot, 0], slots[slot, 1]
        alike[slot] = 0
        if masks[0][s] & masks[1][t] == 0:
            continue
        a, b = source_start[s], source_start[s + 1]
        c, d = target_start[t], target_start[t + 1]
        common = common_letters(source, a, b, target, c, d, row)
        if common == b - a and common == d - c:
            alike[slot] = 1
        elif min(b - a, d - c) >= _SHORT:
            share = np.float32(4 * common) / np.float32(b - a + d - c) - np.float32(1)
            alike[slot] = max(np.float32(0), share) ** 2


@njit(nogil=True)
def letters(text, start):
    """Return, for each word, a mask of the letters in it."""
    masks = np.zeros(start.size - 1, np.uint64)
    for w in range(start.size - 1):
        for k in range(start[w], start[w + 1]):
            masks[w] |= np.uint64(1) << np.uint64(text[k] % 64)
    return masks


@njit(nogil=True)
def common_letters(source, a, b, target, c, d, row):
    """Return the length of the longest common subsequence of two words."""
    row[: d - c + 1] = 0
    for i in range(a, b):
        corner = 0
        for j in range(d - c):
            above = row[j + 1]
            if source[i] == target[c + j]:
                row[j + 1] = corner + 1
            else:
                row[j + 1] = max(above, row[j])
            corner = above
    return row[d - c]


@njit(nogil=True)
def add_parts(slots, count, parts, key, mass, first, used):
    """Add the count of each slot from `first` on to all pairs of a part of its source word and one
    of its target word, until the table is three quarters full.

    Return the first slot that is left, and how many pairs the table has.
    """
    source, source_start, target, target_start, size = parts
    for slot in range(first, slots.shape[0]):
        s, t = slots[slot, 0], slots[slot, 1]
        a, b = source_start[s], source_start[s + 1]
        c, d = target_start[t], target_start[t + 1]
        if 4 * (used + (b - a) * (d - c)) > 3 * key.size:
            return slot, used
        for i in range(a, b):
            for j in range(c, d):
                wanted = np.int64(source[i]) * size + target[j]
                place = find(key, wanted)
                used += key[place] < 0
                key[place] = wanted
                mass[place] += count[slot]
    return slots.shape[0], used


@njit(nogil=True)
def move(key, mass, new_key, new_mass):
    """Put the entries of one table into another."""
    for old in range(key.size):
        if key[old] >= 0:
            place = find(new_key, key[old])
            new_key[place] = key[old]
            new_mass[place] = mass[old]


@njit(nogil=True)
def expect(slots, count, parts, key, mass, words, linked, expected):
    """Write how likely the parts of two words make each the other's translation, in both
    directions, by what they are linked to in other words.

    `words` are the counts of source and target words, `linked` those of their parts.
    """
    source, source_start, target, target_start, size = parts
    for slot in range(slots.shape[0]):
        s, t = slots[slot, 0], slots[slot, 1]
        forward, reverse = 0.0, 0.0
        for a in range(source_start[s], source_start[s + 1]):
            for b in range(target_start[t], target_start[t + 1]):
                place = find(key, np.int64(source[a]) * size + target[b])
                if key[place] < 0:
                    continue
                other = mass[place] - count[slot]
                if other <= 0:
                    continue
                from_source, from_target = linked[0][source[a]], linked[1][target[b]]
                share_target = min(1.0, (words[1][t] + 0.5) / (from_target + 1))
                share_source = min(1.0, (words[0][s] + 0.5) / (from_source + 1))
                forward += other / (max(0.0, from_source - words[0][s]) + _DOUBT) * share_target
                reverse += other / (max(0.0, from_target - words[1][t]) + _DOUBT) * share_source
        pairs = (source_start[s + 1] - source_start[s]) * (target_start[t + 1] - target_start[t])
        expected[slot, 0] = forward / max(1, pairs)
        expected[slot, 1] = reverse / max(1, pairs)
