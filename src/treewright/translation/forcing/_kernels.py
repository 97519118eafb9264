"""Which phrase pairs of a table occur in a sentence pair, and what each is worth there."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from treewright.arrays import Floats, Ints, Longs, Singles
from treewright.compiling import njit, records
from treewright.grammar._kernels import room_for
from treewright.translation.decoding._kernels import mixed
from treewright.translation.phrases._kernels import (
    MOST_TARGETS,
    consistent_blocks,
    match,
    reach_of,
)

FREE = -1
BLOCK = records(
    [
        # A source span and a target span, ends excluded; the phrase pair there, its score, and the
        # geometric mean of its probabilities in both directions, 0 if it was seen only here.
        ("i1", "i4"),
        ("i2", "i4"),
        ("j1", "i4"),
        ("j2", "i4"),
        ("row", "i4"),
        ("score", "f8"),
        ("confidence", "f8"),
    ]
)
STATE = records(
    [
        # Target words spelled; the first source word to cover, those covered from there on, how
        # many in all; where the last phrase ended.
        ("position", "i4"),
        ("gap", "i4"),
        ("mask", "i8"),
        ("covered", "i4"),
        ("end", "i4"),
        # The best score, the least upper bound of what can follow, and the step that led here.
        ("score", "f8"),
        ("left", "f8"),
        ("back", "i4"),
        ("block", "i4"),
        ("next", "i4"),
    ]
)


class TableRows(NamedTuple):
    """The rows of a phrase table, found by hash in `slots`; free slots are negative."""

    option_start: Longs
    target_start: Longs
    target_words: Ints
    features: Singles
    counts: Singles
    slots: Ints


class Prices(NamedTuple):
    """Weights of the table's features and of a phrase, where p(f|e) and p(e|f) are among the
    features, and the log-probability, for each of its words, of a pair that was seen only here.
    """

    weights: Floats
    phrase: float
    backward: int
    forward: int
    floor: float


class OwnCounts(NamedTuple):
    """How often phrases and pairs of them were extracted from a sentence pair.

    A phrase is named by where it occurs first, and by its length. Keys of pairs are sorted, each as
    often as it was extracted.
    """

    source_first: Ints
    target_first: Ints
    source: Ints
    target: Ints
    keys: Longs


@njit(nogil=True)
def index_rows(option_start, target_start, target_words, slots):
    """Enter all rows into a hash table by node of the source phrase and words of the target."""
    for node in range(option_start.size - 1):
        for row in range(option_start[node], option_start[node + 1]):
            key = np.int64(node)
            for place in range(target_start[row], target_start[row + 1]):
                key = mixed(key, np.int64(target_words[place]))
            slot = key & (slots.size - 1)
            while slots[slot] != FREE:
                slot = (slot + 1) & (slots.size - 1)
            slots[slot] = row


@njit(nogil=True)
def find_row(table, key, node, words):
    """Return the row that translates the phrase of a node by these words, or -1."""
    slot = key & (table.slots.size - 1)
    while table.slots[slot] != FREE:
        row = table.slots[slot]
        if table.option_start[node] <= row < table.option_start[node + 1]:
            begin = table.target_start[row]
            same = table.target_start[row + 1] - begin == words.size
            for k in range(words.size):
                same = same and table.target_words[begin + k] == words[k]
            if same:
                return row
        slot = (slot + 1) & (table.slots.size - 1)
    return FREE


@njit(nogil=True)
def first_occurrences(words, longest):
    """Return for each length less one and each start the first start of the same words."""
    first = np.empty((longest, words.size), np.int32)
    for i in range(words.size):
        first[:, i] = i
        known = 0
        for earlier in range(i):
            same = 0
            while same < min(longest, words.size - i) and words[earlier + same] == words[i + same]:
                same += 1
            for n in range(known, same):
                first[n, i] = earlier
            known = max(known, same)
    return first


@njit(nogil=True)
def pair_key(own, i1, i2, j1, j2):
    """Return the key of the phrase pair in a block."""
    f = np.int64(own.source_first[i2 - i1 - 1, i1]) * 8 + i2 - i1
    e = np.int64(own.target_first[j2 - j1 - 1, j1]) * 8 + j2 - j1
    return (f << 32) | e


@njit(nogil=True)
def own_counts(source, target, link_source, link_target, longest):
    """Count what extraction takes from a sentence pair; return the parts of `OwnCounts`."""
    own = OwnCounts(
        first_occurrences(source, longest),
        first_occurrences(target, longest),
        np.zeros((longest, source.size), np.int32),
        np.zeros((longest, target.size), np.int32),
        np.empty(source.size * longest * MOST_TARGETS, np.int64),
    )
    blocks = np.empty((own.keys.size, 4), np.int32)
    reach = reach_of(source.size, target.size, link_source, link_target)
    count = consistent_blocks(reach, longest, blocks)
    for b in range(count):
        i1, i2, j1, j2 = blocks[b]
        own.source[i2 - i1, own.source_first[i2 - i1, i1]] += 1
        own.target[j2 - j1, own.target_first[j2 - j1, j1]] += 1
        own.keys[b] = pair_key(own, i1, i2 + 1, j1, j2 + 1)
    keys = own.keys[:count].copy()
    keys.sort()
    return own.source_first, own.target_first, own.source, own.target, keys


@njit(nogil=True)
def counts_elsewhere(own, counts, i1, i2, j1, j2):
    """Return how often a pair, its source and its target were extracted from other sentences."""
    key = pair_key(own, i1, i2, j1, j2)
    here = np.searchsorted(own.keys, key, "right") - np.searchsorted(own.keys, key)
    n, m = i2 - i1 - 1, j2 - j1 - 1
    of_source = own.source[n, own.source_first[n, i1]]
    of_target = own.target[m, own.target_first[m, j1]]
    return counts[0] - here, counts[1] - of_source, counts[2] - of_target


@njit(nogil=True)
def blocks_of(trie, table, source, target, longest, own, prices):
    """Return the blocks of a sentence pair that are phrase pairs of the table, with their scores,
    in the order of their target starts.

    Counts of the pair itself, `own`, are subtracted.
    """
    start, end, nodes = match(trie, source, longest)
    blocks = np.empty(64, dtype=BLOCK)
    count = 0
    for span in range(start.size):
        node = nodes[span]
        blocks = room_for(blocks, count + longest * target.size)
        before = count
        rows = table.option_start[node + 1] - table.option_start[node]
        # Few rows are read faster than the many spans of the target are looked up.
        if rows <= 4 * target.size:
            count = compare_rows(table, node, target, longest, blocks, count)
        else:
            count = look_up_spans(table, node, target, longest, blocks, count)
        for k in range(before, count):
            block = blocks[k]
            block.i1, block.i2 = start[span], end[span]
            rate(table, block, own, prices)
    found = blocks[:count]
    return found[np.argsort(found["j1"], kind="mergesort")]


@njit(nogil=True)
def compare_rows(table, node, target, longest, blocks, count):
    """Write where the rows of a source phrase occur in the target; return how many blocks there
    are then.
    """
    for row in range(table.option_start[node], table.option_start[node + 1]):
        begin, size = table.target_start[row], table.target_start[row + 1] - table.target_start[row]
        if size > longest:
            continue
        for j1 in range(target.size - size + 1):
            same = 0
            while same < size and target[j1 + same] == table.target_words[begin + same]:
                same += 1
            if same == size:
                blocks[count].j1, blocks[count].j2, blocks[count].row = j1, j1 + size, row
                count += 1
    return count


@njit(nogil=True)
def look_up_spans(table, node, target, longest, blocks, count):
    """Do the same by looking for every span of the target."""
    for j1 in range(target.size):
        key = np.int64(node)
        for j2 in range(j1 + 1, min(j1 + longest, target.size) + 1):
            key = mixed(key, np.int64(target[j2 - 1]))
            row = find_row(table, key, node, target[j1:j2])
            if row != FREE:
                blocks[count].j1, blocks[count].j2, blocks[count].row = j1, j2, row
                count += 1
    return count


@njit(nogil=True)
def rate(table, block, own, prices):
    """Fill in the confidence and the score of a block: the weighted features of its phrase pair,
    probabilities from counts elsewhere.

    Nothing was taken from this pair if it has no counts of its own; then the features stand.
    """
    joint, of_source, of_target = counts_elsewhere(
        own, table.counts[block.row], block.i1, block.i2, block.j1, block.j2
    )
    block.confidence = joint / math.sqrt(of_source * of_target) if joint > 0 else 0.0
    features, weights = table.features[block.row], prices.weights
    block.score = prices.phrase
    for k in range(features.size):
        block.score += weights[k] * features[k]
    if own.keys.size == 0:
        return
    if joint > 0:
        forward, backward = math.log(joint / of_source), math.log(joint / of_target)
    else:
        forward = prices.floor * (block.i2 - block.i1 + block.j2 - block.j1)
        backward = forward
    block.score += weights[prices.forward] * (forward - features[prices.forward])
    block.score += weights[prices.backward] * (backward - features[prices.backward])
