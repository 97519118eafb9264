"""Kernels over records of rules: parts of them side by side, lexical weights."""

from __future__ import annotations

import math

import numpy as np

from treewright.compiling import njit
from treewright.translation.ghkm._rule_kernels import HEADER
from treewright.translation.phrases._kernels import find_entry


@njit(nogil=True)
def gather(numbers, begin, end):
    """Return parts of an array, side by side."""
    size = 0
    for r in range(begin.size):
        size += end[r] - begin[r]
    out = np.empty(size, np.int32)
    at = 0
    for r in range(begin.size):
        for k in range(begin[r], end[r]):
            out[at] = numbers[k]
            at += 1
    return out


@njit(nogil=True)
def weigh_records(numbers, start, word_of, lexicon, weights, words):
    """Write the log lexical weights of rules: of the target given the source, and back.

    `word_of` has the word of each production, or -1. A word's weight is the mean over the words it
    is linked to, or that of the null word. Also writes how many words both sides have.
    """
    most = 1
    for r in range(start.size - 1):
        most = max(most, start[r + 1] - start[r])
    f, e = np.empty(most, np.int32), np.empty(most, np.int32)
    for r in range(start.size - 1):
        at = start[r] + HEADER
        target = at + numbers[start[r] + 2]
        links = target + numbers[start[r] + 3]
        alignment = links + numbers[start[r] + 4]
        n = spell(numbers[at:target], word_of, f)
        m = spell(numbers[target:links], word_of, e)
        pairs = numbers[alignment : start[r + 1]]
        words[r, 0], words[r, 1] = n, m
        weights[r, 0] = weights[r, 1] = 0.0
        for j in range(m):
            total, count = 0.0, 0
            for k in range(0, pairs.size, 2):
                if pairs[k + 1] == j:
                    total += lexicon.forward[find_entry(lexicon, f[pairs[k]], e[j])]
                    count += 1
            if count == 0:
                total, count = lexicon.forward[find_entry(lexicon, 0, e[j])], 1
            weights[r, 0] += math.log(total / count)
        for i in range(n):
            total, count = 0.0, 0
            for k in range(0, pairs.size, 2):
                if pairs[k] == i:
                    total += lexicon.backward[find_entry(lexicon, f[i], e[pairs[k + 1]])]
                    count += 1
            if count == 0:
                total, count = lexicon.backward[find_entry(lexicon, f[i], 0)], 1
            weights[r, 1] += math.log(total / count)


@njit(nogil=True)
def spell(symbols, word_of, words):
    """Write the words of a side, numbered as the lexicon has them; return how many there are."""
    count = 0
    for k in range(symbols.size):
        word = -1 - symbols[k] if symbols[k] < 0 else word_of[symbols[k]]
        if word >= 0:
            words[count] = word + 1
            count += 1
    return count
