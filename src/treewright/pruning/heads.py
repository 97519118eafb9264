"""Forests split by which head words are kept: an algebra of one bit, for ties and for pairs.

The nodes around a node need to know only whether it keeps its head word, to obey a tie or to
recognise whether a word is kept together with its governor. A walk over gaps carries that bit as a
guess at what becomes of the head in the end, which the walk must make true: so a gap on either side
of the head can be judged locally.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.forest import Algebra, refine
from treewright.pruning.forests import CompressionForest
from treewright.pruning.holding import fragment_places, kept_places
from treewright.transduction import EdgeKind
from treewright.trees import TreeTable

Bools = NDArray[np.bool_]
Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Small = NDArray[np.int8]

FREE_BIT = 2
"""The first bit that rules may use: below it are those of the head and of the end of a gap."""
EVERYTHING = 0b1111
"""All combinations of the two lowest bits."""


class Tie(NamedTuple):
    """A child that stays exactly if the head word of its parent does.

    With `by_head` the child may be dropped; but if it stays, its own head word is tied in this way.
    """

    parent: int
    child: int
    by_head: bool = False


class Heads(NamedTuple):
    """What the kernels of the algebra know about the edges and tails of a forest.

    A state's lowest bit is that of the head word; tail `carrier` sets it, or without one (-1) the
    `constant`, or a guess if there are two `choices`. Higher bits remember other tails: tail slot
    `s` is stored as bit `remember[s]`, must agree with bit `compare[s]`, or must be `wanted[s]`
    (-1: none of these). `closed` rules out combinations of the two lowest bits. If nothing asks for
    a node's bit, it is not `told`.
    """

    tail_ptr: Longs
    choices: Small
    constant: Small
    carrier: Ints
    closed: Small
    told: Bools
    wanted: Small
    remember: Small
    compare: Small


def split_by_heads(
    forest: CompressionForest,
    ties: Sequence[Tie] = (),
    *,
    closed: Bools | None = None,
    pairs: bool = False,
) -> CompressionForest:
    """Return the derivations that obey all ties and use no closed edge, without dead ends.

    With `pairs`, the result knows which edges keep a word together with its governor; for that all
    nodes are split, otherwise only those that ties need.
    """
    from treewright.pruning import _kernels

    weights = forest.weights if closed is None else np.where(closed, -np.inf, forest.weights)
    data = _read(forest, ties, everywhere=pairs)
    algebra = Algebra(
        data,
        start=_kernels.guess_head,
        step=_kernels.take_tail,
        finish=_kernels.tell_head,
        choices=_kernels.num_guesses,
    )
    refined = refine(forest.forest, algebra, weights, links=False)
    pairs_kept = None
    if pairs:
        pairs_kept = _kernels.find_pairs(
            refined.forest.tail_ptr,
            refined.forest.tail,
            refined.forest.label,
            forest.labels.first_gap,
            forest.gaps[:],
            forest.source.arrays[:],
            refined.state,
            refined.edge_states,
        )
    return forest.carried_to(refined.forest, refined.node, refined.origin, pairs=pairs_kept)


def _read(forest: CompressionForest, ties: Sequence[Tie], *, everywhere: bool) -> Heads:
    """Say for every edge how its state follows from those of its tails, and what ties require of
    it.
    """
    from treewright.pruning import _kernels

    plain, edges = forest.forest, forest.edges
    size, tails = plain.num_edges, plain.tail.size
    told, active = _told(forest.source, ties, everywhere=everywhere)
    heads = Heads(
        plain.tail_ptr,
        np.ones(size, np.int8),
        np.zeros(size, np.int8),
        np.full(size, -1, np.int32),
        np.zeros(size, np.int8),
        np.zeros(size, np.bool_),
        np.full(tails, -1, np.int8),
        np.full(tails, -1, np.int8),
        np.full(tails, -1, np.int8),
    )
    stands_for = _kernels.StandsFor(edges, plain.head, forest.node_source, forest.node_target)
    tree, listed = forest.source.arrays, np.array(ties, dtype=np.int32).reshape(-1, 3)
    _kernels.read_heads(heads, stands_for, tree[:], forest.gaps[:], listed, told, active)
    _read_rules(forest, ties, heads)
    return heads


def _read_rules(forest: CompressionForest, ties: Sequence[Tie], heads: Heads) -> None:
    """Read what rules, and copies of several children, say about heads and owe to ties."""
    if not len(forest.grammar) and len(forest.gaps.parent):
        # Beside gaps, only what has one child at most is copied.
        return
    by_parent: dict[int, list[Tie]] = {}
    for tie in ties:
        by_parent.setdefault(tie.parent, []).append(tie)
    kinds = forest.edges.kind
    wanted = kinds == EdgeKind.RULE if len(forest.grammar) else np.zeros(len(kinds), np.bool_)
    copies = np.flatnonzero(kinds == EdgeKind.COPY)
    of_node = zip(copies.tolist(), forest.edges.node[copies].tolist(), strict=True)
    wanted[[edge for edge, node in of_node if node in by_parent]] = True
    edges = np.flatnonzero(wanted)
    roots = forest.node_source[forest.forest.head[edges]].tolist()
    for edge, root in zip(edges.tolist(), roots, strict=True):
        if root >= 0:
            _RuleEdge(forest, edge, root, heads).read(by_parent, told=bool(heads.told[edge]))


def _told(source: TreeTable, ties: Iterable[Tie], *, everywhere: bool) -> tuple[Bools, Bools]:
    """Return the nodes whose head word something asks about, and those whose walks must guess."""
    told = np.full(len(source), everywhere, dtype=np.bool_)
    active = told.copy()
    for tie in () if everywhere else ties:
        active[tie.parent] = True
        for top in (tie.parent, tie.child) if tie.by_head else (tie.parent,):
            told[top] |= top != tie.parent
            below = source.head_children[top]
            while below >= 0:
                told[below] = True
                below = source.head_children[below]
    return told, active | told


class _RuleEdge:
    """A rule or a copy where it matches: which tail, or whether it itself, keeps a head word."""

    def __init__(self, forest: CompressionForest, edge: int, root: int, heads: Heads) -> None:
        self.source = forest.source
        self.edge, self.root, self.heads = edge, root, heads
        number = int(forest.edges.rule[edge])
        frontier = self.source.children[root]
        self.is_kept = dict.fromkeys((root, *frontier), True)
        if number >= 0:
            self.is_kept = kept_places(forest, number, root)
            fragment = fragment_places(forest.grammar.rules[number], root, self.source)
            frontier = [place for place, node in fragment if node.is_frontier]
        self.tail_of = {place: tail for tail, place in enumerate(frontier)}

    def read(self, ties: dict[int, list[Tie]], *, told: bool) -> None:
        """Write what the edge says about its head, and what the ties within the fragment
        require.
        """
        if told:
            tail, constant = self._head(self.root)
            self.heads.carrier[self.edge], self.heads.constant[self.edge] = tail, constant
        for place, kept in self.is_kept.items():
            if kept and place not in self.tail_of:
                for tie in ties.get(place, ()):
                    self._obey(tie)

    def _head(self, place: int) -> tuple[int, int]:
        """Return the tail that has the head word of a node, or -1 and whether that is kept."""
        while place not in self.tail_of:
            below = self.source.head_children[place]
            if below < 0:
                return -1, int(self.is_kept[place])
            place = below
        return self.tail_of[place], 0

    def _obey(self, tie: Tie) -> None:
        tail, constant = self._head(tie.parent)
        kept = self.is_kept[tie.child]
        if not tie.by_head:
            self._ask(tail, constant, int(kept))
        elif kept:
            other, second = self._head(tie.child)
            if tail >= 0 and other >= 0:
                self._ask_equal(tail, other)
            elif other >= 0:
                self._ask(other, second, constant)
            else:
                self._ask(tail, constant, second)

    def _ask(self, tail: int, constant: int, wanted: int) -> None:
        """Require a tail, or without one what is certain, to be as wanted; a clash
        closes the edge.
        """
        slot = self.heads.tail_ptr[self.edge] + tail
        clash = constant != wanted if tail < 0 else self.heads.wanted[slot] == 1 - wanted
        if clash:
            self.heads.closed[self.edge] = EVERYTHING
        elif tail >= 0:
            self.heads.wanted[slot] = wanted

    def _ask_equal(self, one: int, other: int) -> None:
        """Require two tails to be alike: the first is remembered, the second compared with it."""
        first, last = self.heads.tail_ptr[self.edge : self.edge + 2].tolist()
        remember, compare = self.heads.remember[first:last], self.heads.compare[first:last]
        one, other = sorted((one, other))
        # A tail that is already compared with another is like that one.
        while one != other and compare[other] >= 0:
            before = int(np.flatnonzero(remember == compare[other])[0])
            one, other = sorted((one, before))
        if one != other:
            if remember[one] < 0:
                remember[one] = max(FREE_BIT, int(remember.max()) + 1)
            compare[other] = remember[one]
