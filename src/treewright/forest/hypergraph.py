"""`Forest`: a directed acyclic hypergraph in frozen arrays, and the builder that makes one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from treewright.forest.arrays import Bools, Floats, Ints, Pointers


@dataclass(frozen=True, slots=True, eq=False)
class Forest:
    """Packed derivations: edge `e` derives its head from the ordered tuple of its tails.

    Nodes are in topological order (every tail is smaller than its head) and the last one is the
    root. Edges are sorted by head, so those of node `v` are `node_ptr[v]:node_ptr[v + 1]`; the
    tails of edge `e` are `tail[tail_ptr[e]:tail_ptr[e + 1]]`. A node without edges has no
    derivation. Weights are not part of a forest: they are arguments of the algorithms, one
    log-weight per edge, usually gathered by `label` (an edge with a negative label has weight 0 and
    is not counted).

    The arrays are read-only. Make forests with `from_arrays` or `ForestBuilder`, which check all
    this.
    """

    head: Ints
    tail_ptr: Pointers
    tail: Ints
    node_ptr: Pointers
    label: Ints

    def __post_init__(self) -> None:
        for array in (self.head, self.tail_ptr, self.tail, self.node_ptr, self.label):
            array.flags.writeable = False

    @classmethod
    def from_arrays(
        cls,
        *,
        head: ArrayLike,
        tail_ptr: ArrayLike,
        tail: ArrayLike,
        label: ArrayLike,
        num_nodes: int,
    ) -> Forest:
        """Copy and check the arrays; a `ValueError` says what is wrong. O(N + E + T)."""
        heads = _integers("head", head, np.int32)
        pointers = _integers("tail_ptr", tail_ptr, np.int64)
        tails = _integers("tail", tail, np.int32)
        labels = _integers("label", label, np.int32)
        _check(heads, pointers, tails, labels, num_nodes)
        node_ptr = np.searchsorted(heads, np.arange(num_nodes + 1)).astype(np.int64)
        return cls(head=heads, tail_ptr=pointers, tail=tails, node_ptr=node_ptr, label=labels)

    @property
    def num_nodes(self) -> int:
        """The number of nodes, at least 1."""
        return self.node_ptr.size - 1

    @property
    def num_edges(self) -> int:
        """The number of edges."""
        return self.head.size

    @property
    def root(self) -> int:
        """The node that complete derivations derive: the last one."""
        return self.num_nodes - 1

    def edges(self, node: int) -> range:
        """Return the edges whose head is `node`."""
        return range(int(self.node_ptr[node]), int(self.node_ptr[node + 1]))

    def tails(self, edge: int) -> tuple[int, ...]:
        """Return the tails of `edge`, in order."""
        return tuple(self.tail[self.tail_ptr[edge] : self.tail_ptr[edge + 1]].tolist())

    def gather(self, label_weights: Floats) -> Floats:
        """Return the weight of each edge, `label_weights[label]`; 0 for a negative label."""
        labelled = self.label >= 0
        if labelled.all():
            return label_weights[self.label]
        weights = np.zeros(self.num_edges)
        weights[labelled] = label_weights[self.label[labelled]]
        return weights

    def __repr__(self) -> str:
        return f"Forest(num_nodes={self.num_nodes}, num_edges={self.num_edges})"

    def __reduce__(self) -> tuple[type[Forest], tuple[NDArray[Any], ...]]:
        return Forest, (self.head, self.tail_ptr, self.tail, self.node_ptr, self.label)


class ForestBuilder:
    """Grows a forest node by node, tails before heads; the node added last becomes the root.

    The edges of a node can be added at any time after the node; `build` sorts them by head and
    keeps the order in which the edges of one head were added.
    """

    def __init__(self) -> None:
        self._num_nodes = 0
        self._head: list[int] = []
        self._label: list[int] = []
        self._tail: list[int] = []
        self._tail_ptr: list[int] = [0]

    def add_node(self) -> int:
        """Add a node and return its number."""
        self._num_nodes += 1
        return self._num_nodes - 1

    def add_edge(self, head: int, tails: Iterable[int], label: int) -> None:
        """Add an edge between existing nodes; its tails must come before its head."""
        tails = tuple(tails)
        if not 0 <= head < self._num_nodes:
            raise ValueError(f"head {head} is not a node; there are {self._num_nodes}")
        for tail in tails:
            if not 0 <= tail < head:
                raise ValueError(f"tail {tail} of an edge does not come before its head {head}")
        self._head.append(head)
        self._label.append(label)
        self._tail.extend(tails)
        self._tail_ptr.append(len(self._tail))

    def build(self) -> Forest:
        """Return the forest. The builder can keep growing afterwards."""
        head = np.array(self._head, dtype=np.int64)
        tail_ptr = np.array(self._tail_ptr, dtype=np.int64)
        order = np.argsort(head, kind="stable")
        sorted_ptr, positions = select_tails(tail_ptr, order)
        return Forest.from_arrays(
            head=head[order],
            tail_ptr=sorted_ptr,
            tail=np.array(self._tail, dtype=np.int64)[positions],
            label=np.array(self._label, dtype=np.int64)[order],
            num_nodes=self._num_nodes,
        )


def select_tails(tail_ptr: Pointers, edges: NDArray[np.int64]) -> tuple[Pointers, Pointers]:
    """Return the tail pointers of these edges side by side, and the old tail positions."""
    arity = np.diff(tail_ptr)[edges]
    selected_ptr = np.zeros(edges.size + 1, dtype=np.int64)
    np.cumsum(arity, out=selected_ptr[1:])
    shift = np.repeat(tail_ptr[:-1][edges] - selected_ptr[:-1], arity)
    return selected_ptr, np.arange(selected_ptr[-1]) + shift


def _integers(name: str, values: ArrayLike, dtype: DTypeLike) -> NDArray[Any]:
    array = np.asarray(values)
    if array.ndim != 1:
        raise ValueError(f"{name} must be one-dimensional, not of shape {array.shape}")
    if array.size and array.dtype.kind not in "iu":
        raise ValueError(f"{name} must hold integers, not {array.dtype}")
    bounds = np.iinfo(np.dtype(dtype))
    if array.size and not (bounds.min <= array.min() and array.max() <= bounds.max):
        raise ValueError(f"{name} does not fit in {bounds.dtype}")
    return np.array(array, dtype=dtype, order="C")


def _check(head: Ints, tail_ptr: Pointers, tail: Ints, label: Ints, num_nodes: int) -> None:
    """Raise unless the arrays are those of a forest: sizes first, then order."""
    if num_nodes < 1:
        raise ValueError("a forest has at least one node, its root")
    if label.size != head.size:
        raise ValueError(f"{label.size} labels for {head.size} edges")
    if tail_ptr.size != head.size + 1:
        raise ValueError(f"tail_ptr has {tail_ptr.size} entries; {head.size + 1} expected")
    if tail_ptr[0] != 0 or tail_ptr[-1] != tail.size or (np.diff(tail_ptr) < 0).any():
        raise ValueError(f"tail_ptr must rise from 0 to the number of tails, {tail.size}")
    if head.size and not (head.min() >= 0 and head.max() < num_nodes):
        raise ValueError(f"heads must be nodes, 0 to {num_nodes - 1}")
    _refuse("edge {} comes after an edge of a larger head", np.diff(head, prepend=0) < 0)
    heads = np.repeat(head, np.diff(tail_ptr))
    _refuse("tail position {} does not come before its head", (tail < 0) | (tail >= heads))


def _refuse(message: str, wrong: Bools) -> None:
    if wrong.any():
        raise ValueError(message.format(int(np.flatnonzero(wrong)[0])))
