"""Kernels of guards: which gaps of a tree break one."""

from __future__ import annotations

import numpy as np

from treewright.compiling import njit
from treewright.pruning.gaps import Gaps
from treewright.trees import TreeArrays

OTHER, CONJUNCTION, CONJUNCTIONS, COMMA, MARK = range(5)
"""Kinds of nodes: what is neither, `and`, phrases like `as well as`, commas, other punctuation."""
VERBAL, CLAUSE, PREPOSITIONAL, ADVERBIAL, SUBORDINATE, NOMINAL = range(6)
"""Some of the categories of nodes that can be joined to their like. No verb is joined to one of
three: there, the comma is that of an aside.
"""


@njit(nogil=True)
def parting_gaps(gaps, tree, kind, category, late):
    """Return which gaps part what a conjunction joins, or the two commas around an aside.

    Nodes of one `category` can be joined to each other; one that is `late` holds the conjunction
    that joins it to those before it.
    """
    tree, gaps = TreeArrays(*tree), Gaps(*gaps)
    parting = np.zeros(len(gaps.parent), dtype=np.bool_)
    for g in range(len(parting)):
        first, last = gaps.first[g], gaps.last[g]
        if first < 0:
            continue
        left, right = gaps.left[g], gaps.right[g]
        is_last = right < 0 or (kind[right] == MARK and tree.end[right] == tree.end[gaps.parent[g]])
        if is_last and left >= 0 and (drops_joint(tree, kind, first, last) or late[last]):
            end = without_comma(tree, kind, left)
            parting[g] = is_listed(tree, kind, category, end)
            parting[g] |= ends_in_list(tree, kind, category, end)
        if right < 0:
            parting[g] |= left >= 0 and joins(kind[left])
        elif not gaps.pauses[g]:
            if left < 0:
                parting[g] = joins(kind[right])
            elif kind[left] <= COMMA and kind[right] < COMMA:
                parting[g] |= drops_joint(tree, kind, first, last)
                parting[g] |= drops_both_commas(tree, kind, category, left, first, last, right)
            if left >= 0 and kind[left] == COMMA and kind[right] == CONJUNCTION:
                # `a cat, a dog or a bird` does not become `a cat, or a bird`.
                parting[g] |= kind[last] == OTHER and category[last] == NOMINAL
            if left >= 0 and joins(kind[right]) and gaps.resumes[g] == 0:
                joined = tree.end[right]
                parting[g] |= (
                    joined < tree.end[gaps.parent[g]]
                    and category[last] == category[joined]
                    and category[left] != category[last]
                    and kind[left] == OTHER
                )
    for x in range(len(kind)):
        part_commas(parting, gaps, tree, kind, x)
    return parting


@njit(nogil=True, borrows=True)
def drops_joint(tree, kind, first, last):
    """Whether a conjunction is among the siblings from `first` to `last`."""
    child = first
    while child <= last:
        if joins(kind[child]):
            return True
        child = tree.end[child]
    return False


@njit(nogil=True, borrows=True)
def drops_both_commas(tree, kind, category, left, first, last, right):
    """Whether a member of a list goes with the commas on both sides, from between two others: one
    of verbs in a predicate, or of three that are alike.
    """
    if kind[first] != COMMA or kind[last] != COMMA or first == last or kind[right] != OTHER:
        return False
    own = category[tree.end[first]]
    if own != category[right]:
        return False
    return own == category[left] or own == category[tree.parent[first]] == VERBAL


@njit(nogil=True, borrows=True)
def without_comma(tree, kind, x):
    """Return `x`, or the sibling before it if `x` is a comma: it goes where nothing follows it."""
    child = tree.parent[x] + 1
    while kind[x] == COMMA and child < x:
        if tree.end[child] == x:
            return child
        child = tree.end[child]
    return x


@njit(nogil=True, borrows=True)
def is_listed(tree, kind, category, x):
    """Whether a comma joins the stretch of siblings up to `x`, or a node that begins with `x`, to
    what stands before: a verb to anything, anything else to its like.
    """
    parent = tree.parent[x]
    while parent >= 0:
        first, content, before, start = -1, -1, -1, -1
        child = parent + 1
        while child <= x:
            if kind[child] == COMMA:
                before, start = content, -1
            elif kind[child] == OTHER:
                content = child
                first = child if first < 0 else first
                start = child if start < 0 else start
            child = tree.end[child]
        if before >= 0 and start >= 0:
            if category[start] == VERBAL:
                return category[before] < PREPOSITIONAL or category[before] > SUBORDINATE
            return category[start] == category[before]
        if first != x or category[parent] != category[x]:
            return False
        x, parent = parent, tree.parent[parent]
    return False


@njit(nogil=True, borrows=True)
def ends_in_list(tree, kind, category, x):
    """Whether the last two of several verbs or clauses in `x` are joined by a comma alone."""
    while tree.end[x] > x + 1:
        before, last = -1, -1
        is_joined = False
        child = x + 1
        while child < tree.end[x]:
            if kind[child] == OTHER:
                before, last = last, child
            is_joined |= joins(kind[child])
            child = tree.end[child]
        if before >= 0 and not is_joined and category[before] == category[last]:
            parted = kind[tree.end[before]] == COMMA
            if parted and category[last] in (VERBAL, CLAUSE):
                return True
        if last < 0:
            return False
        x = last
    return False


@njit(nogil=True, borrows=True)
def joins(kind):
    """Whether a node joins others."""
    return kind in (CONJUNCTION, CONJUNCTIONS)


@njit(nogil=True, borrows=True)
def part_commas(parting, gaps, tree, kind, x):
    """Mark the gaps of `x` that leave one of its two commas, with one phrase between them."""
    commas = 0
    before, behind = -1, -1
    child = x + 1
    while child < tree.end[x]:
        if kind[child] == CONJUNCTION:
            return
        if kind[child] == COMMA:
            commas += 1
            before, behind = behind, child
        child = tree.end[child]
    if commas != 2 or tree.place[behind] - tree.place[before] != 2:
        return
    aside = tree.end[before]
    for g in range(gaps.pointer[x], gaps.pointer[x + 1]):
        first, last = gaps.first[g], gaps.last[g]
        if first >= 0 and (
            (gaps.right[g] == aside and first <= before <= last)
            or (gaps.left[g] == aside and first <= behind <= last)
        ):
            parting[g] = True


@njit(nogil=True)
def clashing_gaps(gaps, tree, wanted, sound):
    """Return which gaps bring an article before a word of the other `sound`.

    `wanted` is the sound that the article before a token wants, -1 where there is none.
    """
    tree, gaps = TreeArrays(*tree), Gaps(*gaps)
    clashing = np.zeros(len(gaps.parent), dtype=np.bool_)
    for g in range(len(clashing)):
        first, right = gaps.first[g], gaps.right[g]
        if first >= 0 and right >= 0 and not gaps.pauses[g]:
            asked = wanted[tree.left[first]]
            clashing[g] = asked >= 0 and sound[tree.left[right]] != asked
    return clashing
