"""Kernels that number the cells of pairs, and those that read what is numbered."""

from __future__ import annotations

import numpy as np

from treewright.compiling import njit

_HASH = np.int64(-7046029254386353131)


@njit(nogil=True)
def number_cells(bitext, tokens, pair):
    """Give cells of the same two words the same number; return how many numbers there are.

    `tokens` are the positions of source words, those of the same word side by side, and `pair` has
    the pair of each position. One word at a time, it takes no more than a number for each target
    word to find the cells that are alike.
    """
    highest = 0
    for j in range(bitext.target.size):
        highest = max(highest, bitext.target[j])
    number = np.full(highest + 1, -1, np.int32)
    used, begin, word = 0, 0, -1
    for k in range(tokens.size):
        i = tokens[k]
        if bitext.source[i] != word:
            word, begin = bitext.source[i], used
        p = pair[i]
        first, last = bitext.target_start[p], bitext.target_start[p + 1]
        cell = bitext.cell_start[p] + (i - bitext.source_start[p]) * (last - first)
        for j in range(first, last):
            if number[bitext.target[j]] < begin:
                number[bitext.target[j]] = used
                used += 1
            bitext.cell[cell + j - first] = number[bitext.target[j]]
    return used


@njit(nogil=True)
def number_slots(cell, used):
    """Number the slots of cells anew in the order of the text, first those of several cells, then
    those of one; return how many there are of the first.
    """
    is_shared = np.zeros(used, np.bool_)
    new = np.full(used, -1, np.int32)
    for k in range(cell.size):
        is_shared[cell[k]] = new[cell[k]] == 0
        new[cell[k]] = 0
    shared = is_shared.sum()
    new[:] = -1
    several, alone = 0, shared
    for k in range(cell.size):
        slot = cell[k]
        if new[slot] < 0:
            if is_shared[slot]:
                new[slot] = several
                several += 1
            else:
                new[slot] = alone
                alone += 1
        cell[k] = new[slot]
    return shared


@njit(nogil=True)
def first_cells(bitext, first, last, next_shared, number, words):
    """Write the slots whose first cell is in the pairs `first : last`, and their two words; return
    how many there are.

    Slots of several cells from `next_shared` on have none in the pairs before.
    """
    count = 0
    cell = bitext.cell_start[first]
    for p in range(first, last):
        for i in range(bitext.source_start[p], bitext.source_start[p + 1]):
            for j in range(bitext.target_start[p], bitext.target_start[p + 1]):
                slot = bitext.cell[cell]
                cell += 1
                if slot < bitext.shared:
                    if slot < next_shared:
                        continue
                    next_shared += 1
                number[count] = slot
                words[count, 0], words[count, 1] = bitext.source[i], bitext.target[j]
                count += 1
    return count


@njit(nogil=True)
def find(key, wanted):
    """Return the place of a key in a hash table, or where it would be."""
    mask = key.size - 1
    mixed = wanted * _HASH
    place = ((mixed >> np.int64(29)) ^ mixed) & mask
    while key[place] >= 0 and key[place] != wanted:
        place = (place + 1) & mask
    return place


@njit(nogil=True)
def sides(bitext, forward):
    """Return the words of the side that generates and where its sentences start, then those of the
    side that chooses, which is the target side if `forward`.
    """
    source, target = bitext.source, bitext.target
    if forward:
        return source, bitext.source_start, target, bitext.target_start
    return target, bitext.target_start, source, bitext.source_start
