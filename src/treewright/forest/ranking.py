"""Lazy k-best search: algorithm 3 of Huang and Chiang, "Better k-best parsing" (IWPT 2005)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import NamedTuple

from numpy.typing import ArrayLike

from treewright.forest import _kernels
from treewright.forest.arrays import Floats, Ints, checked_weights
from treewright.forest.derivation import Derivation
from treewright.forest.hypergraph import Forest


def kbest(forest: Forest, weights: ArrayLike) -> Iterator[tuple[float, Derivation]]:
    """Yield every derivation of the root once, by descending score, and its score.

    Lazy: after O(N + E + T) for the first, each further one costs O(depth · arity · log k). Equal
    scores come in a fixed order: at each node by edge, then by the ranks of the tails. The first
    is that of `viterbi`, the scores are those of `Derivation.score`, and -inf is never yielded.
    """
    weights = checked_weights(weights, forest.num_edges)
    best, best_edge = _kernels.viterbi(forest.node_ptr, forest.tail_ptr, forest.tail, weights)
    return _ranked(_Ranking(forest, weights.copy(), best, best_edge))


def _ranked(ranking: _Ranking) -> Iterator[tuple[float, Derivation]]:
    root, rank = ranking.forest.root, 0
    while ranking.has(root, rank):
        yield -ranking.nodes[root].found[rank].cost, ranking.derivation(root, rank)
        rank += 1


class _Candidate(NamedTuple):
    """A derivation of a node: an edge and the rank of the derivation that each tail takes.

    Ordered by cost (minus the score), then edge, then ranks: the order of the result.
    """

    cost: float
    edge: int
    ranks: tuple[int, ...]


@dataclass(slots=True)
class _Node:
    """What is known about a node: the derivations ranked so far, and candidates for the
    next rank.
    """

    found: list[_Candidate]
    built: list[Derivation]
    rivals: list[_Candidate] | None = None
    exhausted: bool = False


class _Ranking:
    """The ranked derivations of every node, found on demand."""

    def __init__(self, forest: Forest, weights: Floats, best: Floats, best_edge: Ints) -> None:
        self.forest = forest
        self.weights = weights
        self.best = best
        self.best_edge = best_edge
        self.nodes: dict[int, _Node] = {}

    def node(self, number: int) -> _Node:
        """Return the state of a node; the best derivation is known from the start."""
        node = self.nodes.get(number)
        if node is None:
            node = self.nodes[number] = _Node([], [])
            edge = int(self.best_edge[number])
            if edge < 0:
                node.exhausted = True
            else:
                ranks = (0,) * len(self.forest.tails(edge))
                node.found.append(_Candidate(-float(self.best[number]), edge, ranks))
        return node

    def has(self, number: int, rank: int) -> bool:
        """Find the derivation of this rank, if there is one; those before it are known.

        A node's next derivation may need the next ones of its tails, which are pushed on a stack.
        """
        stack = [(number, rank)]
        while stack:
            top, wanted = stack[-1]
            if self._settled(top, wanted):
                stack.pop()
                continue
            last = self.nodes[top].found[-1]
            tails = self.forest.tails(last.edge)
            steps = [(tails[i], next_rank) for i, next_rank in _steps(last.ranks)]
            pending = [step for step in steps if not self._settled(*step)]
            if pending:
                stack.extend(pending)
            else:
                self._advance(top)
        return len(self.nodes[number].found) > rank

    def _settled(self, number: int, rank: int) -> bool:
        node = self.node(number)
        return node.exhausted or len(node.found) > rank

    def _advance(self, number: int) -> None:
        """Let the successors of the last derivation found compete for the next rank."""
        node = self.nodes[number]
        last = node.found[-1]
        if node.rivals is None:
            node.rivals = []
            for edge in self.forest.edges(number):
                if edge != last.edge:
                    self._propose(node.rivals, edge, (0,) * len(self.forest.tails(edge)))
        tails = self.forest.tails(last.edge)
        for i, rank in _steps(last.ranks):
            if len(self.nodes[tails[i]].found) > rank:
                self._propose(node.rivals, last.edge, (*last.ranks[:i], rank, *last.ranks[i + 1 :]))
        if node.rivals:
            node.found.append(heappop(node.rivals))
        else:
            node.exhausted = True

    def _propose(self, rivals: list[_Candidate], edge: int, ranks: tuple[int, ...]) -> None:
        """Push a candidate onto the heap, unless its score is -inf."""
        score = float(self.weights[edge])
        for tail, rank in zip(self.forest.tails(edge), ranks, strict=True):
            score += -self.nodes[tail].found[rank].cost if rank else float(self.best[tail])
        if score > -math.inf:
            heappush(rivals, _Candidate(-score, edge, ranks))

    def derivation(self, number: int, rank: int) -> Derivation:
        """Build the derivation of this rank, which has been found."""
        stack = [(number, rank)]
        while stack:
            top, wanted = stack[-1]
            node = self.node(top)
            if len(node.built) > wanted:
                stack.pop()
                continue
            # Ranks are built in order, so `built` stays parallel to `found`.
            candidate = node.found[len(node.built)]
            places = list(zip(self.forest.tails(candidate.edge), candidate.ranks, strict=True))
            pending = [(tail, r) for tail, r in places if len(self.node(tail).built) <= r]
            if pending:
                stack.extend(reversed(pending))
            else:
                children = [self.nodes[tail].built[r] for tail, r in places]
                node.built.append(Derivation(candidate.edge, children))
        return self.nodes[number].built[rank]


def _steps(ranks: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """Yield the positions that may advance to their next rank, and that rank.

    Only the last position that has advanced and those after it may: so each vector of ranks has one
    predecessor and is proposed once.
    """
    first = len(ranks)
    while first > 0 and not ranks[first - 1]:
        first -= 1
    for i in range(max(first - 1, 0), len(ranks)):
        yield i, ranks[i] + 1
