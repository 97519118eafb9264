"""Kernels for prunings: the gaps of a tree, and forests with walks over them."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.compiling import njit
from treewright.pruning.gaps import Gaps
from treewright.transduction import EdgeColumns, EdgeKind
from treewright.transduction._growth_kernels import add_edge, begin, reserve_edges
from treewright.transduction._kernels import add_own, add_rules, finish
from treewright.trees import TreeArrays

WALK = -2
"""The target of a forest node inside a walk over gaps."""
MOST_NEEDS = 6
"""How many needs a state has bits for (see `needing.Needs`)."""
ALL_NEEDS = (1 << MOST_NEEDS) - 1


@njit(nogil=True)
def list_gaps(end, longest):
    """List the gaps of every node, ordered by their right ends; see `Gaps` for the columns."""
    size = len(end)
    pointer = np.zeros(size + 1, dtype=np.int64)
    rows = np.empty((4 * size + 16, 7), dtype=np.int32)
    count = 0
    children = np.empty(size, dtype=np.int32)
    for x in range(size):
        number = 0
        child = x + 1
        while child < end[x]:
            children[number] = child
            number += 1
            child = end[child]
        if number < 2:
            number = -1
        for j in range(number + 1):
            right = children[j] if j < number else -1
            for i in range(max(-1, j - 1 - longest), j):
                for resumes in range(3 if i >= longest - 1 else 1):
                    for pauses in range(2):
                        dropped = j - 1 - i + pauses
                        if pauses and (j == number or dropped != longest):
                            continue
                        # A block continues with at least one more child: one run, one walk.
                        if resumes and dropped == 0:
                            continue
                        if j == number and (i < 0 or resumes == 2):
                            continue
                        rows = room_for_rows(rows, count + 1)
                        row = rows[count]
                        row[0] = x
                        row[1] = children[i] if i >= 0 else -1
                        row[2] = right
                        row[3] = children[i + 1] if dropped else -1
                        row[4] = children[i + dropped] if dropped else -1
                        row[5] = resumes
                        row[6] = pauses
                        count += 1
        pointer[x + 1] = count
    rows = rows[:count]
    return (
        pointer,
        rows[:, 0].copy(),
        rows[:, 1].copy(),
        rows[:, 2].copy(),
        rows[:, 3].copy(),
        rows[:, 4].copy(),
        rows[:, 5].copy(),
        rows[:, 6] > 0,
    )


@njit(nogil=True)
def room_for_rows(rows, count):
    """Return `rows`, or a copy twice as long if it has fewer than `count`."""
    if count <= len(rows):
        return rows
    longer = np.empty((2 * len(rows), rows.shape[1]), dtype=rows.dtype)
    longer[: len(rows)] = rows
    return longer


@njit(nogil=True)
def price_steps(end, odds, bound):
    """Return what `StepPruning.steps` returns, and running sums over what goes after what is gone.

    `odds` are those of all children that have siblings, two each, parents in preorder.
    """
    size = len(end)
    steps = np.zeros((size, 4))
    closing = np.zeros(size)
    sums = np.zeros(size)
    total = 0.0
    row = 0
    for x in range(size):
        if x + 1 == end[x] or end[x + 1] == end[x]:
            continue
        none_kept = 0.0
        child = x + 1
        while child < end[x]:
            for after in range(2):
                drop = min(max(odds[2 * row + after], -bound), bound)
                steps[child, 2 * after] = -log_of_one_more(drop)
                steps[child, 2 * after + 1] = -log_of_one_more(-drop)
            total += steps[child, 3]
            sums[child] = total
            none_kept += steps[child, 1 if child == x + 1 else 3]
            row += 1
            child = end[child]
        closing[x] = -math.log(-math.expm1(none_kept))
    return steps, closing, sums


@njit(nogil=True, inline="always")
def log_of_one_more(x):
    """Return log(1 + exp(x))."""
    return x + math.log1p(math.exp(-x)) if x > 0.0 else math.log1p(math.exp(x))


@njit(nogil=True)
def price_gaps(end, odds, bound, gaps):
    """Return the sum of the steps of each gap, and of what renormalising adds where it closes."""
    gaps = Gaps(*gaps)
    steps, closing, sums = price_steps(end, odds, bound)
    prices = np.zeros(len(gaps.parent))
    for g in range(len(prices)):
        first, last, right = gaps.first[g], gaps.last[g], gaps.right[g]
        if first >= 0:
            prices[g] = steps[first, 3 if gaps.resumes[g] else 1] + sums[last] - sums[first]
        if right < 0:
            prices[g] += closing[gaps.parent[g]]
        elif not gaps.pauses[g]:
            prices[g] += steps[right, 2 if first >= 0 else 0]
    return prices


@njit(nogil=True, borrows=True)
def add_gaps(growth, tree, gaps, first_gap, x, node_of, state_of):
    """Add the derivations that keep at least one child of `x`; there is room for them.

    `state_of[child]` holds the forest nodes that derive the children of `x` up to `child`: kept,
    dropped at the end of a block after something kept, or after nothing.
    """
    label, end = tree.label, tree.end
    for g in range(gaps.pointer[x], gaps.pointer[x + 1]):
        left, right = gaps.left[g], gaps.right[g]
        arity = 0
        complete = True
        if left >= 0:
            growth.tail[growth.size[2]] = state_of[left, gaps.resumes[g]]
            complete = state_of[left, gaps.resumes[g]] >= 0
            arity = 1
        child = gaps.first[g]
        while child >= 0:
            growth.tail[growth.size[2] + arity] = node_of[child, -1]
            complete = complete and node_of[child, -1] >= 0
            arity += 1
            child = end[child] if child != gaps.last[g] else -1
        if right >= 0 and not gaps.pauses[g]:
            growth.tail[growth.size[2] + arity] = node_of[right, label[right]]
            complete = complete and node_of[right, label[right]] >= 0
            arity += 1
        if not complete:
            continue
        number = first_gap + g
        if right < 0:
            add_edge(growth, arity, number, node_of[x], label[x], x, label[x])
        else:
            column = 0
            if gaps.pauses[g]:
                column = 2 if left < 0 or gaps.resumes[g] == 2 else 1
            add_edge(growth, arity, number, state_of[right], column, x, WALK)


@njit(nogil=True, borrows=True)
def num_children(end, x):
    """Return how many children a node has."""
    number = 0
    child = x + 1
    while child < end[x]:
        number += 1
        child = end[child]
    return number


@njit(nogil=True)
def generate_prunings(chart, own, gaps, rule_weights):
    """Build the forest of all target trees of one source tree, any children of which may be
    dropped.

    This is like `generate`, with walks over gaps besides rules: gap `g` of a tree of n nodes is
    labelled `own.first_label + 2 * n + g`. Where deletions are not priced as a `whole`, a walk
    weighs as much as the copy of the node besides.
    """
    gaps = Gaps(*gaps)
    tree = chart.tree
    size = len(tree.label)
    node_of = np.full((size, chart.categories + 1), -1, dtype=np.int32)
    state_of = np.full((size, 3), -1, dtype=np.int32)
    growth = begin(size, chart.insertions)
    first_gap = own.first_label + 2 * size
    has_rules = len(chart.trie.fragment_rule) > 0
    for x in range(size - 1, -1, -1):
        number, children = gaps.pointer[x + 1] - gaps.pointer[x], num_children(tree.end, x)
        # Room for all of them at once, so that what fills it need not return it.
        growth = reserve_edges(growth, number + 2, (number + 2) * (children + 1))
        add_gaps(growth, tree, gaps, first_gap, x, node_of, state_of)
        if has_rules:
            growth = add_rules(growth, chart, x, node_of, -1)
            growth = reserve_edges(growth, 2, 2 * children)
        add_own(growth, tree, own, x, node_of)
    weights = own.weights.copy()
    for g in range(len(gaps.parent)):
        if gaps.right[g] < 0 and not own.whole:
            weights[2 * size + g] += weights[2 * gaps.parent[g]]
    return finish(growth, node_of[0], tree.label[0], rule_weights, weights)


COPY = EdgeKind.COPY


class StandsFor(NamedTuple):
    """What the edges and nodes of a forest stand for."""

    edges: EdgeColumns
    head: NDArray[np.int32]
    node_source: NDArray[np.int32]
    node_target: NDArray[np.int32]


HEAD_KEPT = 0b1010
"""Combinations of a head's bit and that of a gap's right end in which the first is set."""
HEAD_DROPPED = 0b0101
UNEQUAL = 0b0110
END_BIT = 1


@njit(nogil=True)
def closed_gaps(gaps, head_child, ties):
    """Return which combinations each gap rules out, by the bits of its node and its right end."""
    closed = np.zeros(len(gaps.parent), dtype=np.int8)
    for g in range(len(closed)):
        head = head_child[gaps.parent[g]]
        if gaps.first[g] >= 0 and gaps.first[g] <= head <= gaps.last[g]:
            closed[g] |= HEAD_KEPT
        if gaps.right[g] == head and head >= 0 and not gaps.pauses[g]:
            closed[g] |= UNEQUAL
    for k in range(len(ties)):
        parent, child, by_head = ties[k, 0], ties[k, 1], ties[k, 2]
        for g in range(gaps.pointer[parent], gaps.pointer[parent + 1]):
            kept = gaps.right[g] == child and not gaps.pauses[g]
            if by_head:
                if kept:
                    closed[g] |= UNEQUAL
            elif kept:
                closed[g] |= HEAD_DROPPED
            elif gaps.first[g] >= 0 and gaps.first[g] <= child <= gaps.last[g]:
                closed[g] |= HEAD_KEPT
    return closed


@njit(nogil=True)
def read_heads(heads, forest, tree, gaps, ties, told, active):
    """Fill in `heads` (see `heads.Heads`) for all edges but those of rules."""
    tree, gaps = TreeArrays(*tree), Gaps(*gaps)
    closed = closed_gaps(gaps, tree.head_child, ties)
    tied = np.zeros(len(tree.end), dtype=np.bool_)
    for k in range(len(ties)):
        tied[ties[k, 0]] |= not ties[k, 2]
    for edge in range(len(forest.head)):
        node = forest.head[edge]
        x = forest.node_source[node]
        # Walks carry a guess; a node that inserts has no source node, and so no head word.
        heads.told[edge] = forest.node_target[node] == WALK or (x >= 0 and told[x])
        g = forest.edges.gap[edge]
        if forest.edges.kind[edge] == COPY:
            child = tree.head_child[forest.edges.node[edge]]
            if child < 0:
                heads.constant[edge] = 1
            else:
                heads.carrier[edge] = tree.place[child]
                if tied[forest.edges.node[edge]]:
                    heads.wanted[heads.tail_ptr[edge] + tree.place[child]] = 1
        elif g >= 0 and active[gaps.parent[g]]:
            heads.closed[edge] = closed[g]
            if gaps.left[g] >= 0:
                heads.carrier[edge] = 0
            else:
                heads.choices[edge] = 2
            if gaps.right[g] >= 0 and not gaps.pauses[g]:
                heads.remember[heads.tail_ptr[edge + 1] - 1] = END_BIT


@njit(nogil=True)
def find_pairs(tail_ptr, tail, label, first_gap, gaps, tree, node_state, edge_state):
    """Return the token that each edge keeps together with its governor, -1 if there is none."""
    tree, gaps = TreeArrays(*tree), Gaps(*gaps)
    pairs = np.full(len(label), -1, dtype=np.int32)
    for edge in range(len(label)):
        g = label[edge] - first_gap
        if g < 0 or gaps.right[g] < 0 or gaps.pauses[g] or edge_state[edge] != 1:
            continue
        right = gaps.right[g]
        ends_in = tail[tail_ptr[edge + 1] - 1]
        if right != tree.head_child[gaps.parent[g]] and node_state[ends_in] == 1:
            pairs[edge] = tree.head[right]
    return pairs


@njit(nogil=True)
def sum_pairs(pairs, uses, size):
    """Return the sum of `uses` over the edges that keep each token with its governor."""
    together = np.zeros(size)
    for edge in range(len(pairs)):
        if pairs[edge] >= 0:
            together[pairs[edge]] += uses[edge]
    return together


@njit(nogil=True)
def add_pairs(weights, pairs, worth):
    """Add to the weight of each edge what the pair that it keeps is worth."""
    for edge in range(len(pairs)):
        if pairs[edge] >= 0:
            weights[edge] += worth[pairs[edge]]


@njit(nogil=True)
def dropping_gaps(gaps, end, held):
    """Return which gaps drop a held child."""
    gaps = Gaps(*gaps)
    dropping = np.zeros(len(gaps.parent), dtype=np.bool_)
    for g in range(len(dropping)):
        child = gaps.first[g]
        while child >= 0 and child <= gaps.last[g]:
            dropping[g] |= held[child]
            child = end[child]
    return dropping


@njit(nogil=True)
def sum_dropped(gaps, end, values):
    """Return the sum of the values of all nodes that each gap drops.

    Where a value is not a number, neither is the sum.
    """
    gaps = Gaps(*gaps)
    sums = np.zeros(len(gaps.parent))
    for g in range(len(sums)):
        child = gaps.first[g]
        while child >= 0:
            sums[g] += values[child]
            child = end[child] if child != gaps.last[g] else -1
    return sums


@njit(nogil=True, borrows=True, forceinline=True)
def num_guesses(data, edge):
    """Return how many guesses at the head word an edge makes (see `heads.Heads`)."""
    return data.choices[edge]


@njit(nogil=True, borrows=True, forceinline=True)
def guess_head(data, edge, choice):
    """Return the state of an edge before its tails: a guess, or what is certain."""
    return choice if data.choices[edge] > 1 else data.constant[edge]


@njit(nogil=True, borrows=True, forceinline=True)
def take_tail(data, edge, position, state, tail_state):
    """Return the state after a tail, -1 if the tail is not as required."""
    slot = data.tail_ptr[edge] + position
    if data.wanted[slot] >= 0 and data.wanted[slot] != tail_state:
        return -1
    if data.compare[slot] >= 0 and (state >> data.compare[slot]) & 1 != tail_state:
        return -1
    if data.remember[slot] >= 0:
        state |= tail_state << data.remember[slot]
    if position == data.carrier[edge]:
        state |= tail_state
    return state


@njit(nogil=True, borrows=True, forceinline=True)
def tell_head(data, edge, state):
    """Return whether the head word is kept, -1 if the edge rules that out."""
    if (data.closed[edge] >> (state & 3)) & 1:
        return -1
    return state & 1 if data.told[edge] else 0


@njit(nogil=True, borrows=True, forceinline=True)
def own_needs(data, edge, choice):
    """Return the needs that the words of an edge have or meet (see `needing.Needs`)."""
    return data.own[edge]


@njit(nogil=True, borrows=True, forceinline=True)
def join_needs(data, edge, position, state, tail_state):
    """Return the needs that an edge and its tails have or meet."""
    return state | tail_state


@njit(nogil=True, borrows=True, forceinline=True)
def settle_needs(data, edge, state):
    """Return the needs that matter beyond an edge, -1 if one can no longer be met."""
    met = state >> MOST_NEEDS
    unmet = state & ~met & ALL_NEEDS
    if unmet & data.wanted[edge]:
        return -1
    # Where nothing wanting comes any more, nobody asks for what is wanted.
    return unmet | (met & ~data.wanting[edge]) << MOST_NEEDS
