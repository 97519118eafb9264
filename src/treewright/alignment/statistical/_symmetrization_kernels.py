"""Kernels that make one alignment of what two directions say about a pair."""

from __future__ import annotations

import numpy as np

from treewright.compiling import njit

FORWARD, REVERSE, INTERSECTION, UNION = 0, 1, 2, 3
GROW, GROW_FINAL_AND, POSTERIOR = 4, 5, 6
_FIRST, _SECOND = 1, 2


@njit(nogil=True)
def symmetrize(forward, reverse, M, N, method, threshold):
    """Mark the cells of pairs that are links.

    `forward` and `reverse` are the probabilities of the cells of all pairs, side by side, `M` and
    `N` the numbers of source and target words.
    """
    links = np.zeros(forward.size, np.uint8)
    begin = 0
    for p in range(M.size):
        end = begin + M[p] * N[p]
        if method == POSTERIOR:
            for cell in range(begin, end):
                links[cell] = forward[cell] + reverse[cell] > 2 * threshold
        else:
            chosen = choices(forward[begin:end], reverse[begin:end], M[p], N[p])
            combine(chosen, links[begin:end], M[p], N[p], method)
        begin = end
    return links


@njit(nogil=True)
def choices(forward, reverse, M, N):
    """Mark what each word chooses: the other word that is likelier than all others and than none.

    A choice of a target word is marked 1, one of a source word 2, both 3.
    """
    chosen = np.zeros(M * N, np.uint8)
    for j in range(N):
        best, none = -1, np.float32(1)
        for i in range(M):
            none -= forward[i * N + j]
            if best < 0 or forward[i * N + j] > forward[best * N + j]:
                best = i
        if best >= 0 and forward[best * N + j] > none:
            chosen[best * N + j] |= _FIRST
    for i in range(M):
        best, none = -1, np.float32(1)
        for j in range(N):
            none -= reverse[i * N + j]
            if best < 0 or reverse[i * N + j] > reverse[i * N + best]:
                best = j
        if best >= 0 and reverse[i * N + best] > none:
            chosen[i * N + best] |= _SECOND
    return chosen


@njit(nogil=True)
def combine(chosen, links, M, N, method):
    """Mark the links that a method makes of the choices."""
    for cell in range(chosen.size):
        if method == FORWARD:
            links[cell] = chosen[cell] & _FIRST != 0
        elif method == REVERSE:
            links[cell] = chosen[cell] & _SECOND != 0
        elif method == UNION:
            links[cell] = chosen[cell] != 0
        else:
            links[cell] = chosen[cell] == _FIRST | _SECOND
    if method >= GROW:
        grow(chosen, links, M, N, method == GROW_FINAL_AND)


@njit(nogil=True)
def grow(chosen, links, M, N, final):
    """Add choices beside links if one of their words has no link; then, if `final`, those of
    which neither has one (Koehn, Och and Marcu 2003).
    """
    has_source = np.zeros(M, np.uint8)
    has_target = np.zeros(N, np.uint8)
    for i in range(M):
        for j in range(N):
            if links[i * N + j]:
                has_source[i] = 1
                has_target[j] = 1
    grows = True
    while grows:
        grows = False
        for i in range(M):
            for j in range(N):
                if links[i * N + j]:
                    for step in range(9):
                        a, b = i + step // 3 - 1, j + step % 3 - 1
                        if a < 0 or b < 0 or a >= M or b >= N:
                            continue
                        fits = not (has_source[a] and has_target[b])
                        if fits and chosen[a * N + b] and not links[a * N + b]:
                            links[a * N + b] = 1
                            has_source[a] = 1
                            has_target[b] = 1
                            grows = True
    if final:
        for side in (_FIRST, _SECOND):
            for i in range(M):
                for j in range(N):
                    free = not has_source[i] and not has_target[j]
                    if free and chosen[i * N + j] & side:
                        links[i * N + j] = 1
                        has_source[i] = 1
                        has_target[j] = 1
