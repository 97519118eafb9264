"""Loops over words: extraction, lexical weights, significance, the trie of source phrases."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from treewright.arrays import Ints, Longs
from treewright.compiling import njit
from treewright.translation.phrases.ngrams import LENGTH_BITS, LONGEST

MONOTONE, SWAP, DISCONTINUOUS = 0, 1, 2
ORIENTATION_BITS = 4
# What a cell of source and target word is to a block: which end of its source, of its target.
START_START, START_END, END_START, END_END = 1, 2, 4, 8
EVERY_CORNER = 15
NOWHERE = EMPTY = -1
MOST_TARGETS = LONGEST * (LONGEST + 1) // 2
"""How many target spans a source span can be paired with: those around one word."""
_FACTOR = np.uint64(0x9E3779B97F4A7C15)


class LinkColumns(NamedTuple):
    """The arrays of `Links`."""

    source: Ints
    target: Ints
    start: Longs


class Reach(NamedTuple):
    """The least and greatest position in the other sentence that each word is linked to.

    An unlinked word has `NOWHERE` as greatest, and as least a position beyond any.
    """

    source_low: Ints
    source_high: Ints
    target_low: Ints
    target_high: Ints


@njit(nogil=True)
def extract(source, target, links, sentence, by_phrases, keys, infos, orientations):
    """Write the phrase pairs of sentences from `sentence` on, while they are sure to fit.

    A pair is a key (names of both phrases) and an info (its links, then its orientations). Counts
    of phrases and orientations are added to. Returns the next sentence, and how many pairs were
    written.
    """
    longest = source.first.shape[0]
    filled = 0
    while sentence < source.start.size - 1:
        i0, j0 = source.start[sentence], target.start[sentence]
        n, m = source.start[sentence + 1] - i0, target.start[sentence + 1] - j0
        room = n * longest * MOST_TARGETS
        if filled + room > keys.size:
            break
        at, end = links.start[sentence], links.start[sentence + 1]
        link_source, link_target = links.source[at:end], links.target[at:end]
        reach = reach_of(n, m, link_source, link_target)
        blocks = np.empty((room, 4), np.int32)
        blocks = blocks[: consistent_blocks(reach, longest, blocks)]
        corners = mark_corners(n, m, link_source, link_target, blocks, by_phrases)
        for b in range(blocks.shape[0]):
            i1, i2, j1, j2 = blocks[b]
            f = source.first[i2 - i1, i0 + i1]
            e = target.first[j2 - j1, j0 + j1]
            source.counts[i2 - i1, f] += 1
            target.counts[j2 - j1, e] += 1
            previous, following = orient(corners, i1, i2, j1, j2)
            orientations[0, previous] += 1
            orientations[1, following] += 1
            f_name = (np.int64(f) << LENGTH_BITS) | (i2 - i1)
            e_name = (np.int64(e) << LENGTH_BITS) | (j2 - j1)
            keys[filled] = (f_name << 32) | e_name
            inside = links_inside(link_source, link_target, i1, i2, j1)
            infos[filled] = (inside << ORIENTATION_BITS) | (following << 2) | previous
            filled += 1
        sentence += 1
    return sentence, filled


@njit(nogil=True)
def reach_of(n, m, link_source, link_target):
    """Find how far the links of each word of a sentence pair lead."""
    reach = Reach(
        np.full(n, m, np.int32),
        np.full(n, NOWHERE, np.int32),
        np.full(m, n, np.int32),
        np.full(m, NOWHERE, np.int32),
    )
    for k in range(link_source.size):
        i, j = link_source[k], link_target[k]
        reach.source_low[i] = min(reach.source_low[i], j)
        reach.source_high[i] = max(reach.source_high[i], j)
        reach.target_low[j] = min(reach.target_low[j], i)
        reach.target_high[j] = max(reach.target_high[j], i)
    return reach


@njit(nogil=True)
def consistent_blocks(reach, longest, blocks):
    """Write every block that holds a link and that no link leaves; return how many there are.

    A block is source start and end, target start and end, ends included. Both sides have at most
    `longest` words.
    """
    n, m = reach.source_low.size, reach.target_low.size
    count = 0
    for i1 in range(n):
        j_low, j_high = m, NOWHERE
        for i2 in range(i1, min(i1 + longest, n)):
            j_low = min(j_low, reach.source_low[i2])
            j_high = max(j_high, reach.source_high[i2])
            if j_high == NOWHERE:
                continue
            if j_high - j_low >= longest:
                break
            i_low, i_high = i1, i2
            for j in range(j_low, j_high + 1):
                i_low = min(i_low, reach.target_low[j])
                i_high = max(i_high, reach.target_high[j])
            if i_low < i1:
                break
            if i_high > i2:
                continue
            j1 = j_low
            while j1 >= 0 and j_high - j1 < longest:
                if j1 < j_low and reach.target_high[j1] != NOWHERE:
                    break
                j2 = j_high
                while j2 < m and j2 - j1 < longest:
                    if j2 > j_high and reach.target_high[j2] != NOWHERE:
                        break
                    blocks[count, 0], blocks[count, 1] = i1, i2
                    blocks[count, 2], blocks[count, 3] = j1, j2
                    count += 1
                    j2 += 1
                j1 -= 1
    return count


@njit(nogil=True)
def mark_corners(n, m, link_source, link_target, blocks, by_phrases):
    """Mark the cells that are corners of blocks, or, for words, every link as a block of its own.

    Cells begin one before the first words, where the sentences' start is a block, as is their end.
    """
    corners = np.zeros((n + 2, m + 2), np.uint8)
    corners[0, 0] = END_END
    corners[n + 1, m + 1] = START_START
    if by_phrases:
        for b in range(blocks.shape[0]):
            i1, i2, j1, j2 = blocks[b]
            corners[i1 + 1, j1 + 1] |= START_START
            corners[i1 + 1, j2 + 1] |= START_END
            corners[i2 + 1, j1 + 1] |= END_START
            corners[i2 + 1, j2 + 1] |= END_END
    else:
        for k in range(link_source.size):
            corners[link_source[k] + 1, link_target[k] + 1] = EVERY_CORNER
    return corners


@njit(nogil=True)
def orient(corners, i1, i2, j1, j2):
    """Return how a block lies to what comes before it, and after it, in the target."""
    monotone = corners[i1, j1] & END_END
    swap = corners[i2 + 2, j1] & START_END
    previous = choose(monotone, swap)
    monotone = corners[i2 + 2, j2 + 2] & START_START
    swap = corners[i1, j2 + 2] & END_START
    return previous, choose(monotone, swap)


@njit(nogil=True)
def choose(monotone, swap):
    """Return the orientation of a block with a neighbour on one side, both or neither."""
    if monotone and not swap:
        return MONOTONE
    return SWAP if swap and not monotone else DISCONTINUOUS


@njit(nogil=True)
def links_inside(link_source, link_target, i1, i2, j1):
    """Return the links of a block as bits: `LONGEST` per source word, one per target word."""
    bits = np.int64(0)
    for k in range(np.searchsorted(link_source, i1), link_source.size):
        if link_source[k] > i2:
            break
        bits |= np.int64(1) << ((link_source[k] - i1) * LONGEST + link_target[k] - j1)
    return bits


@njit(nogil=True)
def weigh_words(source, target, lexicon, bits, weights):
    """Write the log lexical weights of phrase pairs: of the target given the source, and back.

    A word's weight is the mean over the words it is linked to, or that of the null word.
    """
    for r in range(bits.size):
        i0, n = source.position[r], source.length[r]
        j0, m = target.position[r], target.length[r]
        weights[r, 0] = weights[r, 1] = 0.0
        linked = np.int64(0)
        for j in range(m):
            e = target.words[j0 + j] + 1
            total, count = 0.0, 0
            for i in range(n):
                if (bits[r] >> (i * LONGEST + j)) & 1:
                    total += lexicon.forward[find_entry(lexicon, source.words[i0 + i] + 1, e)]
                    count += 1
                    linked |= np.int64(1) << i
            if count == 0:
                total, count = lexicon.forward[find_entry(lexicon, 0, e)], 1
            weights[r, 0] += math.log(total / count)
        for i in range(n):
            f = source.words[i0 + i] + 1
            total, count = 0.0, 0
            for j in range(m):
                if (bits[r] >> (i * LONGEST + j)) & 1:
                    e = target.words[j0 + j] + 1
                    total += lexicon.backward[find_entry(lexicon, f, e)]
                    count += 1
            if count == 0:
                total, count = lexicon.backward[find_entry(lexicon, f, 0)], 1
            weights[r, 1] += math.log(total / count)


@njit(nogil=True)
def find_entry(lexicon, f, e):
    """Return the row of a pair of words, which is there."""
    low, high = lexicon.start[f], lexicon.start[f + 1]
    while high - low > 1:
        middle = (low + high) // 2
        if lexicon.target[middle] <= e:
            low = middle
        else:
            high = middle
    return low


@njit(nogil=True)
def spread(side, occurrences, sentences):
    """Count the occurrences of every n-gram, and the sentences it occurs in, by length and rank."""
    seen = np.full(side.start.size, NOWHERE, np.int64)
    for n in range(side.first.shape[0]):
        seen[:] = NOWHERE
        for rank in range(side.order.size):
            position = side.order[rank]
            sentence = side.sentence[position]
            if position + n < side.start[sentence + 1]:
                first = side.first[n, position]
                occurrences[n, first] += 1
                # Occurrences have neighbouring ranks, so a mark of another n-gram is out of date.
                if seen[sentence] != first:
                    seen[sentence] = first
                    sentences[n, first] += 1


@njit(nogil=True)
def count_shared(rare, other, seen, pair, n, first, times, other_n, other_first, other_times):
    """Count the sentence pairs in which the n-gram of one side occurs and that of the other.

    `seen` marks the sentences that were looked at for this pair.
    """
    count = 0
    for rank in range(first, first + times):
        sentence = rare.sentence[rare.order[rank]]
        if seen[sentence] == pair:
            continue
        seen[sentence] = pair
        for position in range(other.start[sentence], other.start[sentence + 1] - other_n):
            if other_first <= other.rank[position] < other_first + other_times:
                count += 1
                break
    return count


@njit(nogil=True)
def rate_pairs(source, target, keys, log_factorial, ratings):
    """Write -ln of the chance that both phrases of a pair share as many sentence pairs or more.

    That is Fisher's exact test on the sentence pairs with either phrase, both or none.
    """
    total = source.start.size - 1
    seen = np.full(total, NOWHERE, np.int64)
    length = (1 << LENGTH_BITS) - 1
    for k in range(keys.size):
        f, e = keys[k] >> 32, keys[k] & 0xFFFFFFFF
        n, f, m, e = f & length, f >> LENGTH_BITS, e & length, e >> LENGTH_BITS
        f_times, e_times = source.occurrences[n, f], target.occurrences[m, e]
        if f_times <= e_times:
            shared = count_shared(source, target, seen, k, n, f, f_times, m, e, e_times)
        else:
            shared = count_shared(target, source, seen, k, m, e, e_times, n, f, f_times)
        ratings[k] = -log_chance(
            shared, source.sentences[n, f], target.sentences[m, e], total, log_factorial
        )


@njit(nogil=True)
def log_chance(shared, with_f, with_e, total, log_factorial):
    """Return the log of the hypergeometric probability of `shared` or more."""
    log_first = (
        log_factorial[with_f]
        - log_factorial[shared]
        - log_factorial[with_f - shared]
        + log_factorial[total - with_f]
        - log_factorial[with_e - shared]
        - log_factorial[total - with_f - with_e + shared]
        - log_factorial[total]
        + log_factorial[with_e]
        + log_factorial[total - with_e]
    )
    tail, term = 1.0, 1.0
    for k in range(shared, min(with_f, with_e)):
        term *= (with_f - k) * (with_e - k) / ((k + 1.0) * (total - with_f - with_e + k + 1.0))
        tail += term
        if term < 1e-16 * tail:
            break
    return log_first + math.log(tail)


@njit(nogil=True)
def count_nodes(phrase_start, phrase_words):
    """Return how many nodes the trie of phrases in alphabetical order has, its root included."""
    count = 1
    before = np.int64(0)
    for p in range(phrase_start.size - 1):
        start, size = phrase_start[p], phrase_start[p + 1] - phrase_start[p]
        shared = 0
        while (
            shared < min(size, start - before)
            and phrase_words[start + shared] == phrase_words[before + shared]
        ):
            shared += 1
        count += size - shared
        before = start
    return count


@njit(nogil=True)
def grow_trie(phrase_start, phrase_words, words, keys, children, nodes):
    """Enter phrases into an empty trie, and write the node of each.

    Phrases in alphabetical order get nodes in ascending order.
    """
    size = 1
    for p in range(phrase_start.size - 1):
        node = np.int64(0)
        for k in range(phrase_start[p], phrase_start[p + 1]):
            key = node * words + phrase_words[k]
            place = find_slot(keys, key)
            if keys[place] == EMPTY:
                keys[place] = key
                children[place] = size
                size += 1
            node = np.int64(children[place])
        nodes[p] = node


@njit(nogil=True)
def find_slot(keys, key):
    """Return the slot that a key has, or would have, in a hash table with free slots."""
    mask = np.uint64(keys.size - 1)
    h = np.uint64(key) * _FACTOR
    place = (h ^ (h >> np.uint64(32))) & mask
    while keys[place] != EMPTY and keys[place] != key:
        place = (place + np.uint64(1)) & mask
    return np.int64(place)


@njit(nogil=True)
def match(trie, sentence, max_length):
    """Return the spans of a sentence that are source phrases, as starts, ends and nodes.

    Ends are excluded; spans are sorted by start, then end. Unknown words are negative.
    """
    room = sentence.size * max_length
    start, end = np.empty(room, np.int32), np.empty(room, np.int32)
    nodes = np.empty(room, np.int32)
    count = 0
    for i in range(sentence.size):
        node = np.int64(0)
        for j in range(i, min(i + max_length, sentence.size)):
            if sentence[j] < 0 or sentence[j] >= trie.words:
                break
            place = find_slot(trie.keys, node * trie.words + sentence[j])
            if trie.keys[place] == EMPTY:
                break
            node = np.int64(trie.children[place])
            if trie.option_start[node] < trie.option_start[node + 1]:
                start[count], end[count], nodes[count] = i, j + 1, node
                count += 1
    return start[:count].copy(), end[:count].copy(), nodes[:count].copy()
