"""Kernels of matching: productions and trie edges are looked up in exact hash tables.

A production is the items `(label, child labels…)`, or `(tag, -1 - word)` for a preterminal. Hashes
only choose where to look; every hit is verified against the items themselves.
"""

from __future__ import annotations

import numpy as np

from treewright.compiling import njit


@njit(nogil=True, inline="always")
def mix(h, value):
    """Fold one integer into a 64-bit hash (the finaliser of splitmix64)."""
    h = (h ^ np.uint64(value)) * np.uint64(0xBF58476D1CE4E5B9)
    h = (h ^ (h >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return h ^ (h >> np.uint64(31))


@njit(nogil=True, inline="always")
def advance(trie, state, symbol):
    """Return the trie state reached from `state` along `symbol`, or -1."""
    mask = np.uint64(len(trie.edge_state) - 1)
    place = mix(mix(np.uint64(0), state), symbol) & mask
    while trie.edge_state[place] != -1:
        if trie.edge_state[place] == state and trie.edge_symbol[place] == symbol:
            return trie.edge_next[place]
        place = (place + np.uint64(1)) & mask
    return -1


@njit(nogil=True)
def find_productions(trie, label, word, end):
    """Return the production number of every node of one tree, 0 if the grammar has none."""
    result = np.zeros(len(label), dtype=np.int32)
    for x in range(len(label)):
        result[x] = _find_production(trie, label, word, end, x)
    return result


@njit(nogil=True)
def _find_production(trie, label, word, end, x):
    h = mix(np.uint64(0), label[x])
    if x + 1 == end[x]:
        if word[x] < 0:
            return 0
        h = mix(h, -1 - word[x])
    else:
        child = x + 1
        while child < end[x]:
            h = mix(h, label[child])
            child = end[child]
    mask = np.uint64(len(trie.production_slot) - 1)
    place = h & mask
    while trie.production_slot[place] != 0:
        production = trie.production_slot[place]
        if _is_production(trie, production, label, word, end, x):
            return production
        place = (place + np.uint64(1)) & mask
    return 0


@njit(nogil=True)
def _is_production(trie, production, label, word, end, x):
    first, last = trie.production_ptr[production], trie.production_ptr[production + 1]
    if trie.production_item[first] != label[x]:
        return False
    if x + 1 == end[x]:
        return last - first == 2 and trie.production_item[first + 1] == -1 - word[x]
    k = first + 1
    child = x + 1
    while child < end[x]:
        if k == last or trie.production_item[k] != label[child]:
            return False
        k += 1
        child = end[child]
    return k == last


@njit(nogil=True)
def room_for(array, size):
    """Return `array`, or a copy at least twice as long if it has fewer than `size` entries."""
    if size <= len(array):
        return array
    grown = np.empty(max(size, 2 * len(array)), dtype=array.dtype)
    grown[: len(array)] = array
    return grown


@njit(nogil=True, inline="always")
def push(stack, top, state, node, count, stop):
    """Put one item of the depth-first search on its stack; return the new height."""
    stack[top, 0] = state
    stack[top, 1] = node
    stack[top, 2] = count
    stack[top, 3] = stop
    return top + 1


@njit(nogil=True)
def match_fragments(trie, production, end, root):
    """Return every source fragment that matches at `root`, as trie states and frontier nodes.

    Match `k` ends in trie state `state[k]` with the frontier nodes `node[pointer[k]:pointer[k+1]]`.
    """
    state = np.empty(16, dtype=np.int32)
    pointer = np.zeros(17, dtype=np.int64)
    node = np.empty(64, dtype=np.int32)
    matches = 0
    filled = 0
    behind = end[root]
    path = np.empty(behind - root + 1, dtype=np.int32)
    # Depth-first over (trie state, next node, frontier so far); a node of -1 adds no frontier.
    stack = np.empty((2 * (behind - root) + 4, 4), dtype=np.int64)
    first = advance(trie, 0, production[root]) if production[root] > 0 else -1
    top = 0
    if first >= 0:
        top = push(stack, top, first, root + 1, 0, -1)
    while top > 0:
        top -= 1
        here, x, count, stop = stack[top, 0], stack[top, 1], stack[top, 2], stack[top, 3]
        if stop >= 0:
            path[count] = stop
            count += 1
        if x == behind:
            if trie.fragment_ptr[here] < trie.fragment_ptr[here + 1]:
                state = room_for(state, matches + 1)
                pointer = room_for(pointer, matches + 2)
                node = room_for(node, filled + count)
                state[matches] = here
                node[filled : filled + count] = path[:count]
                filled += count
                matches += 1
                pointer[matches] = filled
            continue
        if production[x] > 0:
            following = advance(trie, here, production[x])
            if following >= 0:
                top = push(stack, top, following, x + 1, count, -1)
        following = advance(trie, here, 0)
        if following >= 0:
            top = push(stack, top, following, end[x], count, x)
    return state[:matches], pointer[: matches + 1], node[:filled]


@njit(nogil=True)
def match_target(rules, rule, label, end, production, root, stops):
    """Match a rule's target fragment at `root`; return whether it fits, filling `stops`."""
    if label[root] != rules.target_root[rule]:
        return False
    x = root
    count = 0
    for k in range(rules.target_ptr[rule], rules.target_ptr[rule + 1]):
        symbol = rules.target_symbol[k]
        if symbol == 0:
            stops[count] = x
            count += 1
            x = end[x]
        else:
            if production[x] != symbol:
                return False
            x += 1
    return True
