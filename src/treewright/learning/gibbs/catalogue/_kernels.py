"""Kernels that spell out the rules of a state and match them elsewhere.

A fragment is its nodes in preorder: the production where it goes on, a negative code where it
stops, `_DROPPED` for ε or one code a link, counted in source order. Entries are chained by the
production of their source root (of their target root, for insertions).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.compiling import njit
from treewright.grammar._kernels import room_for
from treewright.grammar.node_alignment import UNALIGNED
from treewright.learning.gibbs._kernels import (
    GONE,
    LINKED,
    OPEN,
)

_DROPPED = -1
_FIRST_LINK = -2


class Catalogue(NamedTuple):
    """Entry `i` is `code[start[i] : middle[i]]` / `code[middle[i] : start[i + 1]]`.

    `size` is the number of entries and of codes; `head[p]` is the last entry whose root has
    production `p`, `next` the one before it (-1: none).
    """

    head: NDArray[np.int32]
    next: NDArray[np.int32]
    key: NDArray[np.uint64]
    root: NDArray[np.int32]
    start: NDArray[np.int32]
    middle: NDArray[np.int32]
    code: NDArray[np.int32]
    size: NDArray[np.int64]


@njit(cache=True, nogil=True)
def new_catalogue(productions):
    """Return a catalogue without entries."""
    return Catalogue(
        np.full(productions, -1, dtype=np.int32),
        np.empty(1024, dtype=np.int32),
        np.empty(1024, dtype=np.uint64),
        np.empty(1024, dtype=np.int32),
        np.zeros(1025, dtype=np.int32),
        np.empty(1024, dtype=np.int32),
        np.empty(8192, dtype=np.int32),
        np.zeros(2, dtype=np.int64),
    )


@njit(cache=True, nogil=True)
def with_space(catalogue, codes):
    """Return the catalogue with room for one more entry of so many codes."""
    entries, used = catalogue.size[0], catalogue.size[1]
    if entries < len(catalogue.key) and used + codes <= len(catalogue.code):
        return catalogue
    key = room_for(catalogue.key, entries + 1)
    return Catalogue(
        catalogue.head,
        room_for(catalogue.next, len(key)),
        key,
        room_for(catalogue.root, len(key)),
        room_for(catalogue.start, len(key) + 1),
        room_for(catalogue.middle, len(key)),
        room_for(catalogue.code, used + codes),
        catalogue.size,
    )


@njit(cache=True, nogil=True)
def spell_fragment(nodes, code, used, root, link_of):
    """Append the fragment that spells out `root`; return where it ends.

    `link_of` has each linked node's number, counted on the source side.
    """
    x = root
    while x < nodes[root].end:
        if x == root or nodes[x].front == OPEN:
            code[used] = nodes[x].production
            x += 1
        else:
            code[used] = _DROPPED if nodes[x].front == GONE else _FIRST_LINK - link_of[x]
            x = nodes[x].end
        used += 1
    return used


@njit(cache=True, nogil=True)
def number_links(nodes, r, link_of):
    """Number the linked frontier nodes of the rule rooted in source node `r`, on both sides."""
    links = 0
    x = r + 1
    while x < nodes[r].end:
        if nodes[x].front == LINKED:
            link_of[x] = links
            link_of[nodes[x].to] = links
            links += 1
        x = x + 1 if nodes[x].front == OPEN else nodes[x].end


@njit(cache=True, nogil=True)
def enter(catalogue, nodes, r, key, root, link_of):
    """Enter the rule rooted in node `r` unless it is there; return the catalogue."""
    production = nodes[r].production
    entry = catalogue.head[production]
    while entry >= 0:
        if catalogue.key[entry] == key:
            return catalogue
        entry = catalogue.next[entry]
    y = nodes[r].to
    target = nodes[y].end - y if y >= 0 else 0
    catalogue = with_space(catalogue, nodes[r].end - r + target + 1)
    entry, used = np.int32(catalogue.size[0]), catalogue.size[1]
    catalogue.key[entry] = key
    catalogue.root[entry] = root
    catalogue.next[entry] = catalogue.head[production]
    catalogue.head[production] = entry
    if y >= 0:
        number_links(nodes, r, link_of)
    used = spell_fragment(nodes, catalogue.code, used, r, link_of)
    catalogue.middle[entry] = used
    if y >= 0 and nodes[y].owner == r:
        used = spell_fragment(nodes, catalogue.code, used, y, link_of)
    elif y >= 0:
        catalogue.code[used] = _FIRST_LINK
        used += 1
    catalogue.start[entry + 1] = used
    catalogue.size[0] += 1
    catalogue.size[1] = used
    return catalogue


@njit(cache=True, nogil=True)
def match_source(catalogue, nodes, entry, x, stops):
    """Match the first fragment of an entry at `x`; return its number of stops, or -1.

    `stops` receives the frontier nodes in order, dropped ones as `-1 - node`. A node is dropped
    only if none of its words is linked, and linked only if some target node may stand for it.
    """
    count = 0
    for i in range(catalogue.start[entry], catalogue.middle[entry]):
        code = catalogue.code[i]
        if code >= 0:
            if nodes[x].production != code:
                return -1
            x += 1
            continue
        if code == _DROPPED:
            if nodes[x].linked:
                return -1
            stops[count] = -1 - x
        else:
            if nodes[x].first == nodes[x].last:
                return -1
            stops[count] = x
        count += 1
        x = nodes[x].end
    return count


@njit(cache=True, nogil=True)
def match_target(catalogue, nodes, entry, y, stops, count, images, insertable):
    """Match the second fragment at `y`; return the number of `images`, or -1.

    `images` receives a target node for each linked stop in source order, and behind them the
    inserted nodes as `-1 - node`.
    """
    links = 0
    for i in range(count):
        links += stops[i] >= 0
    total = links
    for i in range(catalogue.middle[entry], catalogue.start[entry + 1]):
        code = catalogue.code[i]
        if code >= 0:
            if nodes[y].production != code:
                return -1
            y += 1
            continue
        if code == _DROPPED:
            if nodes[y].linked or not insertable:
                return -1
            images[total] = -1 - y
            total += 1
        else:
            images[_FIRST_LINK - code] = y
        y = nodes[y].end
    k = 0
    for i in range(count):
        if stops[i] >= 0:
            rank = nodes[images[k]].rank
            if rank < nodes[stops[i]].first or rank >= nodes[stops[i]].last:
                return -1
            k += 1
    return total


@njit(cache=True, nogil=True)
def enter_pair(catalogue, nodes, table, begin, end, link_of):
    """Enter all rules of one pair, whose uses are counted."""
    for x in range(begin, end):
        if nodes[x].to != UNALIGNED:
            rule = table[nodes[x].slot]
            catalogue = enter(catalogue, nodes, x, rule.key, rule.root, link_of)
    return catalogue
