"""Kernels over the nodes of a model (`arrays.NODE`) and over numbered text."""

from __future__ import annotations

import numpy as np

from treewright.compiling import njit

_END = 2


@njit(nogil=True)
def find_child(nodes, node, word):
    """Return the n-gram that continues `node` with `word`, or -1."""
    if node == 0:
        return word + 1
    low = np.int64(nodes[node]["first"])
    end = np.int64(nodes[node + 1]["first"])
    high = end
    while low < high:
        middle = (low + high) >> 1
        if nodes[middle]["word"] < word:
            low = middle + 1
        else:
            high = middle
    if low < end and nodes[low]["word"] == word:
        return low
    return np.int64(-1)


@njit(nogil=True)
def extend(nodes, state, word):
    """Return the log-probability of `word` in a context, and the context that it leaves.

    `state` is the node of the context, 0 for the empty one.
    """
    log_prob = 0.0
    context = np.int64(state)
    child = find_child(nodes, context, word)
    while child < 0:
        log_prob += nodes[context]["back_off"]
        context = np.int64(nodes[context]["suffix"])
        child = find_child(nodes, context, word)
    return log_prob + nodes[child]["log_prob"], np.int64(nodes[child]["state"])


@njit(nogil=True)
def find_ngrams(nodes, words, first, length, found):
    """Find the n-grams in `length` columns of `words` from `first` on; -1 where there is none."""
    for row in range(words.shape[0]):
        node = np.int64(0)
        for column in range(first, first + length):
            node = find_child(nodes, node, np.int64(words[row, column]))
            if node < 0:
                break
        found[row] = node


@njit(nogil=True)
def score_sentences(nodes, begin, words, start, log_prob):
    """Score sentences side by side, each with its end, from the context `begin`.

    Sentence `i` fills `log_prob[start[i] + i : start[i + 1] + i + 1]`.
    """
    at = 0
    for sentence in range(start.size - 1):
        state = np.int64(begin)
        for position in range(start[sentence], start[sentence + 1]):
            log_prob[at], state = extend(nodes, state, np.int64(words[position]))
            at += 1
        log_prob[at], state = extend(nodes, state, np.int64(_END))
        at += 1


@njit(nogil=True)
def lengthen(words, by_word, length, gram, start, longer, parent, word, count, suffix):
    """Number the n-grams that are one word longer than `length`, sorted; return how many.

    `gram[i]` numbers the n-gram of `length` words at position `i` (-1: none), of which there are
    `start[g + 1] - start[g]` with number `g`. `by_word` sorts the positions by their words, so
    one pass over the last words puts the longer n-grams of each `g` into their order. The other
    arrays are filled: the number of the longer n-gram at each position; and for each number the
    n-gram it continues, its last word, how often it occurs, and the n-gram without its first word.
    """
    cursor = start[:-1].copy()
    ordered = np.empty(words.size, np.int32)
    for last in by_word:
        position = last - length
        if position >= 0 and gram[position] >= 0 and words[last - 1] != _END:
            ordered[cursor[gram[position]]] = position
            cursor[gram[position]] += 1
    longer[:] = -1
    number = -1
    for shorter in range(cursor.size):
        previous = -1
        for place in range(start[shorter], cursor[shorter]):
            position = ordered[place]
            if words[position + length] != previous:
                previous = words[position + length]
                number += 1
                parent[number] = shorter
                word[number] = previous
                count[number] = 0
                suffix[number] = gram[position + 1]
            count[number] += 1
            longer[position] = number
    return number + 1
