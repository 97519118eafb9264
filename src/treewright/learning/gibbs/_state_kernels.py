"""Kernels for the sampler's state: alignments, fragments and the table of rules (section 3.2).

A rule is identified by a 64-bit hash that is kept up to date from the bottom up: a node's sum adds
its production and, by position, what each child contributes: a mark if it is a frontier node, its
own hash otherwise. Realigning a node therefore changes hashes only on the path up to the nearest
frontier node, and the base distribution's log-probability only by a difference. Two rules with the
same hash would be taken for one; among a million rules the chance is below one in ten million.
"""

from __future__ import annotations

import numpy as np

from treewright.compiling import njit
from treewright.grammar import DELETED, UNALIGNED
from treewright.learning.gibbs.arrays import RULE, Rules

OPEN, LINKED, GONE = 0, 1, 2

LINK_MARK = np.uint64(0x9E3779B97F4A7C15)
DROP_MARK = np.uint64(0xD1B54A32D192ED03)
BARE = np.uint64(0x8CB92BA72F3D8DD7)
NOTHING = np.uint64(0xAEF17502108EF2D9)
_SOURCE = np.uint64(0xF1357AEA2E62A9C5)
_TARGET = np.uint64(0xC6BC279692B5C323)


@njit(nogil=True)
def scramble(h):
    """Return a 64-bit hash of a 64-bit number (the finaliser of splitmix64)."""
    h = (h ^ (h >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    h = (h ^ (h >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return h ^ (h >> np.uint64(31))


@njit(nogil=True)
def mark(front):
    """Return what a frontier node contributes to the hash above it."""
    return LINK_MARK if front == LINKED else DROP_MARK


@njit(nogil=True)
def rule_key(source, target, root):
    """Combine the hashes of two fragments under a root pair."""
    return scramble(source * _SOURCE + target * _TARGET + np.uint64(root))


@njit(nogil=True)
def find(table, key):
    """Return a rule's slot, or -1."""
    mask = np.uint64(len(table) - 1)
    place = key & mask
    while table[place].key != 0:
        if table[place].key == key:
            return np.int32(place)
        place = (place + np.uint64(1)) & mask
    return np.int32(-1)


@njit(nogil=True)
def take(rules, key, log_base, root):
    """Count one more use of a rule and return its slot; there must be a free one."""
    table, size, roots, _ = rules
    mask = np.uint64(len(table) - 1)
    place = key & mask
    while table[place].key != 0 and table[place].key != key:
        place = (place + np.uint64(1)) & mask
    if table[place].key == 0:
        table[place].key = key
        table[place].prior = np.exp(roots[root].log_alpha + log_base)
        table[place].log_base = log_base
        table[place].root = root
        size[0] += 1
    size[1] += table[place].count == 0
    table[place].count += 1
    roots[root].total += 1
    return np.int32(place)


@njit(nogil=True)
def give_back(rules, slot):
    """Count one use fewer of the rule in a slot."""
    table, size, roots, _ = rules
    table[slot].count -= 1
    size[1] -= table[slot].count == 0
    roots[table[slot].root].total -= 1


@njit(nogil=True)
def with_room(nodes, rules, room):
    """Return the rules with at least `room` free slots, in a new table without the unused ones."""
    table, size, roots, ways = rules
    capacity = len(table)
    if 2 * (size[0] + room) <= capacity:
        return rules
    while 4 * (size[1] + room) > capacity:
        capacity *= 2
    new = np.zeros(capacity, dtype=RULE)
    mask = np.uint64(capacity - 1)
    moved = np.full(len(table), -1, dtype=np.int32)
    for old in range(len(table)):
        if table[old].count > 0:
            place = table[old].key & mask
            while new[place].key != 0:
                place = (place + np.uint64(1)) & mask
            new[place] = table[old]
            moved[old] = np.int32(place)
    for x in range(len(nodes)):
        if nodes[x].slot >= 0:
            nodes[x].slot = moved[nodes[x].slot]
    size[0] = size[1]
    return Rules(new, size, roots, ways)


@njit(nogil=True)
def set_front(nodes, x, front):
    """Open or close the frontier at `x` and bring the fragments above it up to date."""
    here = nodes[x].hash
    before = nodes[x].front
    old = here if before == OPEN else mark(before)
    new = here if front == OPEN else mark(front)
    weight, width = 0.0, 0
    if before == OPEN:
        weight, width = nodes[x].stop - nodes[x].weight, 1 - nodes[x].width
    elif front == OPEN:
        weight, width = nodes[x].weight - nodes[x].stop, nodes[x].width - 1
    nodes[x].front = front
    child, p = x, nodes[x].parent
    while True:
        nodes[p].total += nodes[child].place * (new - old)
        old = nodes[p].hash
        new = scramble(nodes[p].total)
        nodes[p].hash = new
        nodes[p].weight += weight
        nodes[p].width += width
        if nodes[p].front != OPEN:
            return
        child, p = p, nodes[p].parent


@njit(nogil=True)
def anchor_of(nodes, x):
    """Return the nearest node above `x` that is a frontier node of the fragment above it."""
    p = nodes[x].parent
    while nodes[p].front == OPEN:
        p = nodes[p].parent
    return p


@njit(nogil=True)
def align(nodes, x, j):
    """Align an unaligned node with target node `j`, or with ε."""
    nodes[x].to = j
    if j < 0:
        set_front(nodes, x, GONE)
        return
    set_front(nodes, x, LINKED)
    if nodes[j].aligned == 0:
        nodes[j].owner = x
        set_front(nodes, j, LINKED)
    else:
        nodes[j].owner = max(nodes[j].owner, x)
    nodes[j].aligned += 1


@njit(nogil=True)
def unalign(nodes, x):
    """Remove a node's alignment."""
    j = nodes[x].to
    nodes[x].to = UNALIGNED
    set_front(nodes, x, OPEN)
    if j >= 0:
        nodes[j].aligned -= 1
        if nodes[j].aligned == 0:
            nodes[j].owner = DELETED
            set_front(nodes, j, OPEN)
        elif nodes[j].owner == x:
            nodes[j].owner = anchor_of(nodes, x)


@njit(nogil=True)
def crossing_key(nodes, r):
    """Return a hash of the order in which links reach the target side; 0 if it is straight."""
    reached = np.empty(nodes[r].end - r, dtype=np.int32)
    count = 0
    straight = True
    x = r + 1
    while x < nodes[r].end:
        if nodes[x].front == LINKED:
            straight = straight and (count == 0 or reached[count - 1] < nodes[x].to)
            reached[count] = nodes[x].to
            count += 1
        x = x + 1 if nodes[x].front == OPEN else nodes[x].end
    h = np.uint64(0)
    if straight:
        return h
    for i in range(count):
        rank = 0
        for k in range(count):
            rank += reached[k] < reached[i]
        h = scramble(h + np.uint64(rank + 1))
    return h


@njit(nogil=True)
def rule_at(nodes, ways, r, crossing):
    """Return the key, the log base probability and the root pair of the rule rooted in node `r`."""
    here, weight, root = nodes[r].hash, nodes[r].weight - nodes[r].free, nodes[r].epsilon
    y = nodes[r].to
    if y < 0:
        if nodes[r].owner == DELETED:
            return rule_key(NOTHING, here, root), weight, root
        return rule_key(here, NOTHING, root), weight, root
    root = nodes[r].row + nodes[y].label
    if nodes[y].owner == r:
        other, width = nodes[y].hash, nodes[y].width
        weight += nodes[y].weight
    else:
        other, width = BARE, np.int32(1)
        weight += nodes[y].stop
    if crossing:
        other += crossing_key(nodes, r)
    return rule_key(here, other, root), weight - ways[nodes[r].width, width], root


@njit(nogil=True)
def candidates(nodes, x):
    """Return the run of candidates of `x` between its neighbours' targets in the chain."""
    first, last = nodes[x].first, nodes[x].last
    if last - first < 2:
        return first, last
    above = anchor_of(nodes, x)
    if nodes[above].chain == nodes[x].chain:
        first = nodes[nodes[above].to].rank
    below = nodes[x].lower
    while below >= 0 and nodes[below].to == UNALIGNED:
        below = nodes[below].lower
    if below >= 0:
        last = nodes[nodes[below].to].rank + 1
    return first, last


@njit(nogil=True)
def owner_of(nodes, p):
    """Return the node whose rule spells out the fragment under frontier node `p`."""
    return nodes[p].owner if nodes[p].owner >= 0 else p


@njit(nogil=True)
def fill_fragments(nodes, layout):
    """Compute everything that follows from the alignments `to`, from the bottom up."""
    for x in range(len(nodes)):
        nodes[x].owner = UNALIGNED
        nodes[x].aligned = 0
        nodes[x].front = GONE if nodes[x].to == DELETED else OPEN
        nodes[x].total = nodes[x].key
        nodes[x].weight = nodes[x].spell
        nodes[x].width = 0
    for p in range(len(layout.crossing)):
        for x in range(layout.target_start[p], layout.source_start[p + 1]):
            nodes[x].owner = DELETED
    for x in range(len(nodes)):
        j = nodes[x].to
        if j >= 0:
            nodes[x].front = nodes[j].front = LINKED
            nodes[j].aligned += 1
            nodes[j].owner = max(nodes[j].owner, x)
    for x in range(len(nodes) - 1, -1, -1):
        nodes[x].hash = scramble(nodes[x].total)
        p = nodes[x].parent
        if p < 0:
            continue
        if nodes[x].front == OPEN:
            nodes[p].total += nodes[x].place * nodes[x].hash
            nodes[p].weight += nodes[x].weight
            nodes[p].width += nodes[x].width
        else:
            nodes[p].total += nodes[x].place * mark(nodes[x].front)
            nodes[p].weight += nodes[x].stop
            nodes[p].width += 1


@njit(nogil=True)
def count_rules(nodes, layout, rules):
    """Count the rules of the state into an empty table; return one with room for all."""
    rules.size[:] = 0
    for root in range(len(rules.roots)):
        rules.roots[root].total = 0
    for x in range(len(nodes)):
        nodes[x].slot = -1
    for p in range(len(layout.crossing)):
        begin, end = layout.source_start[p], layout.source_start[p + 1]
        rules = with_room(nodes, rules, end - begin)
        for x in range(begin, end):
            if nodes[x].to != UNALIGNED:
                key, weight, root = rule_at(nodes, rules.ways, x, layout.crossing[p])
                nodes[x].slot = take(rules, key, weight, root)
    return rules.table


@njit(nogil=True)
def scatter(nodes, layout, draws):
    """Move from a state without alignments to a random one: every site takes any of its choices.

    `draws` are uniform, one for each site.
    """
    for k in range(len(layout.site)):
        x = layout.site[k]
        first, last = candidates(nodes, x)
        ways = max(1, last - first)
        choice = int(draws[k] * (ways + 1))
        if choice > 0:
            align(nodes, x, DELETED if first == last else layout.candidate[first + choice - 1])
