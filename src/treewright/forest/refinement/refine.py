"""Refinement proper: a forest whose nodes also say how much their derivations count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from treewright.forest.arrays import Floats, Ints, Pointers, checked_weights
from treewright.forest.derivation import Derivation
from treewright.forest.hypergraph import Forest
from treewright.forest.pruning import prune
from treewright.forest.refinement.counters import CounterCode, checked_counts

_Chain: TypeAlias = "Derivation | tuple[_Chain, _Chain]"


@dataclass(frozen=True, slots=True, eq=False)
class Refinement:
    """A forest split by counters: its derivations are the source's, grouped by their total.

    The last node, the super-root, has one edge per total that occurs, in ascending order, to the
    root of the derivations of that total. Edges of more than two tails are chained through extra
    nodes. Edges that stand for no edge of the source (glue) have label -1 and origin -1.
    """

    source: Forest
    forest: Forest
    origin: Ints
    """The edge of `source` that each edge stands for, -1 for glue."""
    node: Ints
    """The node of `source` that each node is a part of, -1 for chains and the super-root."""
    counter: Pointers
    """The counter of each node, one row per node; -1 at the super-root."""

    @property
    def root_edges(self) -> range:
        """The edges of the super-root, one per total, in the order of `totals`."""
        return self.forest.edges(self.forest.root)

    @property
    def totals(self) -> Pointers:
        """The totals that occur, one per row, in ascending (lexicographic) order."""
        edges = self.root_edges
        return self.counter[self.forest.tail[self.forest.tail_ptr[edges.start : edges.stop]]]

    def root_edge(self, *total: int) -> int | None:
        """Return the super-root's edge to the derivations of this total; None if there are none."""
        found = np.flatnonzero((self.totals == total).all(axis=1))
        return self.root_edges[int(found[0])] if found.size else None

    def gather(self, weights: ArrayLike, *, totals: ArrayLike | None = None) -> Floats:
        """Carry the source's edge weights over; glue weighs 0.

        `totals`, one weight per row of `self.totals`, goes on the super-root's edges: a loss that
        depends on the total, or -inf for the totals to leave out.
        """
        source_weights = checked_weights(weights, self.source.num_edges)
        refined = np.zeros(self.forest.num_edges)
        real = self.origin >= 0
        refined[real] = source_weights[self.origin[real]]
        if totals is not None:
            refined[self.root_edges.start : self.root_edges.stop] = totals
        return refined

    def project(self, derivation: Derivation) -> Derivation:
        """Return the source's derivation that a derivation of the refined forest stands for."""
        origin, arity = self.origin, np.diff(self.source.tail_ptr)

        def rebuild(edge: int, parts: Sequence[_Chain]) -> _Chain:
            source_edge = int(origin[edge])
            if source_edge >= 0:
                return Derivation(source_edge, _unchain(parts, int(arity[source_edge])))
            return parts[0] if len(parts) == 1 else (parts[0], parts[1])

        projected = derivation.fold(rebuild)
        if not isinstance(projected, Derivation):
            raise ValueError("a link of a chain stands for no derivation of the source")
        return projected


def refine(forest: Forest, counts: ArrayLike, limits: Sequence[int]) -> Refinement:
    """Split a forest by the sum of `counts` over the edges of each derivation.

    `counts` are non-negative integers of shape (E,) or (E, D); `limits` are D inclusive caps:
    derivations that exceed one are left out. Exact: those of the super-root's edge for total `k`
    project one to one onto the derivations of `forest` whose counts sum up to `k`.

    With S states per node this is O(S² · T) time and edges, whatever the arity.
    """
    from treewright.forest.refinement import _kernels

    code = CounterCode(limits)
    codes = code.encode(checked_counts(counts, forest.num_edges, len(limits)))
    binary, node_origin = _kernels.binarise(forest.node_ptr, forest.tail_ptr, forest.tail, codes)
    rows, state_code, first = _kernels.split(binary, node_origin.size, code.strides, code.limits)
    head, left, right, source, _ = rows.T
    root_states = np.arange(first[-2], first[-1])
    glue = np.full(root_states.size, -1)
    origin = np.append(binary[source, _kernels.ORIGIN], glue).astype(np.int32)
    tails = np.stack([np.append(left, root_states), np.append(right, glue)], axis=1)
    node: Ints = np.append(np.repeat(node_origin, np.diff(first)), np.int32(-1))
    pruned = prune(
        Forest.from_arrays(
            head=np.append(head, np.full(root_states.size, state_code.size)),
            tail_ptr=np.append(0, np.cumsum((tails >= 0).sum(axis=1))),
            tail=tails[tails >= 0],
            label=np.where(origin >= 0, forest.label[origin], -1),
            num_nodes=state_code.size + 1,
        )
    )
    return Refinement(
        source=forest,
        forest=pruned.forest,
        origin=origin[pruned.edges],
        node=node[pruned.nodes],
        counter=np.vstack([code.decode(state_code), np.full_like(code.limits, -1)])[pruned.nodes],
    )


def _unchain(parts: Sequence[_Chain], arity: int) -> list[Derivation]:
    """Return the children that a chain holds: pairs nested on the left."""
    children: list[Derivation] = []
    rest = list(parts)
    while len(children) < arity:
        last = rest.pop()
        if isinstance(last, Derivation):
            children.append(last)
        else:
            rest.extend(last)
    return children[::-1]
