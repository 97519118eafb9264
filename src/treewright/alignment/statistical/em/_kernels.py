"""Kernels of expectation maximisation: the expected choices of each word, by two models.

In IBM's first model a word chooses any word of the other side alike. In the hidden Markov model the
chance depends on the jump from the last word chosen; a word that chooses none leaves that one as it
is. `M` words generate, `N` words choose.
"""

from __future__ import annotations

import numpy as np

from treewright.compiling import njit

REACH = 20
"""Jumps that are longer count as this long."""


@njit(nogil=True)
def expect_choices(
    bitext, first, last, side, markov, table, null, jump, kind, share,
    links, nulls, jumps, posterior,
):  # fmt: skip
    """Add the expected choices in the pairs `first : last` to `links`, `nulls` and `jumps`; return
    the log-likelihood of the words that choose.

    `side` is 0 where target words choose. `table` has the probability of each slot, `null` that of
    each word that chooses none, which happens with probability `share`. `jump` has those of jumps
    from words of each kind. Probabilities of the links are written to `posterior`, if it has room.
    """
    cells, longest = 0, 0
    for p in range(first, last):
        cells = max(cells, bitext.cell_start[p + 1] - bitext.cell_start[p])
        longest = max(longest, bitext.source_start[p + 1] - bitext.source_start[p])
        longest = max(longest, bitext.target_start[p + 1] - bitext.target_start[p])
    emit = np.empty(cells, np.float64)
    gamma = np.empty(cells, np.float64)
    none = np.empty(longest, np.float64)
    no_gamma = np.empty(longest, np.float64)
    alpha = np.empty((longest + 1, longest + 1), np.float64)
    beta = np.empty((longest + 1, longest + 1), np.float64)
    total = 0.0
    begin = bitext.cell_start[first]
    for p in range(first, last):
        if side == 0:
            words, s, choosers, t = (
                bitext.source, bitext.source_start, bitext.target, bitext.target_start,
            )  # fmt: skip
        else:
            words, s, choosers, t = (
                bitext.target, bitext.target_start, bitext.source, bitext.source_start,
            )  # fmt: skip
        M, N = s[p + 1] - s[p], t[p + 1] - t[p]
        if M == 0 or N == 0:
            continue
        cell = bitext.cell_start[p]
        for j in range(N):
            none[j] = null[choosers[t[p] + j]] * share
            for i in range(M):
                place = i * N + j if side == 0 else j * M + i
                emit[j * M + i] = table[bitext.cell[cell + place]] * (1 - share)
        if markov:
            total += follow(
                emit, none, M, N, words, s[p], kind, jump, alpha, beta, gamma, no_gamma, jumps
            )
        else:
            total += choose_alike(emit, none, M, N, gamma, no_gamma)
        for j in range(N):
            nulls[choosers[t[p] + j]] += no_gamma[j]
            for i in range(M):
                place = i * N + j if side == 0 else j * M + i
                links[bitext.cell[cell + place]] += gamma[j * M + i]
                if posterior.size:
                    posterior[cell - begin + place] = gamma[j * M + i]
    return total


@njit(nogil=True)
def choose_alike(emit, none, M, N, gamma, no_gamma):
    """Write the probability of each choice where all are alike; return the log-likelihood."""
    total = 0.0
    for j in range(N):
        mass = none[j]
        for i in range(M):
            gamma[j * M + i] = emit[j * M + i] / M
            mass += gamma[j * M + i]
        for i in range(M):
            gamma[j * M + i] /= mass
        no_gamma[j] = none[j] / mass
        total += np.log(mass)
    return total


@njit(nogil=True)
def jump_index(distance):
    """Return where a jump is counted."""
    return REACH + max(-REACH, min(REACH, distance))


@njit(nogil=True)
def follow(emit, none, M, N, words, begin, kind, jump, alpha, beta, gamma, no_gamma, jumps):
    """Write the probability of each choice by jumps, forward and backward; return the
    log-likelihood.

    Column `i + 1` of `alpha` and `beta` is for `i` as the last word chosen, column 0 for none yet.
    The last jump leads behind the last word.
    """
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
                k = kind[words[begin + last - 1]] if last > 0 else 0
                reach += alpha[j, last] * jump[k, jump_index(i + 1 - last)]
            alpha[j + 1, i + 1] = reach * emit[j * M + i] + alpha[j, i + 1] * none[j]
            mass += alpha[j + 1, i + 1]
        alpha[j + 1, : M + 1] /= mass
        total += np.log(mass)
    mass = 0.0
    for last in range(M + 1):
        k = kind[words[begin + last - 1]] if last > 0 else 0
        beta[N, last] = jump[k, jump_index(M + 1 - last)]
        mass += alpha[N, last] * beta[N, last]
    beta[N, : M + 1] /= mass
    total += np.log(mass)
    for last in range(M + 1):
        k = kind[words[begin + last - 1]] if last > 0 else 0
        jumps[k, jump_index(M + 1 - last)] += alpha[N, last] * beta[N, last]
    for j in range(N - 1, -1, -1):
        mass = 0.0
        for last in range(M + 1):
            k = kind[words[begin + last - 1]] if last > 0 else 0
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
            k = kind[words[begin + last - 1]] if last > 0 else 0
            for i in range(M):
                place = jump_index(i + 1 - last)
                step = jump[k, place] * emit[j * M + i] * beta[j + 1, i + 1]
                step *= alpha[j, last] / mass
                jumps[k, place] += step
                gamma[j * M + i] += step
        beta[j, : M + 1] /= mass
    return total
