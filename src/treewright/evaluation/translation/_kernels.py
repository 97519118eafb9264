"""The kernel that counts n-grams; its twin is sacrebleu."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treewright.arrays import Ints, Longs
from treewright.compiling import njit

_ORDER = 4


class Tries(NamedTuple):
    """The n-grams of all sentences' references: one trie each, in flat arrays.

    The children of a node are `first_child[node]:end_child[node]`, sorted by word; `clip` is how
    often an n-gram counts. Sentence `s` has its root at `root[s]` and references of the lengths
    `length[length_start[s]:length_start[s + 1]]`.
    """

    root: Longs
    word: Ints
    first_child: Longs
    end_child: Longs
    clip: Longs
    length_start: Longs
    length: Longs


@njit(nogil=True)
def bleu_statistics(tries: Tries, sentence: Longs, start: Longs, words: Ints) -> Longs:
    """Return the statistics of outputs, output `i` being a translation of `sentence[i]`."""
    found = np.zeros((sentence.size, 2 + 2 * _ORDER), np.int64)
    user = np.full(tries.word.size, -1, np.int64)
    uses = np.zeros(tries.word.size, np.int64)
    for i in range(sentence.size):
        first, last = start[i], start[i + 1]
        found[i, 0] = last - first
        found[i, 1] = closest(tries, sentence[i], last - first)
        for n in range(_ORDER):
            found[i, 2 + _ORDER + n] = max(last - first - n, 0)
        for position in range(first, last):
            node = tries.root[sentence[i]]
            for n in range(min(_ORDER, last - position)):
                node = child_by_word(tries, node, words[position + n])
                if node < 0:
                    break
                if user[node] != i:
                    user[node], uses[node] = i, 0
                if uses[node] < tries.clip[node]:
                    uses[node] += 1
                    found[i, 2 + n] += 1
    return found


@njit(nogil=True)
def closest(tries: Tries, sentence: int, length: int) -> int:
    """Return the length of the reference closest to `length`, the shorter of two."""
    best = tries.length[tries.length_start[sentence]]
    for place in range(tries.length_start[sentence], tries.length_start[sentence + 1]):
        other = tries.length[place]
        gap, best_gap = abs(other - length), abs(best - length)
        if gap < best_gap or (gap == best_gap and other < best):
            best = other
    return int(best)


@njit(nogil=True)
def child_by_word(tries: Tries, node: int, word: int) -> int:
    """Return the child of a node for a word, or -1."""
    low, high = tries.first_child[node], tries.end_child[node]
    end = high
    while low < high:
        middle = (low + high) // 2
        if tries.word[middle] < word:
            low = middle + 1
        else:
            high = middle
    return int(low) if low < end and tries.word[low] == word else -1
