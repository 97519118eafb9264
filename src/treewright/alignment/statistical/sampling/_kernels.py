"""Kernels of the sampler: counts and sweeps.

In a pair, one side chooses: each of its words picks a word of the other side, which *generates* it,
or none. `M` words generate, `N` words choose. A chain goes over the choosing words in order and
draws each choice given all others and the counts of the whole text (collapsed Gibbs sampling).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treewright.alignment.statistical._numbering_kernels import sides
from treewright.alignment.statistical.sampling.arrays import CERTAIN, STILL, TAIL, UNIT
from treewright.compiling import njit

_ONE = np.float32(1)


@njit(nogil=True)
def draw(random, c):
    """Return a random number of chain `c` from [0, 1) (xorshift64*)."""
    x = random[c]
    x ^= x >> np.uint64(12)
    x ^= x << np.uint64(25)
    x ^= x >> np.uint64(27)
    random[c] = x
    bits = (x * np.uint64(2685821657736338717)) >> np.uint64(40)
    return np.float32(bits) * np.float32(1 / (1 << 24))


@njit(nogil=True)
def start_anywhere(bitext, chains, null):
    """Let every word choose at random, none with probability `null`."""
    for c in range(chains.random.size):
        _, s, _, t = sides(bitext, c < chains.forward)
        for p in range(s.size - 1):
            length = s[p + 1] - s[p]
            for j in range(t[p], t[p + 1]):
                is_null = draw(chains.random, c) < null
                place = int(draw(chains.random, c) * np.float32(length))
                chains.link[c, j] = -1 if is_null or length == 0 else place


@njit(nogil=True)
def count_links(bitext, chains, level):
    """Add the links of all chains to their counts, which hold the priors."""
    for c in range(chains.random.size):
        forward = c < chains.forward
        words, s, chooser, t = sides(bitext, forward)
        for p in range(s.size - 1):
            M, N = s[p + 1] - s[p], t[p + 1] - t[p]
            before = -1
            for j in range(N):
                i = chains.link[c, t[p] + j]
                if i < 0:
                    chains.null[c, chooser[t[p] + j]] += _ONE
                    chains.null[c, chains.null.shape[1] - 1] += _ONE
                    continue
                cell = i * N + j if forward else j * M + i
                slot = bitext.cell[bitext.cell_start[p] + cell]
                if slot < bitext.shared:
                    chains.links[slot, c] += UNIT
                chains.total[c, words[s[p] + i]] += UNIT
                count_jump(chains.jump[c], i - before, _ONE)
                chains.jumps[c] += 1
                before = i
            if N > 0:
                count_jump(chains.jump[c], M - before, _ONE)
                chains.jumps[c] += 1
            if level >= 3:
                for i in range(M):
                    chosen = 0
                    for j in range(N):
                        chosen += chains.link[c, t[p] + j] == i
                    last = chains.fertility.shape[2] - 1
                    chains.fertility[c, words[s[p] + i], min(chosen, last)] += _ONE


@njit(nogil=True)
def count_alone(bitext, chains, alone):
    """Add the links to slots of one cell to `alone` (slot, direction), these slots alone."""
    for c in range(chains.random.size):
        forward = c < chains.forward
        _, s, _, t = sides(bitext, forward)
        for p in range(t.size - 1):
            M, N = s[p + 1] - s[p], t[p + 1] - t[p]
            for j in range(N):
                i = chains.link[c, t[p] + j]
                if i >= 0:
                    cell = i * N + j if forward else j * M + i
                    slot = bitext.cell[bitext.cell_start[p] + cell]
                    if slot >= bitext.shared:
                        alone[slot - bitext.shared, 0 if forward else 1] += 1


@njit(nogil=True)
def count_jump(jump, distance, amount):
    """Add to the count of a jump, in both orders."""
    jump[0, STILL + distance] += amount
    jump[1, STILL - distance] += amount


class Desk(NamedTuple):
    """Room for the work on one pair."""

    weight: np.ndarray
    """Count and prior of each cell, by chain; cells that one word chooses from side by side."""
    source_first: np.ndarray
    """Of each position, the first with the same word."""
    source_next: np.ndarray
    """Of each position, the next with the same word, or -1."""
    target_first: np.ndarray
    target_next: np.ndarray
    inverse: np.ndarray
    """Of each generating position, one over the total of its word."""
    ratio: np.ndarray
    """Of each generating position, how likely one more word is to choose it."""
    p: np.ndarray
    chosen: np.ndarray
    after: np.ndarray
    """Of each choosing position, the nearest choice to the right."""


@njit(nogil=True)
def make_desk(bitext, first, last, chains):
    """Return room for the largest of some pairs."""
    cells, words = 0, 0
    for p in range(first, last):
        cells = max(cells, bitext.cell_start[p + 1] - bitext.cell_start[p])
        words = max(words, bitext.source_start[p + 1] - bitext.source_start[p])
        words = max(words, bitext.target_start[p + 1] - bitext.target_start[p])
    return Desk(
        np.empty((chains.random.size, cells), np.float32),
        np.empty(words, np.int32),
        np.empty(words, np.int32),
        np.empty(words, np.int32),
        np.empty(words, np.int32),
        np.empty(words, np.float32),
        np.empty(words, np.float32),
        np.empty(words, np.float32),
        np.empty(words, np.int32),
        np.empty(words, np.int32),
    )


@njit(nogil=True)
def sweep(bitext, chains, options, first, last, repeats, forward, reverse):
    """Draw every choice in the pairs `first : last`, `repeats` times in each pair.

    Where `forward` and `reverse` are not empty, add to them the distribution that each choice was
    drawn from, in the order of the cells.
    """
    desk = make_desk(bitext, first, last, chains)
    offset = bitext.cell_start[first]
    for p in range(first, last):
        a, b = bitext.source_start[p], bitext.source_start[p + 1]
        d, e = bitext.target_start[p], bitext.target_start[p + 1]
        if a == b or d == e:
            continue
        chain_equal(bitext.source, a, b, desk.source_first, desk.source_next)
        chain_equal(bitext.target, d, e, desk.target_first, desk.target_next)
        fetch(bitext, p, chains, desk.weight)
        at = bitext.cell_start[p] - offset
        for c in range(chains.random.size):
            posterior = forward if c < chains.forward else reverse
            for _ in range(repeats):
                sample(bitext, p, chains, c, options, desk, posterior, at)


@njit(nogil=True)
def chain_equal(words, begin, end, first, following):
    """Chain the positions that have the same word."""
    for i in range(end - begin):
        first[i] = i
        following[i] = -1
        for k in range(i - 1, -1, -1):
            if words[begin + k] == words[begin + i]:
                first[i] = first[k]
                following[k] = i
                break


@njit(nogil=True)
def fetch(bitext, p, chains, weight):
    """Copy the counts of all cells of a pair, so they are side by side."""
    a, d = bitext.source_start[p], bitext.target_start[p]
    M, N = bitext.source_start[p + 1] - a, bitext.target_start[p + 1] - d
    begin = bitext.cell_start[p]
    forward, both = chains.forward, chains.random.size
    for i in range(M):
        for j in range(N):
            slot = bitext.cell[begin + i * N + j]
            if slot < bitext.shared:
                for c in range(forward):
                    weight[c, j * M + i] = np.float32(chains.links[slot, c])
                for c in range(forward, both):
                    weight[c, i * N + j] = np.float32(chains.links[slot, c])
            else:
                prior = chains.prior[slot]
                for c in range(forward):
                    linked = UNIT if chains.link[c, d + j] == i else 0
                    weight[c, j * M + i] = np.float32(prior[0] + linked)
                for c in range(forward, both):
                    linked = UNIT if chains.link[c, a + i] == j else 0
                    weight[c, i * N + j] = np.float32(prior[1] + linked)


@njit(nogil=True)
def sample(bitext, pair, chains, c, options, desk, posterior, at):
    """Draw the choices of one side of a pair in one chain; add their distributions to `posterior`
    from `at` on, if it has room.

    Taking a choice out of the counts and putting one in are written out: as functions, which pass
    so many arrays, they take half as long again.
    """
    forward = c < chains.forward
    words, begins, choosers, starts = sides(bitext, forward)
    if forward:
        first, following = desk.source_first, desk.source_next
        own_first, own_next = desk.target_first, desk.target_next
    else:
        first, following = desk.target_first, desk.target_next
        own_first, own_next = desk.source_first, desk.source_next
    begin, start = begins[pair], starts[pair]
    M, N = begins[pair + 1] - begin, starts[pair + 1] - start
    keep = posterior.size > 0
    level = options.level
    link, count, total = chains.link[c], chains.links, chains.total[c]
    null, jump, random = chains.null[c], chains.jump[c], chains.random
    fertility, expected = chains.fertility[c], chains.expected[c]
    weight, inverse, ratio, p = desk.weight[c], desk.inverse, desk.ratio, desk.p
    chosen, after = desk.chosen, desk.after
    nulls = null.size - 1
    null_total = options.null_total[0 if forward else 1]
    cells = bitext.cell_start[pair]

    for i in range(M):
        inverse[i] = _ONE / np.float32(total[words[begin + i]])
    if level >= 3:
        for i in range(M):
            chosen[i] = 0
        for j in range(N):
            if link[start + j] >= 0:
                chosen[link[start + j]] += 1
        for i in range(M):
            ratio[i] = one_more(fertility[words[begin + i]], expected, chosen[i])
    if level >= 2:
        right = M
        for j in range(N - 1, -1, -1):
            after[j] = right
            if link[start + j] >= 0:
                right = link[start + j]
    before = -1
    for j in range(N):
        chooser = choosers[start + j]
        row = weight[j * M : j * M + M]
        if own_first[j] != j or own_next[j] >= 0:
            # Another token of the same word may have changed its counts; all its slots are shared.
            for i in range(M):
                cell = i * N + j if forward else j * M + i
                row[i] = np.float32(count[bitext.cell[cells + cell], c])
        old = link[start + j]
        right = after[j] if level >= 2 else 0
        if old < 0:
            null[chooser] -= _ONE
            null[nulls] -= _ONE
        else:
            word = words[begin + old]
            total[word] -= UNIT
            value = _ONE / np.float32(total[word])
            i = first[old]
            while i >= 0:
                row[i] -= np.float32(UNIT)
                inverse[i] = value
                i = following[i]
            if level >= 3:
                chosen[old] -= 1
                k = chosen[old]
                last = expected.size - 1
                fertility[word, min(k + 1, last)] -= _ONE
                fertility[word, min(k, last)] += _ONE
                i = first[old]
                while i >= 0:
                    ratio[i] = one_more(fertility[word], expected, chosen[i])
                    i = following[i]
        nothing = options.null * (null[chooser] + options.null_alpha) / (null[nulls] + null_total)
        if level == 1:
            for i in range(M):
                p[i] = row[i] * inverse[i]
        else:
            if old < 0:
                count_jump(jump, right - before, -_ONE)
                chains.jumps[c] -= 1
            else:
                count_jump(jump, old - before, -_ONE)
                count_jump(jump, right - old, -_ONE)
                chains.jumps[c] -= 2
            to = jump[0, STILL - before : STILL - before + M]
            on = jump[1, STILL - right : STILL - right + M]
            if level == 2:
                for i in range(M):
                    p[i] = row[i] * inverse[i] * to[i] * on[i]
            else:
                for i in range(M):
                    p[i] = row[i] * inverse[i] * to[i] * on[i] * ratio[i]
            # Where both jumps are the same, the second finds the first already counted.
            middle = before + right
            if middle >= 0 and middle % 2 == 0 and middle < 2 * M:
                middle //= 2
                p[middle] *= (on[middle] + _ONE) / on[middle]
            nothing *= jump[0, STILL + right - before] * np.float32(chains.jumps[c] + 1)
        mass = np.float32(0)
        for i in range(M):
            mass += p[i]
        if keep:
            scale = CERTAIN / (mass + nothing)
            for i in range(M):
                cell = i * N + j if forward else j * M + i
                posterior[at + cell] += np.int32(p[i] * scale)
        rest = draw(random, c) * (mass + nothing)
        new = -1
        if rest < mass:
            new = 0
            rest -= p[0]
            while rest >= 0 and new + 1 < M:
                new += 1
                rest -= p[new]
        link[start + j] = new
        if new < 0:
            null[chooser] += _ONE
            null[nulls] += _ONE
        else:
            word = words[begin + new]
            total[word] += UNIT
            value = _ONE / np.float32(total[word])
            i = first[new]
            while i >= 0:
                row[i] += np.float32(UNIT)
                inverse[i] = value
                i = following[i]
            if level >= 3:
                k = chosen[new]
                chosen[new] += 1
                last = expected.size - 1
                fertility[word, min(k, last)] -= _ONE
                fertility[word, min(k + 1, last)] += _ONE
                i = first[new]
                while i >= 0:
                    ratio[i] = one_more(fertility[word], expected, chosen[i])
                    i = following[i]
        if level >= 2:
            if new < 0:
                count_jump(jump, right - before, _ONE)
                chains.jumps[c] += 1
            else:
                count_jump(jump, new - before, _ONE)
                count_jump(jump, right - new, _ONE)
                chains.jumps[c] += 2
                before = new
        if new != old:
            if old >= 0:
                cell = old * N + j if forward else j * M + old
                slot = bitext.cell[cells + cell]
                if slot < bitext.shared:
                    count[slot, c] -= UNIT
            if new >= 0:
                cell = new * N + j if forward else j * M + new
                slot = bitext.cell[cells + cell]
                if slot < bitext.shared:
                    count[slot, c] += UNIT


@njit(nogil=True)
def one_more(fertility, expected, chosen):
    """Return the odds of the next higher fertility of a word, without the token in question."""
    last = expected.size - 1
    if chosen >= last:
        return TAIL
    return (fertility[chosen + 1] + expected[chosen + 1]) / (
        fertility[chosen] - _ONE + expected[chosen]
    )
