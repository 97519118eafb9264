"""The search for the best derivation of a sentence pair, in layers by target words spelled."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treewright.arrays import Floats, Longs
from treewright.compiling import njit
from treewright.grammar._kernels import room_for
from treewright.translation.decoding._kernels import WINDOW, mixed, table_size
from treewright.translation.forcing._kernels import FREE, STATE

DROPPED, INSERTED = -1, -2
"""Steps without a block: a source word that is not translated, a target word out of nothing."""
_SLACK = 1e-6
"""Bounds and scores are sums in different orders."""


class Effort(NamedTuple):
    """States kept in a layer; how far phrases may jump (negative: anywhere); the weight of jumps;
    the scores of words dropped and inserted, minus infinity where they may not be.
    """

    beam: int
    distortion: int
    distance: float
    drop: float
    insert: float


class Bounds(NamedTuple):
    """What can still be reached at best: the share of each source word in the best of its blocks,
    the best way to spell from each target position, the last target position where a source word
    has a block, and the last source word that has none from a position on.
    """

    share: Floats
    spell: Floats
    last_start: Longs
    last_lost: Longs


@njit(nogil=True)
def search(n, m, blocks, effort, least):
    """Return the steps of the best derivation, its score, and whether it is sure to be the best.

    A step is source start and end, target start and end, and a block, `DROPPED` or `INSERTED`.
    Derivations that score below `least` are not looked for. Without any, the score is minus
    infinity.
    """
    bounds = bounds_of(n, m, blocks, effort)
    states = np.zeros(256, dtype=STATE)
    states[0].left = bounds.share.sum()
    states[0].back = FREE
    states[0].next = FREE
    if states[0].left == -np.inf or bounds.spell[0] == -np.inf:
        return trace(states, blocks, FREE, n), -np.inf, True
    slots = np.full(table_size(256), FREE, np.int32)
    layers = np.full(m + 1, FREE, np.int32)
    layers[0] = 0
    count, is_exact = 1, True
    first = np.searchsorted(blocks["j1"], np.arange(m + 1))
    for position in range(m):
        ranked = rank(states, layers[position], bounds, effort.beam)
        is_exact = is_exact and ranked.size <= effort.beam
        for tail in ranked[: effort.beam]:
            room = count + first[position + 1] - first[position] + 1
            states = room_for(states, room)
            if table_size(room) > slots.size:
                slots = rehashed(states, count, room)
            for block in range(first[position], first[position + 1]):
                if can_cover(states[tail], blocks[block], effort):
                    follow(states[tail], blocks[block], states[count], bounds, effort)
                    count = settle(states, slots, layers, count, tail, block, bounds, least)
            if effort.insert > -np.inf:
                copy_state(states[tail], states[count])
                states[count].position += 1
                states[count].score += effort.insert
                count = settle(states, slots, layers, count, tail, INSERTED, bounds, least)
    best, score = best_of(states, layers[m], n, effort.drop)
    return trace(states, blocks, best, n), score, is_exact


@njit(nogil=True)
def best_of(states, head, n, drop):
    """Return the best state of the last layer and its score, words not covered being dropped."""
    best, best_score = FREE, -np.inf
    state = head
    while state != FREE:
        this = states[state]
        score = this.score if this.covered == n else this.score + drop * (n - this.covered)
        if score > best_score:
            best, best_score = state, score
        state = this.next
    return best, best_score


@njit(nogil=True)
def bounds_of(n, m, blocks, effort):
    """Return what can be reached at best."""
    share = np.full(n, effort.drop)
    spell = np.full(m + 1, -np.inf)
    spell[m] = 0.0
    last_start = np.full(n, m if effort.drop > -np.inf else FREE)
    block = blocks.size - 1
    for position in range(m - 1, -1, -1):
        spell[position] = effort.insert + spell[position + 1]
        while block >= 0 and blocks[block].j1 == position:
            this = blocks[block]
            spell[position] = max(spell[position], this.score + spell[this.j2])
            for i in range(this.i1, this.i2):
                share[i] = max(share[i], this.score / (this.i2 - this.i1))
                last_start[i] = max(last_start[i], position)
            block -= 1
    last_lost = np.full(m + 1, FREE)
    for i in range(n):
        for position in range(last_start[i] + 1, m + 1):
            last_lost[position] = i
    return Bounds(share, spell, last_start, last_lost)


@njit(nogil=True)
def rank(states, head, bounds, beam):
    """Return the states of a layer, the best first if there are more than the beam holds."""
    size, state = 0, head
    while state != FREE:
        size += 1
        state = states[state].next
    members = np.empty(size, np.int32)
    worth = np.empty(size)
    state = head
    for k in range(size - 1, -1, -1):
        members[k] = state
        this = states[state]
        worth[k] = -this.score - min(this.left, bounds.spell[this.position])
        state = this.next
    if size > beam:
        return members[np.argsort(worth, kind="mergesort")]
    return members


@njit(nogil=True)
def can_cover(state, block, effort):
    """Tell whether a block may come next; as in the decoder, the way back must not be too long."""
    shift, size = np.int64(block.i1 - state.gap), np.int64(block.i2 - block.i1)
    if shift < 0:
        return False
    if shift + size > WINDOW:
        return effort.drop > -np.inf and (shift >= WINDOW or state.mask >> shift == 0)
    if (state.mask >> shift) & ((np.int64(1) << size) - 1) != 0:
        return False
    limit = effort.distortion
    near = abs(block.i1 - state.end) <= limit and (shift == 0 or shift + size <= limit)
    return limit < 0 or near


@njit(nogil=True)
def copy_state(state, new):
    """Begin a new state where another is."""
    new.position, new.gap, new.mask = state.position, state.gap, state.mask
    new.covered, new.end = state.covered, state.end
    new.score, new.left = state.score, state.left


@njit(nogil=True)
def follow(state, block, new, bounds, effort):
    """Fill in the state after a block.

    Words that are more than the window behind are dropped.
    """
    copy_state(state, new)
    new.score += block.score - effort.distance * abs(block.i1 - state.end)
    while block.i2 - new.gap > WINDOW:
        cover(new, new.gap, new.gap + 1, bounds)
        new.score += effort.drop
    cover(new, block.i1, block.i2, bounds)
    new.position, new.end = block.j2, block.i2


@njit(nogil=True)
def cover(state, i1, i2, bounds):
    """Cover source words."""
    for i in range(i1, i2):
        state.left -= bounds.share[i]
    state.covered += i2 - i1
    # Numbers of 32 bits would not do for the shifted ones.
    ones = (np.int64(1) << np.int64(i2 - i1)) - 1
    mask = state.mask | (ones << np.int64(i1 - state.gap))
    while mask & 1:
        mask >>= 1
        state.gap += 1
    state.mask = mask


@njit(nogil=True)
def settle(states, slots, layers, new, tail, block, bounds, least):
    """Enter the state after the last, unless it leads nowhere or is there; return how many there
    are then.
    """
    this = states[new]
    possible = min(this.left, bounds.spell[this.position])
    if this.score + possible < least - _SLACK:
        return new
    for i in range(this.gap, bounds.last_lost[this.position] + 1):
        is_covered = i - this.gap < WINDOW and (this.mask >> (i - this.gap)) & 1
        if bounds.last_start[i] < this.position and not is_covered:
            return new
    slot = find(states, slots, new)
    other = slots[slot]
    if other != FREE:
        if this.score > states[other].score:
            states[other].score = this.score
            states[other].back, states[other].block = tail, block
        return new
    slots[slot] = new
    this.back, this.block = tail, block
    this.next = layers[this.position]
    layers[this.position] = new
    return new + 1


@njit(nogil=True)
def find(states, slots, state):
    """Return the slot of the state that equals this one, or a free one."""
    this = states[state]
    key = mixed(np.int64(this.mask), np.int64(this.gap) * 65536 + this.end)
    slot = mixed(key, np.int64(this.position)) & (slots.size - 1)
    while slots[slot] != FREE:
        other = states[slots[slot]]
        if (
            other.mask == this.mask
            and other.gap == this.gap
            and other.end == this.end
            and other.position == this.position
        ):
            break
        slot = (slot + 1) & (slots.size - 1)
    return slot


@njit(nogil=True)
def rehashed(states, count, room):
    """Return a hash table of all states with more room."""
    slots = np.full(2 * table_size(room), FREE, np.int32)
    for state in range(1, count):
        slots[find(states, slots, state)] = state
    return slots


@njit(nogil=True)
def trace(states, blocks, best, n):
    """Return the steps that led to a state, then the words that none of them covers."""
    size, state = 0, best
    while state > 0:
        size += 1
        state = states[state].back
    steps = np.empty((size + n, 5), np.int32)
    is_covered = np.zeros(n, np.bool_)
    state = best
    for k in range(size - 1, -1, -1):
        block, tail = states[state].block, states[states[state].back]
        if block >= 0:
            this = blocks[block]
            fill(steps[k], this.i1, this.i2, this.j1, this.j2, block)
            is_covered[this.i1 : this.i2] = True
        else:
            fill(steps[k], tail.end, tail.end, tail.position, tail.position + 1, INSERTED)
        state = states[state].back
    if best != FREE:
        for i in range(n):
            if not is_covered[i]:
                end = states[best].position
                fill(steps[size], i, i + 1, end, end, DROPPED)
                size += 1
    return steps[:size].copy()


@njit(nogil=True)
def fill(step, i1, i2, j1, j2, block):
    """Write a step."""
    step[0], step[1], step[2], step[3], step[4] = i1, i2, j1, j2, block
