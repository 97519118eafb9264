"""Forests split by which head words are kept: an algebra of one bit, for ties and for pairs.

Whether a node keeps its head word is all that the nodes around it need to know to obey a tie, or
to tell whether a word is kept together with its governor. A walk over gaps carries that bit as a
guess at what becomes of the head in the end, which the walk has to make true: so a gap on either
side of the head can be judged where it stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.forest import Algebra, refine
from treewright.pruning.forests import CompressionForest
from treewright.pruning.gaps import Gaps
from treewright.pruning.holding import fragment_places, kept_places
from treewright.transduction import EdgeKind
from treewright.trees import TreeTable

Bools = NDArray[np.bool_]
Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Small = NDArray[np.int8]

KEPT = 1
"""The lowest bit of a state: the head word is kept."""
END_BIT, FREE_BIT = 1, 2
"""The bit of the child that a gap ends in, and the first that rules may use."""
NEVER_KEPT = 0b1010
"""Combinations of the two bits in which the first is set: ruled out where the head is dropped."""
UNEQUAL = 0b0110
"""Combinations in which the two bits differ."""
EVERYTHING = 0b1111


class Tie(NamedTuple):
    """A child that stays if the head word of its parent does, and else goes.

    With `by_head` the child may go; but if it stays, its own head word is tied so.
    """

    parent: int
    child: int
    by_head: bool = False


class Heads(NamedTuple):
    """What the kernels of the algebra know of the edges and tails of a forest.

    A state's lowest bit is the head word's; tail `carrier` sets it, or without one (-1) the
    `constant`, or a guess where there are two `choices`. Higher bits remember other tails: tail
    slot `s` is stored as bit `remember[s]`, has to agree with bit `compare[s]`, or to be
    `wanted[s]` (-1: none of it). `closed` rules out combinations of the two lowest bits. Where no
    one asks for a node's bit, it is not `told`.
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
    nodes are split, else only those that ties ask for.
    """
    from treewright.pruning import _kernels

    weights = forest.weights if closed is None else np.where(closed, -np.inf, forest.weights)
    data = _Reader(forest, ties, everywhere=pairs).read()
    algebra = Algebra(
        data,
        start=_kernels.guess_head,
        step=_kernels.take_tail,
        finish=_kernels.tell_head,
        choices=_kernels.num_guesses,
    )
    refined = refine(forest.forest, algebra, weights, links=False)
    split = replace(
        forest,
        forest=refined.forest,
        weights=refined.weights,
        node_source=forest.node_source[refined.node],
        node_target=forest.node_target[refined.node],
    )
    if not pairs:
        return split
    return replace(split, pairs=_pairs(split, refined.state, refined.edge_states))


def _pairs(forest: CompressionForest, node_state: Longs, edge_state: Longs) -> Ints:
    """Return the token that each edge keeps together with its governor, -1 where there is none."""
    gaps, plain = forest.gaps, forest.forest
    pairs = np.full(plain.num_edges, -1, dtype=np.int32)
    edges = np.flatnonzero(forest.edges.gap >= 0)
    gap = forest.edges.gap[edges]
    last = node_state[plain.tail[plain.tail_ptr[edges + 1] - 1]]
    right = gaps.right[gap]
    paired = _ends_kept(gaps)[gap] & (right != forest.source.head_children[gaps.parent[gap]])
    paired &= (last == KEPT) & (edge_state[edges] == KEPT)
    heads = np.array(forest.source.semantic_heads, dtype=np.int32)
    pairs[edges[paired]] = heads[right[paired]]
    return pairs


def _ends_kept(gaps: Gaps) -> Bools:
    """Return which gaps end in a kept child."""
    ends: Bools = (gaps.right >= 0) & ~gaps.pauses
    return ends


@dataclass
class _Reader:
    """Says for every edge how its state comes from those of its tails, and what ties ask of it."""

    forest: CompressionForest
    ties: Sequence[Tie]
    everywhere: bool

    def read(self) -> Heads:
        """Return the data of the algebra."""
        forest = self.forest
        plain, source = forest.forest, forest.source
        self.edges, self.tails = plain.num_edges, plain.tail.size
        self.told, self.active = _told(source, self.ties, everywhere=self.everywhere)
        head_node = forest.node_source[plain.head]
        heads = Heads(
            plain.tail_ptr,
            np.ones(self.edges, np.int8),
            np.zeros(self.edges, np.int8),
            np.full(self.edges, -1, np.int32),
            np.zeros(self.edges, np.int8),
            # A node that inserts has no source node, and so no head word; walks carry a guess.
            (self.told[head_node] & (head_node >= 0)) | (forest.node_target[plain.head] == -2),
            np.full(self.tails, -1, np.int8),
            np.full(self.tails, -1, np.int8),
            np.full(self.tails, -1, np.int8),
        )
        self._read_copies(heads)
        self._read_gaps(heads)
        self._read_rules(heads)
        return heads

    def _read_copies(self, heads: Heads) -> None:
        source, edges = self.forest.source, self.forest.edges
        copies = np.flatnonzero(edges.kind == EdgeKind.COPY)
        nodes = edges.node[copies]
        head = source.head_children[nodes]
        heads.constant[copies[head < 0]] = KEPT
        place = np.zeros(len(source), dtype=np.int32)
        for children in source.children:
            place[children] = range(len(children))
        heads.carrier[copies[head >= 0]] = place[head[head >= 0]]

    def _read_gaps(self, heads: Heads) -> None:
        gaps, source = self.forest.gaps, self.forest.source
        of_gap = np.flatnonzero(self.forest.edges.gap >= 0)
        gap = self.forest.edges.gap[of_gap]
        asked = self.active[gaps.parent[gap]]
        of_gap, gap = of_gap[asked], gap[asked]
        going_on = gaps.left[gap] >= 0
        heads.carrier[of_gap[going_on]] = 0
        heads.choices[of_gap[~going_on]] = 2
        ends = _ends_kept(gaps)
        heads.remember[heads.tail_ptr[of_gap[ends[gap]] + 1] - 1] = END_BIT
        closed = _closed_gaps(source, gaps, self.ties)
        heads.closed[of_gap] = closed[gap]

    def _read_rules(self, heads: Heads) -> None:
        """Read what rules, and copies of productions, tell of heads and owe to ties."""
        forest = self.forest
        by_parent: dict[int, list[Tie]] = {}
        for tie in self.ties:
            by_parent.setdefault(tie.parent, []).append(tie)
        kinds = forest.edges.kind
        tied = np.isin(forest.edges.node, list(by_parent)) & (kinds == EdgeKind.COPY)
        edges = np.flatnonzero((kinds == EdgeKind.RULE) | tied)
        roots = forest.node_source[forest.forest.head[edges]].tolist()
        for edge, root in zip(edges.tolist(), roots, strict=True):
            if root >= 0:
                _RuleEdge(forest, edge, root, heads).read(by_parent, told=bool(heads.told[edge]))


def _told(source: TreeTable, ties: Iterable[Tie], *, everywhere: bool) -> tuple[Bools, Bools]:
    """Return the nodes whose head word someone asks about, and those whose walks have to guess."""
    told = np.full(len(source), everywhere, dtype=np.bool_)
    active = told.copy()
    for tie in () if everywhere else ties:
        active[tie.parent] = True
        for top in (tie.parent, tie.child) if tie.by_head else (tie.parent,):
            told[top] |= top != tie.parent
            below = int(source.head_children[top])
            while below >= 0:
                told[below] = True
                below = int(source.head_children[below])
    return told, active | told


def _closed_gaps(source: TreeTable, gaps: Gaps, ties: Iterable[Tie]) -> Small:
    """Return which combinations each gap rules out, by the bits of its node and its right end."""
    head = source.head_children[gaps.parent]
    ends = _ends_kept(gaps)
    drops_head = (gaps.first >= 0) & (gaps.first <= head) & (head <= gaps.last)
    closed = np.where(drops_head, NEVER_KEPT, 0) | np.where(ends & (gaps.right == head), UNEQUAL, 0)
    for tie in ties:
        own = slice(gaps.pointer[tie.parent], gaps.pointer[tie.parent + 1])
        first, last = gaps.first[own], gaps.last[own]
        kept = ends[own] & (gaps.right[own] == tie.child)
        if tie.by_head:
            closed[own] |= np.where(kept, UNEQUAL, 0)
        else:
            dropped = (first >= 0) & (first <= tie.child) & (tie.child <= last)
            closed[own] |= np.where(dropped, NEVER_KEPT, 0)
            closed[own] |= np.where(kept, EVERYTHING ^ NEVER_KEPT, 0)
    return closed.astype(np.int8)


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
        """Write what the edge tells of its head, and what the ties within the fragment ask."""
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
            below = int(self.source.head_children[place])
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
        """Ask a tail, or without one what is certain, to be as wanted; a clash closes the edge."""
        slot = self.heads.tail_ptr[self.edge] + tail
        clash = constant != wanted if tail < 0 else self.heads.wanted[slot] == 1 - wanted
        if clash:
            self.heads.closed[self.edge] = EVERYTHING
        elif tail >= 0:
            self.heads.wanted[slot] = wanted

    def _ask_equal(self, one: int, other: int) -> None:
        """Ask two tails to be alike: the first is remembered, the second compared with it."""
        first, last = self.heads.tail_ptr[self.edge : self.edge + 2].tolist()
        remember, compare = self.heads.remember[first:last], self.heads.compare[first:last]
        one, other = sorted((one, other))
        # A tail that is compared with another already is like that one.
        while one != other and compare[other] >= 0:
            before = int(np.flatnonzero(remember == compare[other])[0])
            one, other = sorted((one, before))
        if one != other:
            if remember[one] < 0:
                remember[one] = max(FREE_BIT, int(remember.max()) + 1)
            compare[other] = remember[one]
