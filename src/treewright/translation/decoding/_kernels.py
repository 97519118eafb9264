"""Numba kernels of the decoder; `tests/translation/decoding/naive.py` has their twin, enumeration.

What is covered is kept as the first word not covered (`gap`) and a mask of the words from there on,
bit 0 being the gap itself. A grid is a group of hypotheses that cover the same words and end at the
same position, against the options of one span; its cells are taken best first (cube pruning).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treewright.compiling import njit, records
from treewright.lm._kernels import extend

WINDOW = 62
"""How far behind the first gap words may be covered: the bits of a mask."""
MONOTONE, SWAP, APART = 0, 1, 2
OUTSIDE, INSIDE, CROSSING = 0, 1, 2
"""What an option covers: no word of the skeleton, only such words, both kinds."""
SLOT, CROSSED = 1, 2
"""Marks of a node: its translation ends in a slot, an option on its way crosses the skeleton."""
NODE = records(
    [
        # What is covered, the span translated last, how it may be followed (a class of options).
        ("gap", "i8"),
        ("mask", "i8"),
        ("start", "i4"),
        ("end", "i4"),
        ("behind", "i4"),
        # The same for the skeleton, in its own positions; and what else its parts must remember.
        ("bone_start", "i4"),
        ("bone_end", "i4"),
        ("bone_behind", "i4"),
        ("marks", "i4"),
        # The best score of a derivation, and with what is estimated for the rest.
        ("score", "f8"),
        ("total", "f8"),
    ]
)
EDGE = records([("head", "i4"), ("tail", "i4"), ("option", "i4")])
GROUP = records(
    [("gap", "i8"), ("mask", "i8"), ("end", "i4"), ("first", "i4"), ("last", "i4")],
)
GRID = records(
    [
        ("gap", "i8"),
        ("mask", "i8"),
        ("future", "f8"),
        ("distortion", "f8"),
        ("group", "i4"),
        ("start", "i4"),
        ("end", "i4"),
    ]
)
CELL = records(
    [
        ("grid", "i4"),
        ("rank", "i4"),
        ("option", "i4"),
        ("is_exact", "i4"),
        ("marks", "i4"),
        ("score", "f8"),
    ]
)


class Bones(NamedTuple):
    """The skeleton of a sentence, for its options; without a skeleton, all are outside it.

    Only what is scored is part of the state of a hypothesis, so that weights of zero leave the
    search as it is without a skeleton.
    """

    kind: np.ndarray
    start: np.ndarray
    end: np.ndarray
    """[option]: its words in the skeleton, as positions among those of the skeleton alone."""
    previous: np.ndarray
    following: np.ndarray
    """The reordering scores of `Problem`, weighted for the skeleton."""
    moves: bool
    """Whether reordering in the skeleton is scored."""
    distance: float
    marked: bool
    """Whether a derivation pays for its first crossing option."""
    consistent: float
    lm: int
    """Which language model is the skeletal one, or -1."""
    slot: int
    """How it numbers the symbol for a stretch that is not of the skeleton."""


class Problem(NamedTuple):
    """One sentence to translate. Options are sorted by span, and within a span best first."""

    span_of: np.ndarray
    """[word, length]: the span that starts there, or -1."""
    span_option: np.ndarray
    """The first option of each span, and the number of options."""
    local: np.ndarray
    """The weighted score of each option that no neighbour changes."""
    estimate: np.ndarray
    """`local`, and what the language models say to its words without a context."""
    previous: np.ndarray
    """[option, orientation]: weighted reordering score relative to the phrase before."""
    following: np.ndarray
    """[class, orientation]: the same, relative to the phrase behind; class 0 is the beginning."""
    option_class: np.ndarray
    word_start: np.ndarray
    lm_words: np.ndarray
    """[language model, position]: the words of the options, as each model numbers them."""
    lm_weights: np.ndarray
    lm_start: np.ndarray
    lm_end: np.ndarray
    future: np.ndarray
    """[from, to]: the best estimate for translating the words between."""
    boundary: np.ndarray
    """[word]: where the zone of each word ends, beyond which nothing is covered before it is."""
    bones: Bones


class LanguageModels(NamedTuple):
    """The nodes of language models side by side, and where those of each begin."""

    nodes: np.ndarray
    first: np.ndarray


class Effort(NamedTuple):
    """How much of the search space is seen."""

    stack: int
    pops: int
    threshold: float
    distortion_limit: int
    distortion_weight: float


@njit(nogil=True)
def no_context(lm, word_start, lm_words, lm_weights):
    """Return the weighted language-model score of each option's words without a context."""
    scores = np.zeros(word_start.size - 1)
    for option in range(scores.size):
        for model in range(lm_weights.size):
            nodes = lm.nodes[lm.first[model] :]
            state = np.int64(0)
            for place in range(word_start[option], word_start[option + 1]):
                score, state = extend(nodes, state, np.int64(lm_words[model, place]))
                scores[option] += lm_weights[model] * score
    return scores


@njit(nogil=True)
def future_table(num_words, span_of, span_option, estimate):
    """Return the best sum of estimates of options that cover the words between two positions."""
    future = np.full((num_words + 1, num_words + 1), -np.inf)
    longest = span_of.shape[1] - 1
    for size in range(1, num_words + 1):
        for start in range(num_words - size + 1):
            end = start + size
            best = -np.inf
            if size <= longest and span_of[start, size] >= 0:
                span = span_of[start, size]
                for option in range(span_option[span], span_option[span + 1]):
                    best = max(best, estimate[option])
            for middle in range(start + 1, end):
                best = max(best, future[start, middle] + future[middle, end])
            future[start, end] = best
    return future


@njit(nogil=True)
def future_of(future, num_words, gap, mask):
    """Return the estimate for all words that are not covered."""
    total = 0.0
    position = gap
    while position < num_words and mask >> (position - gap) != 0:
        end = position
        while (mask >> (end - gap)) & 1 == 0:
            end += 1
        if end > position:
            total += future[position, end]
        position = end + 1
    if position < num_words:
        total += future[position, num_words]
    return total


@njit(nogil=True)
def push(priorities, cells, size, priority, cell):
    """Put a cell on a heap with the greatest priority on top; of equal ones, the oldest."""
    place = size
    while place > 0:
        parent = (place - 1) >> 1
        if priorities[parent] >= priority:
            break
        priorities[place] = priorities[parent]
        cells[place] = cells[parent]
        place = parent
    priorities[place] = priority
    cells[place] = cell


@njit(nogil=True)
def pop(priorities, cells, size):
    """Take the top off a heap, which then has `size` cells."""
    top = cells[0]
    priority = priorities[size]
    cell = cells[size]
    place = 0
    while True:
        child = 2 * place + 1
        if child >= size:
            break
        if child + 1 < size and priorities[child + 1] > priorities[child]:
            child += 1
        if priorities[child] <= priority:
            break
        priorities[place] = priorities[child]
        cells[place] = cells[child]
        place = child
    priorities[place] = priority
    cells[place] = cell
    return top


@njit(nogil=True)
def taller(table, used, wanted):
    """Return a table that has room for `wanted` rows and begins with the `used` ones."""
    if wanted <= table.shape[0]:
        return table
    grown = np.empty((max(wanted, 2 * table.shape[0]), table.shape[1]), table.dtype)
    grown[:used] = table[:used]
    return grown


@njit(nogil=True)
def table_size(entries):
    """Return the size of a hash table for so many entries: a power of two."""
    size = 16
    while size < 2 * entries:
        size *= 2
    return size


@njit(nogil=True)
def mixed(value, seed):
    """Return a hash of two integers."""
    value = (value ^ (seed * np.int64(0x1E3779B97F4A7C15))) * np.int64(0x2545F4914F6CDD1D)
    return value ^ (value >> 29)


@njit(nogil=True)
def find(nodes, states, slots, node):
    """Return the slot of the node that has the same state as this one, or a free one."""
    this = nodes[node]
    key = mixed(mixed(this.gap, this.mask), np.int64(this.start) * 65536 + this.end)
    key = mixed(key, np.int64(this.behind))
    key = mixed(key, np.int64(this.bone_start) * 65536 + this.bone_end)
    key = mixed(key, np.int64(this.bone_behind) * 4 + this.marks)
    for model in range(states.shape[1]):
        key = mixed(key, states[node, model])
    slot = key & (slots.size - 1)
    while slots[slot] >= 0:
        other = nodes[slots[slot]]
        same = (
            other.gap == this.gap
            and other.mask == this.mask
            and other.start == this.start
            and other.end == this.end
            and other.behind == this.behind
            and other.bone_start == this.bone_start
            and other.bone_end == this.bone_end
            and other.bone_behind == this.bone_behind
            and other.marks == this.marks
        )
        for model in range(states.shape[1]):
            same = same and states[slots[slot], model] == states[node, model]
        if same:
            break
        slot = (slot + 1) & (slots.size - 1)
    return slot


@njit(nogil=True)
def find_group(groups, slots, node):
    """Return the slot of the group that a node belongs to, or a free one."""
    slot = mixed(mixed(node.gap, node.mask), np.int64(node.end)) & (slots.size - 1)
    while slots[slot] >= 0:
        group = groups[slots[slot]]
        if group.gap == node.gap and group.mask == node.mask and group.end == node.end:
            break
        slot = (slot + 1) & (slots.size - 1)
    return slot


@njit(nogil=True)
def orientation(start, end, before_start, before_end):
    """Return how a phrase stands to the phrase translated before it."""
    if start == before_end:
        return MONOTONE
    return SWAP if end == before_start else APART


@njit(nogil=True)
def skeletal(bones, tail, option):
    """Return what an option adds to the score by its place in the skeleton."""
    if bones.kind[option] == OUTSIDE:
        return 0.0
    score = 0.0
    if bones.moves:
        start, end = bones.start[option], bones.end[option]
        way = orientation(start, end, tail.bone_start, tail.bone_end)
        score += bones.previous[option, way] + bones.following[tail.bone_behind, way]
        score -= bones.distance * abs(start - tail.bone_end)
    if bones.marked and bones.kind[option] == CROSSING and tail.marks & CROSSED == 0:
        score -= bones.consistent
    return score


@njit(nogil=True)
def marks_after(bones, marks, option, adds_words):
    """Return the marks of a translation after an option."""
    if bones.lm >= 0 and adds_words:
        marks = marks | SLOT if bones.kind[option] == OUTSIDE else marks & ~SLOT
    if bones.marked and bones.kind[option] == CROSSING:
        marks |= CROSSED
    return marks


@njit(nogil=True)
def mark_alive(num_nodes, head, tail):
    """Mark the edges from which the node after the last can be reached; tails come first."""
    reached = np.zeros(num_nodes + 1, np.bool_)
    reached[num_nodes] = True
    alive = np.zeros(head.size, np.bool_)
    for edge in range(head.size - 1, -1, -1):
        alive[edge] = reached[head[edge]]
        if alive[edge]:
            reached[tail[edge]] = True
    return alive
