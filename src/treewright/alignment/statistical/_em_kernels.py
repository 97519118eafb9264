"""Kernels of expectation maximisation: the expected choices of each word, by two models.

In IBM's first model a word chooses any word of the other side alike. In the hidden Markov model the
chance depends on the jump from the last word chosen; a word that chooses none leaves that one as it
is. `M` words generate, `N` words choose.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treewright.alignment.statistical._numbering_kernels import sides
from treewright.arrays import Floats, Longs
from treewright.compiling import njit

REACH = 20
"""Jumps that are longer count as this long."""


class Choosing(NamedTuple):
    """The model of the side that chooses."""

    table: Floats
    """The probability of each slot."""
    null: Floats
    """Of each word that chooses none."""
    jump: Floats
    """Of jumps from words of each kind."""
    kind: Longs
    """Of each word that generates."""
    share: float
    """How likely a word chooses none."""


class Counts(NamedTuple):
    """How often each choice is expected: of slots, of none by each word, and of jumps."""

    links: Floats
    nulls: Floats
    jumps: Floats


class Desk(NamedTuple):
    """Room for the work on one pair; cells that one word chooses from side by side."""

    emit: Floats
    """Of each cell, the probability of the choosing word given the generating one."""
    none: Floats
    """Of each choosing word, that of choosing none."""
    gamma: Floats
    """Of each cell, the probability of the choice."""
    no_gamma: Floats
    alpha: Floats
    """Column `i + 1` is for `i` as the last word chosen, column 0 for none yet."""
    beta: Floats


@njit(nogil=True)
def make_desk(bitext, first, last):
    """Return room for the largest of some pairs."""
    cells, longest = 0, 0
    for p in range(first, last):
        cells = max(cells, bitext.cell_start[p + 1] - bitext.cell_start[p])
        longest = max(longest, bitext.source_start[p + 1] - bitext.source_start[p])
        longest = max(longest, bitext.target_start[p + 1] - bitext.target_start[p])
    return Desk(
        np.empty(cells, np.float64),
        np.empty(longest, np.float64),
        np.empty(cells, np.float64),
        np.empty(longest, np.float64),
        np.empty((longest + 1, longest + 1), np.float64),
        np.empty((longest + 1, longest + 1), np.float64),
    )


@njit(nogil=True)
def expect_choices(bitext, first, last, side, markov, model, counts, posterior):
    """Add the expected choices in the pairs `first : last` to `counts`; return the log-likelihood
    of the words that choose.

    `side` is 0 where target words choose. Probabilities of the links are written to `posterior`, if
    it has room.
    """
    words, s, choosers, t = sides(bitext, side == 0)
    desk = make_desk(bitext, first, last)
    total = 0.0
    begin = bitext.cell_start[first]
    for p in range(first, last):
        M, N = s[p + 1] - s[p], t[p + 1] - t[p]
        if M == 0 or N == 0:
            continue
        cell = bitext.cell_start[p]
        for j in range(N):
            desk.none[j] = model.null[choosers[t[p] + j]] * model.share
            for i in range(M):
                place = i * N + j if side == 0 else j * M + i
                desk.emit[j * M + i] = model.table[bitext.cell[cell + place]] * (1 - model.share)
        if markov:
            total += follow(desk, words[s[p] : s[p + 1]], N, model, counts.jumps)
        else:
            total += choose_alike(desk, M, N)
        for j in range(N):
            counts.nulls[choosers[t[p] + j]] += desk.no_gamma[j]
            for i in range(M):
                place = i * N + j if side == 0 else j * M + i
                counts.links[bitext.cell[cell + place]] += desk.gamma[j * M + i]
                if posterior.size:
                    posterior[cell - begin + place] = desk.gamma[j * M + i]
    return total


@njit(nogil=True)
def choose_alike(desk, M, N):
    """Write the probability of each choice where all are alike; return the log-likelihood."""
    emit, none, gamma = desk.emit, desk.none, desk.gamma
    total = 0.0
    for j in range(N):
        mass = none[j]
        for i in range(M):
            gamma[j * M + i] = emit[j * M + i] / M
            mass += gamma[j * M + i]
        for i in range(M):
            gamma[j * M + i] /= mass
        desk.no_gamma[j] = none[j] / mass
        total += np.log(mass)
    return total


@njit(nogil=True)
def jump_index(distance):
    """Return where a jump is counted."""
    return REACH + max(-REACH, min(REACH, distance))


@njit(nogil=True)
def follow(desk, words, N, model, jumps):
    """Write the probability of each choice among `words` by jumps, forward and backward; return
    the log-likelihood.

    The last jump leads behind the last word.
    """
    emit, none, gamma, no_gamma, alpha, beta = desk
    kind, jump, M = model.kind, model.jump, words.size
    total = 0.0
    alpha[0, : M + 1] = 0
    alpha[0, 0] = 1
    for j in range(N):
        mass = 0.0
        alpha[j + 1, 0] = alpha[j, 0] * none[j]
        mass += alpha[j + 1, 0]
        for i in range(M):
            reach = 0.0
            for last in range(M + 1):
                k = kind[words[last - 1]] if last > 0 else 0
                reach += alpha[j, last] * jump[k, jump_index(i + 1 - last)]
            alpha[j + 1, i + 1] = reach * emit[j * M + i] + alpha[j, i + 1] * none[j]
            mass += alpha[j + 1, i + 1]
        alpha[j + 1, : M + 1] /= mass
        total += np.log(mass)
    mass = 0.0
    for last in range(M + 1):
        k = kind[words[last - 1]] if last > 0 else 0
        beta[N, last] = jump[k, jump_index(M + 1 - last)]
        mass += alpha[N, last] * beta[N, last]
    beta[N, : M + 1] /= mass
    total += np.log(mass)
    for last in range(M + 1):
        k = kind[words[last - 1]] if last > 0 else 0
        jumps[k, jump_index(M + 1 - last)] += alpha[N, last] * beta[N, last]
    for j in range(N - 1, -1, -1):
        mass = 0.0
        for last in range(M + 1):
            k = kind[words[last - 1]] if last > 0 else 0
            ahead = 0.0
            for i in range(M):
                ahead += jump[k, jump_index(i + 1 - last)] * emit[j * M + i] * beta[j + 1, i + 1]
            beta[j, last] = ahead + none[j] * beta[j + 1, last]
            mass += alpha[j, last] * beta[j, last]
        no_gamma[j] = 0
        for i in range(M):
            gamma[j * M + i] = 0
        for last in range(M + 1):
            if alpha[j, last] == 0:
                continue
            no_gamma[j] += alpha[j, last] * none[j] * beta[j + 1, last] / mass
            k = kind[words[last - 1]] if last > 0 else 0
            for i in range(M):
                place = jump_index(i + 1 - last)
                step = jump[k, place] * emit[j * M + i] * beta[j + 1, i + 1]
                step *= alpha[j, last] / mass
                jumps[k, place] += step
                gamma[j * M + i] += step
        beta[j, : M + 1] /= mass
    return total
