"""Refinement: a forest whose nodes also know the state of their derivations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treewright.forest.arrays import Floats, Ints, Pointers, checked_weights
from treewright.forest.derivation import Derivation
from treewright.forest.hypergraph import Forest
from treewright.forest.refinement import _kernels
from treewright.forest.refinement.algebra import Algebra

_ALL = np.iinfo(np.int64).max
_ROOMY = 1000
"""The widest beam whose space is reserved before it is needed."""
_Part: TypeAlias = "Derivation | list[tuple[int, Derivation]]"


@dataclass(frozen=True, slots=True, eq=False)
class Refinement:
    """A forest split by the states of an algebra: the source's derivations, distinguished by state.

    The root stays one node, because nothing needs to distinguish its states. Labels are those of
    the source. Edges with many combinations of tails go through links, nodes that are parts of an
    edge; the edges of links (glue) have label and origin -1. The tails of an edge without a link
    among them are in the order of the source.
    """

    source: Forest
    forest: Forest
    weights: Floats
    """The weight of each edge: that of the source's edge, plus what the algebra adds."""
    origin: Ints
    """The edge of `source` that each edge stands for, -1 for glue."""
    node: Ints
    """The node of `source` that each node is a part of, -1 for links."""
    state: Pointers
    """The state of each node; -1 at the root."""
    edge_states: Pointers
    """The state that each edge reaches; those of the root's edges are in ascending order."""
    _position: Ints

    @property
    def root_edges(self) -> slice:
        """The edges of the root: the last ones."""
        return slice(int(self.forest.node_ptr[-2]), self.forest.num_edges)

    @property
    def root_states(self) -> Pointers:
        """The state that each edge of the root reaches, in ascending order."""
        return self.edge_states[self.root_edges]

    def gather(self, values: ArrayLike) -> Floats:
        """Carry over weights or other values of the source's edges; glue has 0."""
        found = checked_weights(values, self.source.num_edges)
        if self.origin.min(initial=0) >= 0:
            return found[self.origin]
        return np.where(self.origin >= 0, found[self.origin], 0.0)

    def project(self, derivation: Derivation) -> Derivation:
        """Return the source's derivation that a derivation of the refined forest stands for."""
        origin, position = self.origin, self._position
        first = self.forest.tail_ptr

        def rebuild(edge: int, below: Sequence[_Part]) -> _Part:
            places = position[first[edge] : first[edge + 1]].tolist()
            placed: list[tuple[int, Derivation]] = []
            for place, part in zip(places, below, strict=True):
                if isinstance(part, Derivation):
                    placed.append((place, part))
                else:
                    placed += part
            if origin[edge] < 0:
                return placed
            placed.sort(key=lambda item: item[0])
            return Derivation(int(origin[edge]), [child for _, child in placed])

        projected = derivation.fold(rebuild)
        if not isinstance(projected, Derivation):
            raise ValueError("a part of an edge stands for no derivation of the source")
        return projected


def refine(
    forest: Forest,
    algebra: Algebra,
    weights: ArrayLike | None = None,
    beam: int | None = None,
    *,
    pops: int | None = None,
    links: bool = True,
) -> Refinement:
    """Split the nodes of a forest by the states of their derivations.

    Without a beam this is exact: the derivations of the result project one to one onto those of
    `forest` that the algebra does not rule out and whose edges all weigh more than -inf. With S
    states per node it takes O(S² · T) time and edges for algebras whose states meet, such as
    counters, whatever the arity. Without `links`, every edge stands for one of the source, at the
    price of all combinations.

    With a beam, each node keeps at most that many states, and of those the edges that were found:
    cube pruning, which looks at combinations of tail states from the best down until one reaches a
    state too many. That finds the best states, given those kept below, unless the algebra adds
    weights; and all states and edges if there are no more than the beam can hold. `pops` bounds the
    number of combinations that a node looks at, whatever states they reach: where all of them reach
    a few states, the beam alone would let every combination pass.
    """
    if beam is not None and beam < 1:
        raise ValueError(f"a beam must keep at least one state, not {beam}")
    if pops is not None and (pops < 1 or beam is None):
        raise ValueError(f"with a beam, at least one combination is looked at, not {pops}")
    if algebra.num_edges not in (None, forest.num_edges):
        raise ValueError(
            f"the algebra is of a forest of {algebra.num_edges} edges; this one has "
            f"{forest.num_edges}"
        )
    given = (
        np.zeros(forest.num_edges)
        if weights is None
        else checked_weights(weights, forest.num_edges)
    )
    small = _kernels.SMALL if links else _ALL
    effort = beam or 0, pops or _ALL
    source = _kernels.Source(forest.node_ptr, forest.tail_ptr, forest.tail, given, *effort, small)
    chart = _split(algebra, source)
    refined = _kernels.Refined(*_kernels.assemble(chart[:], forest.label))
    split = Forest(refined.head, refined.tail_ptr, refined.tail, refined.node_ptr, refined.label)
    return Refinement(
        source=forest,
        forest=split,
        weights=refined.weights,
        origin=refined.origin,
        node=refined.node,
        state=refined.state,
        edge_states=refined.edge_state,
        _position=refined.position,
    )


def _split(algebra: Algebra, source: _kernels.Source) -> _kernels.Chart:
    """Split a forest; if the arrays of the chart are too small, continue with larger ones."""
    num_nodes, num_edges = source.node_ptr.size - 1, source.weights.size
    # Memory that is not touched costs nothing, so a beam gets what it will probably need at once.
    kept = num_nodes * min(source.beam, _ROOMY)
    seen = num_nodes * min(source.pops, 2 * source.beam, 2 * _ROOMY)
    chart = _kernels.Chart(
        size=np.zeros(6, np.int64),
        run=np.zeros((num_nodes, 2), np.int32),
        nodes=np.empty(8 * num_nodes + kept + seen, _kernels.NODE),
        rows=np.empty(8 * num_edges + 8 + seen, _kernels.ROW),
        tails=np.empty(8 * (source.tail.size + num_edges) + 8 + 3 * seen, _kernels.TAIL),
    )
    kernel = algebra.kernel(has_beam=source.beam > 0)
    node = 0
    while (node := kernel(source[:], algebra.data, chart[:], node)) < num_nodes:
        chart = chart._replace(
            nodes=_larger(chart.nodes), rows=_larger(chart.rows), tails=_larger(chart.tails)
        )
    return chart


def _larger(array: NDArray[Any]) -> NDArray[Any]:
    """Return an array with the same contents and space for as much again."""
    larger = np.empty(2 * array.size, array.dtype)
    larger[: array.size] = array
    return larger
