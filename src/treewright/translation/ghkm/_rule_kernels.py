"""Kernels that cut a pair into rules, and write these as records.

A record is a row of numbers: a header, then the columns of one rule as `PackedRules` has them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.arrays import Ints, Longs
from treewright.compiling import njit
from treewright.grammar._kernels import mix
from treewright.translation.ghkm._kernels import child_around, open_pair

HEADER = 6
"""How many numbers a record begins with: the label of the target's root, whether it is composed,
then how many source symbols, target symbols, links and numbers of the word alignment follow.
"""
STRING_ROOT = -2
FRONTIER = 0
_VARIABLE = 1 << 40
_PRODUCTION = 1 << 41
SYMBOLS, STOPS, PLACES, PRODUCTIONS, DEPTH, COMPOSED = range(6)
"""What is counted of a source fragment."""
Keys = NDArray[np.uint64]


class Buffer(NamedTuple):
    """Room for records: their numbers, where each starts, and their keys.

    Rules are equal if their source and target keys are, occurrences if the third is equal, too.
    `fill` says how many records and numbers there are.
    """

    fill: Longs
    numbers: Ints
    start: Longs
    source_key: Keys
    target_key: Keys
    alignment_key: Keys


@njit(nogil=True)
def extract(source, target, texts, links, limits, pair, buffer):
    """Write the rules of pairs from `pair` on, until one does not fit; return that pair."""
    fill = buffer.fill
    while pair < source.start.size - 1:
        records, numbers = fill[0], fill[1]
        if links.start[pair] < links.start[pair + 1]:
            view = open_pair(source, target, texts, links, limits, pair)
            if not write_pair(view, limits, buffer):
                fill[0], fill[1] = records, numbers
                return pair
        pair += 1
    return pair


@njit(nogil=True)
def write_pair(view, limits, buffer):
    """Write the rules of one pair; return whether they fit."""
    for k in range(view.frontier.size):
        if not write_composed(view, limits, k, buffer):
            return False
    return limits.phrases == 0 or write_phrases(view, limits, buffer)


@njit(nogil=True)
def write_composed(view, limits, k, buffer):
    """Write the minimal rule of the `k`-th frontier node, and those it composes with others.

    Frontier nodes are spelled out in preorder, so that each choice of them is made once.
    """
    x, counts = np.int64(view.frontier[k]), view.counts
    chosen, cursor = np.empty(limits.parts + 1, np.int32), np.empty(limits.parts + 1, np.int32)
    chosen[0], cursor[1] = x, k + 1
    view.nodes[x].inside = 1
    cut(view, x)
    counts[COMPOSED] = 0
    fits = write_fragment(view, limits, x, buffer)
    level = 1
    while level > 0:
        c = cursor[level] if level < limits.parts else view.frontier.size
        if not fits or c == view.frontier.size or view.frontier[c] >= view.nodes[x].end:
            level -= 1
            view.nodes[chosen[level]].inside = 0
            continue
        cursor[level] = c + 1
        z = view.frontier[c]
        if not view.nodes[view.nodes[z].above].inside:
            continue
        view.nodes[z].inside = 1
        cut(view, x)
        # Both only grow when more is spelled out.
        if counts[PRODUCTIONS] > limits.size or counts[DEPTH] > limits.depth:
            view.nodes[z].inside = 0
            continue
        if counts[STOPS] <= limits.variables:
            fits = write_fragment(view, limits, x, buffer)
        chosen[level] = z
        level += 1
        cursor[level] = c + 1
    return fits


@njit(nogil=True)
def write_phrases(view, limits, buffer):
    """Write a rule for each phrase that no rule of few parts spells out, with all around it open.

    It is rooted in the lowest frontier node that has all words of the phrase.
    """
    n, counts = view.link_start.size - 1, view.counts
    seen = np.empty(n * limits.phrases, np.uint64)
    number = 0
    for i in range(n):
        for end in range(i + 1, min(i + limits.phrases, n) + 1):
            x = phrase_root(view, i, end)
            if x < 0:
                continue
            key, parts = mix(np.uint64(0), x), 0
            for k in range(view.frontier.size):
                z = view.frontier[k]
                within = x <= z < view.nodes[x].end
                if within and view.nodes[z].left < end and view.nodes[z].right > i:
                    view.nodes[z].inside = 1
                    key = mix(key, z)
                    parts += 1
            fits = True
            if parts > limits.parts and not (seen[:number] == key).any():
                seen[number] = key
                number += 1
                cut(view, x)
                if (
                    counts[PRODUCTIONS] <= limits.size
                    and counts[DEPTH] <= limits.depth
                    and counts[STOPS] <= limits.variables
                ):
                    fits = write_fragment(view, limits, x, buffer)
            for z in range(x, view.nodes[x].end):
                view.nodes[z].inside = 0
            if not fits:
                return False
    return True


@njit(nogil=True)
def phrase_root(view, i, end):
    """Return the lowest frontier node around source words, or -1 if they are no phrase.

    A phrase begins and ends with linked words, and no link leaves it.
    """
    start = view.link_start
    if start[i] == start[i + 1] or start[end - 1] == start[end]:
        return -1
    low, high = view.words.size, -1
    for k in range(start[i], start[end]):
        low = min(low, view.link_target[k])
        high = max(high, view.link_target[k])
    for k in range(view.link_target.size):
        if low <= view.link_target[k] <= high and not start[i] <= k < start[end]:
            return -1
    root, x = np.int64(-1), np.int64(0)
    while x >= 0:
        if view.nodes[x].is_frontier:
            root = x
        x = child_around(view.nodes, x, i, end - 1)
    return root


@njit(nogil=True)
def cut(view, root):
    """Write the symbols of the fragment at `root`, the nodes where it stops, and its words.

    Counts these, the productions, and those on the longest path; the rule is a composed one.
    """
    nodes, desk = view.nodes, view.desk
    symbols, stops, places, productions, depth = 0, 0, 0, 0, 0
    x = root
    while x < nodes[root].end:
        node = nodes[x]
        if node.is_frontier and not node.inside:
            desk[symbols].symbol = FRONTIER
            desk[stops].stop = x
            stops += 1
            x = node.end
        else:
            desk[symbols].symbol = node.production
            productions += 1
            depth = max(depth, node.depth - nodes[root].depth + 1)
            if node.end == x + 1:
                desk[places].place = node.left
                places += 1
            x += 1
        symbols += 1
    counts = view.counts
    counts[SYMBOLS], counts[STOPS], counts[PLACES] = symbols, stops, places
    counts[PRODUCTIONS], counts[DEPTH], counts[COMPOSED] = productions, depth, 1


@njit(nogil=True)
def write_fragment(view, limits, x, buffer):
    """Write the rules of the fragment that was cut out at `x`, one for each of its targets."""
    if limits.to_trees:
        return write_trees(view, limits, x, buffer)
    return write_strings(view, limits, x, buffer)


@njit(nogil=True)
def write_strings(view, limits, x, buffer):
    """Write a rule for each way to give unlinked words to the fragment or to what it leaves open.

    Digits are where the target starts, where each variable starts and ends, where the target ends.
    """
    stops = view.counts[STOPS]
    sort_stops(view, stops)
    digits = 2 * stops + 2
    changed = 0
    for _ in range(limits.places):
        for d in range(changed, digits):
            view.desk[d].digit = least_digit(view, x, stops, d)
        if not write_string(view, buffer):
            return False
        changed = digits - 1
        while changed >= 0 and view.desk[changed].digit == greatest_digit(view, x, stops, changed):
            changed -= 1
        if changed < 0:
            break
        view.desk[changed].digit += 1
        changed += 1
    return True


@njit(nogil=True)
def sort_stops(view, stops):
    """Order the variables of a fragment by their place in the target."""
    desk, nodes = view.desk, view.nodes
    for k in range(stops):
        place = k
        while place > 0 and nodes[desk[desk[place - 1].order].stop].low > nodes[desk[k].stop].low:
            desk[place].order = desk[place - 1].order
            place -= 1
        desk[place].order = k


@njit(nogil=True)
def least_digit(view, x, stops, d):
    """Return the first value of a digit, given those before it."""
    if d == 0:
        return view.nodes[x].first
    before = view.desk[d - 1].digit
    if d == 2 * stops + 1:
        return max(view.nodes[x].high, before) if stops else view.nodes[x].high
    variable = view.nodes[view.desk[view.desk[(d - 1) // 2].order].stop]
    if d % 2 == 0:
        return variable.high
    return max(variable.first, before if d == 1 else before + 1)


@njit(nogil=True)
def greatest_digit(view, x, stops, d):
    """Return the last value of a digit."""
    if d == 0:
        return view.nodes[x].low
    if d == 2 * stops + 1:
        return view.nodes[x].last
    variable = view.nodes[view.desk[view.desk[(d - 1) // 2].order].stop]
    return variable.last if d % 2 == 0 else variable.low


@njit(nogil=True)
def write_string(view, buffer):
    """Write the rule whose target is between the digits."""
    desk, stops = view.desk, view.counts[STOPS]
    size, words, v = 0, 0, 0
    j, end = desk[0].digit, desk[2 * stops + 1].digit
    while j <= end:
        if v < stops and j == desk[2 * v + 1].digit:
            desk[size].target_symbol = FRONTIER
            desk[size].variable = desk[v].order
            j = desk[2 * v + 2].digit + 1
            v += 1
        else:
            desk[size].target_symbol = -1 - view.words[j]
            desk[j].word = words
            words += 1
            j += 1
        size += 1
    return append(view, np.int64(STRING_ROOT), size, buffer)


@njit(nogil=True)
def write_trees(view, limits, x, buffer):
    """Write a rule for each choice of target nodes for the root and the variables.

    Digits are the numbers of the variables' candidates.
    """
    desk, stops, written = view.desk, view.counts[STOPS], 0
    root = view.nodes[x]
    for r in range(root.candidate, root.candidate + root.candidates):
        y = np.int64(view.candidates[r])
        changed = 0
        while changed >= 0 and written < limits.places:
            for d in range(changed, stops):
                desk[d].digit = first_candidate(view, desk[d].stop, y)
                if desk[d].digit < 0:
                    changed = -1
            if changed < 0:
                break
            if not write_tree(view, y, buffer):
                return False
            written += 1
            changed = stops - 1
            while changed >= 0 and is_last_candidate(view, changed):
                changed -= 1
            if changed >= 0:
                desk[changed].digit += 1
                changed += 1
    return True


@njit(nogil=True)
def first_candidate(view, z, y):
    """Return the number of the first candidate of `z` that is not above `y`, or -1."""
    node = view.nodes[z]
    for k in range(node.candidate, node.candidate + node.candidates):
        if view.candidates[k] >= y:
            return k
    return -1


@njit(nogil=True)
def is_last_candidate(view, d):
    """Whether a variable has its lowest candidate."""
    node = view.nodes[view.desk[d].stop]
    return view.desk[d].digit == node.candidate + node.candidates - 1


@njit(nogil=True)
def write_tree(view, y, buffer):
    """Write the rule whose target is rooted in `y` and stops at the chosen candidates."""
    desk, other = view.desk, view.other
    for k in range(view.counts[STOPS]):
        other[view.candidates[desk[k].digit]].variable = k
    size, words = 0, 0
    z = y
    while z < other[y].end:
        node = other[z]
        if node.variable >= 0:
            desk[size].target_symbol = FRONTIER
            desk[size].variable = node.variable
            node.variable = -1
            z = node.end
        else:
            desk[size].target_symbol = node.production
            if node.end == z + 1:
                desk[node.left].word = words
                words += 1
            z += 1
        size += 1
    return append(view, np.int64(other[y].label), size, buffer)


@njit(nogil=True)
def append(view, target_root, size, buffer):
    """Put a record into the buffer; return whether it fits."""
    fill, counts = buffer.fill, view.counts
    symbols, stops = counts[SYMBOLS], counts[STOPS]
    most = HEADER + symbols + size + stops + 2 * view.link_target.size
    if fill[0] + 1 >= buffer.start.size or fill[1] + most > buffer.numbers.size:
        return False
    desk, out = view.desk, buffer.numbers
    row, header = fill[0], fill[1]
    at = header + HEADER
    source_key = np.uint64(0)
    for k in range(symbols):
        out[at + k] = desk[k].symbol
        source_key = mix(source_key, desk[k].symbol)
    at += symbols
    links = at + size
    target_key, variables = mix(np.uint64(0), target_root + 3), 0
    for k in range(size):
        symbol, variable = np.int64(desk[k].target_symbol), np.int64(desk[k].variable)
        out[at + k] = symbol
        if symbol == FRONTIER:
            out[links + variable] = variables
            variables += 1
            target_key = mix(target_key, _VARIABLE + variable)
        else:
            target_key = mix(target_key, -symbol if symbol < 0 else _PRODUCTION + symbol)
    end, alignment_key = write_alignment(view, out, links + stops)
    out[header], out[header + 1] = target_root, counts[COMPOSED]
    out[header + 2], out[header + 3] = symbols, size
    out[header + 4], out[header + 5] = stops, end - links - stops
    buffer.source_key[row], buffer.target_key[row] = source_key, target_key
    buffer.alignment_key[row] = alignment_key
    buffer.start[row + 1] = end
    fill[0], fill[1] = row + 1, end
    return True


@njit(nogil=True)
def write_alignment(view, out, at):
    """Write the links of a rule's words; return where they end, and their key."""
    key = np.uint64(1)
    for k in range(view.counts[PLACES]):
        i = view.desk[k].place
        for link in range(view.link_start[i], view.link_start[i + 1]):
            out[at], out[at + 1] = k, view.desk[view.link_target[link]].word
            key = mix(mix(key, out[at]), out[at + 1])
            at += 2
    return at, key
