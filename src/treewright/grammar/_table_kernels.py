"""Kernels that build the match index; their twins are in `tests/grammar`.

They trust their input, except `first_bad_rule`, which checks it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.arrays import Bools, Ints, Longs
from treewright.compiling import njit
from treewright.grammar._kernels import mix, room_for
from treewright.grammar.packed import FRONTIER, NO_TARGET, STRING_TARGET, Productions, RuleColumns

ANY = -1
MALFORMED = -1
SEPARATOR = 1 << 40
"""Between the sides of a rule when it is hashed; no symbol has this number."""


class Edges(NamedTuple):
    """The edges of a trie in an open-addressing table; a state of -1 is an empty place."""

    state: Ints
    symbol: Ints
    following: Ints


class Variables(NamedTuple):
    """What the frontiers of all rules are linked to; see `RuleTables`."""

    category: Ints
    inserted_ptr: Longs
    inserted: Ints
    inserted_category: Ints


@njit(nogil=True)
def hash_productions(pointer: Longs, item: Ints, size: int) -> Ints:
    """Place productions 1, 2, … in an open-addressing table of `size` slots (0 is empty)."""
    slot = np.zeros(size, dtype=np.int32)
    mask = np.uint64(size - 1)
    for production in range(1, len(pointer) - 1):
        h = np.uint64(0)
        for k in range(pointer[production], pointer[production + 1]):
            h = mix(h, item[k])
        place = h & mask
        while slot[place] != 0:
            place = (place + np.uint64(1)) & mask
        slot[place] = production
    return slot


@njit(nogil=True)
def empty_edges(size: int) -> Edges:
    """Return a table of `size` empty places."""
    return Edges(
        np.full(size, -1, dtype=np.int32),
        np.zeros(size, dtype=np.int32),
        np.full(size, -1, dtype=np.int32),
    )


@njit(nogil=True)
def edge_place(edges: Edges, state: int, symbol: int) -> int:
    """Return where an edge is, or the empty place where it would be."""
    mask = np.uint64(len(edges.state) - 1)
    place = mix(mix(np.uint64(0), state), symbol) & mask
    while edges.state[place] != -1 and not (
        edges.state[place] == state and edges.symbol[place] == symbol
    ):
        place = (place + np.uint64(1)) & mask
    return int(place)


@njit(nogil=True)
def twice_as_large(edges: Edges) -> Edges:
    """Return a table with room for as many edges again."""
    larger: Edges = empty_edges(2 * len(edges.state))
    for old in range(len(edges.state)):
        if edges.state[old] != -1:
            place = edge_place(larger, edges.state[old], edges.symbol[old])
            larger.state[place] = edges.state[old]
            larger.symbol[place] = edges.symbol[old]
            larger.following[place] = edges.following[old]
    return larger


@njit(nogil=True)
def grow_trie(rules: RuleColumns) -> tuple[Ints, tuple[Ints, Ints, Ints], int]:
    """Return the trie state in which each source ends (-1: no source), `Edges`, and all states.

    The table of edges is at most half full.
    """
    pointer, symbol = rules.source_ptr, rules.source_symbol
    ends = np.full(len(pointer) - 1, -1, dtype=np.int32)
    edges = empty_edges(16)
    states = 1
    for rule in range(len(ends)):
        state = 0
        for k in range(pointer[rule], pointer[rule + 1]):
            place = edge_place(edges, state, symbol[k])
            if edges.state[place] == -1:
                edges.state[place] = state
                edges.symbol[place] = symbol[k]
                edges.following[place] = states
                state = states
                states += 1
                if 2 * states > len(edges.state):
                    edges = twice_as_large(edges)
            else:
                state = edges.following[place]
        if pointer[rule] < pointer[rule + 1]:
            ends[rule] = state
    return ends, edges[:], states


@njit(nogil=True)
def longest(pointer: Longs) -> int:
    """Return the length of the longest row."""
    most = 0
    for k in range(len(pointer) - 1):
        most = max(most, pointer[k + 1] - pointer[k])
    return most


@njit(nogil=True)
def workspace(productions: Productions, rules: RuleColumns) -> tuple[Ints, Ints]:
    """Return room for the variables of any side, and for the labels that `spell_out` awaits."""
    size = max(longest(rules.source_ptr), longest(rules.target_ptr)) + 1
    return (
        np.empty(size, dtype=np.int32),
        np.empty(size + longest(productions.ptr) + 1, dtype=np.int32),
    )


@njit(nogil=True)
def spell_out(
    productions: Productions, symbols: Ints, root: int, variables: Ints, awaited: Ints
) -> int:
    """Write the labels of a fragment's variables; return how many, or `MALFORMED`.

    `root` is the label it must have, or `ANY`.
    """
    awaited[0] = root
    top, count = 1, 0
    for k in range(len(symbols)):
        if top == 0 or top > len(symbols):
            return MALFORMED
        top -= 1
        label, symbol = awaited[top], symbols[k]
        if symbol == FRONTIER:
            variables[count] = label
            count += 1
            continue
        if not 0 < symbol < len(productions.ptr) - 1:
            return MALFORMED
        first, last = productions.ptr[symbol], productions.ptr[symbol + 1]
        if label != ANY and productions.item[first] != label:
            return MALFORMED
        for i in range(last - 1, first, -1):
            if productions.item[i] >= 0:
                awaited[top] = productions.item[i]
                top += 1
    return count if top == 0 else MALFORMED


@njit(nogil=True)
def target_variables(
    productions: Productions, rules: RuleColumns, rule: int, variables: Ints, awaited: Ints
) -> int:
    """Write the labels of a target's variables, `ANY` in a string; return how many."""
    symbols = rules.target_symbol[rules.target_ptr[rule] : rules.target_ptr[rule + 1]]
    root = rules.target_root[rule]
    if root >= 0:
        return int(spell_out(productions, symbols, root, variables, awaited))
    count = 0
    for k in range(len(symbols)):
        if symbols[k] == FRONTIER:
            variables[count] = ANY
            count += 1
        elif symbols[k] > 0:
            return MALFORMED
    return count if root == STRING_TARGET or len(symbols) == 0 else MALFORMED


@njit(nogil=True)
def find_variables(
    productions: Productions, rules: RuleColumns, strings: int
) -> tuple[Ints, Longs, Ints, Ints]:
    """Return the parts of `Variables`; the category of strings has number `strings`."""
    variables, awaited = workspace(productions, rules)
    linked = np.zeros(len(variables), dtype=np.bool_)
    num_rules = len(rules.target_root)
    category = np.full(len(rules.link), -1, dtype=np.int32)
    inserted_ptr = np.zeros(num_rules + 1, dtype=np.int64)
    inserted = np.empty(64, dtype=np.int32)
    inserted_category = np.empty(64, dtype=np.int32)
    filled = 0
    for rule in range(num_rules):
        count = target_variables(productions, rules, rule, variables, awaited)
        if rules.target_root[rule] == STRING_TARGET:
            variables[:count] = strings
        linked[:count] = False
        for k in range(rules.link_ptr[rule], rules.link_ptr[rule + 1]):
            if rules.link[k] >= 0:
                category[k] = variables[rules.link[k]]
                linked[rules.link[k]] = True
        inserted = room_for(inserted, filled + count)
        inserted_category = room_for(inserted_category, filled + count)
        for j in range(count):
            if not linked[j]:
                inserted[filled] = j
                inserted_category[filled] = variables[j]
                filled += 1
        inserted_ptr[rule + 1] = filled
    return category, inserted_ptr, inserted[:filled].copy(), inserted_category[:filled].copy()


@njit(nogil=True)
def find_plain(productions: Productions, rules: RuleColumns) -> tuple[Bools, Bools]:
    """Say for which productions there is a rule that copies, and one that deletes, just them."""
    copies = np.zeros(len(productions.ptr) - 1, dtype=np.bool_)
    deletions = np.zeros(len(productions.ptr) - 1, dtype=np.bool_)
    for rule in range(len(rules.target_root)):
        source = rules.source_symbol[rules.source_ptr[rule] : rules.source_ptr[rule + 1]]
        target = rules.target_symbol[rules.target_ptr[rule] : rules.target_ptr[rule + 1]]
        if len(source) == 0 or (source[1:] != FRONTIER).any():
            continue
        if rules.target_root[rule] == NO_TARGET:
            deletions[source[0]] = True
        elif (
            rules.target_root[rule] >= 0
            and len(target) == len(source)
            and target[0] == source[0]
            and is_straight(rules.link[rules.link_ptr[rule] : rules.link_ptr[rule + 1]])
        ):
            copies[source[0]] = True
    return copies, deletions


@njit(nogil=True)
def is_straight(links: Ints) -> bool:
    """Whether every variable is linked to the one in the same place."""
    return bool((links == np.arange(len(links))).all())


@njit(nogil=True)
def first_bad_rule(productions: Productions, rules: RuleColumns) -> int:
    """Return the first rule whose symbols or links do not make one, or the number of rules."""
    variables, awaited = workspace(productions, rules)
    linked = np.zeros(len(variables), dtype=np.bool_)
    num_rules = len(rules.target_root)
    for rule in range(num_rules):
        source = rules.source_symbol[rules.source_ptr[rule] : rules.source_ptr[rule + 1]]
        links = rules.link[rules.link_ptr[rule] : rules.link_ptr[rule + 1]]
        count = 0
        if len(source) > 0:
            count = spell_out(productions, source, ANY, variables, awaited)
            if source[0] == FRONTIER:
                return rule
        if count != len(links) or not is_target(rules, rule, len(source) > 0):
            return rule
        count = target_variables(productions, rules, rule, variables, awaited)
        if count == MALFORMED:
            return rule
        linked[:count] = False
        for k in range(len(links)):
            if links[k] < -1 or links[k] >= count or (links[k] >= 0 and linked[links[k]]):
                return rule
            linked[max(links[k], 0)] = linked[max(links[k], 0)] or links[k] >= 0
    return num_rules


@njit(nogil=True)
def first_bad_alignment(productions: Productions, rules: RuleColumns) -> int:
    """Return the first rule with links of words that it does not have, or the number of rules."""
    num_rules = len(rules.target_root)
    for rule in range(num_rules):
        links = rules.alignment[rules.alignment_ptr[rule] : rules.alignment_ptr[rule + 1]]
        if len(links) == 0:
            continue
        source = rules.source_symbol[rules.source_ptr[rule] : rules.source_ptr[rule + 1]]
        target = rules.target_symbol[rules.target_ptr[rule] : rules.target_ptr[rule + 1]]
        most, most2 = count_words(productions, source), count_words(productions, target)
        for k in range(len(links)):
            inside = 0 <= links[k, 0] < most and 0 <= links[k, 1] < most2
            if not (inside and rules.aligned[rule]):
                return rule
    return num_rules


@njit(nogil=True)
def count_words(productions: Productions, symbols: Ints) -> int:
    """Return how many words one side of a rule has."""
    count = 0
    for symbol in symbols:
        if symbol < 0 or (symbol > 0 and productions.item[productions.ptr[symbol] + 1] < 0):
            count += 1
    return count


@njit(nogil=True)
def is_target(rules: RuleColumns, rule: int, has_source: bool) -> bool:
    """Whether there is a target where one is needed: a rule without a source spells one out."""
    root, first, last = (
        rules.target_root[rule],
        rules.target_ptr[rule],
        rules.target_ptr[rule + 1],
    )
    if root >= 0 and first == last:
        return False
    if has_source:
        return True
    return bool(
        root == STRING_TARGET or (root != NO_TARGET and rules.target_symbol[first] != FRONTIER)
    )


@njit(nogil=True)
def hash_rules(rules: RuleColumns) -> NDArray[np.uint64]:
    """Return a number for each rule that is the same for the same rule, alignments aside."""
    found = np.empty(len(rules.target_root), dtype=np.uint64)
    for rule in range(len(found)):
        h = mix(np.uint64(0), rules.target_root[rule])
        for k in range(rules.source_ptr[rule], rules.source_ptr[rule + 1]):
            h = mix(h, rules.source_symbol[k])
        h = mix(h, SEPARATOR)
        for k in range(rules.target_ptr[rule], rules.target_ptr[rule + 1]):
            h = mix(h, rules.target_symbol[k])
        h = mix(h, SEPARATOR)
        for k in range(rules.link_ptr[rule], rules.link_ptr[rule + 1]):
            h = mix(h, rules.link[k])
        found[rule] = h
    return found
