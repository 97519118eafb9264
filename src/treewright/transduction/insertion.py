"""Insertions during generation: target material that is not linked to any source node.

Insertion rules may call one another without end, so generation unrolls them to a fixed depth. The
result does not depend on the source tree: it is a block of forest nodes that comes first in every
forest of the grammar.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treewright.arrays import Ints, Longs
from treewright.grammar import Grammar

MAX_INSERTION_DEPTH = 3


class Insertions(NamedTuple):
    """Edges over the first `num_nodes` nodes; `node_of[c]` inserts category `c`, -1 if none can."""

    num_nodes: int
    node_of: Ints
    head: Ints
    label: Ints
    tail: Ints
    arity: Longs

    @classmethod
    def of(cls, grammar: Grammar, *, depth: int = MAX_INSERTION_DEPTH) -> Insertions:
        """Unroll the insertion rules of a grammar to `depth`."""
        index, tables = grammar.index, grammar.index.rules
        current: dict[int, int] = {}
        num_nodes = 0
        edges: list[tuple[int, int, tuple[int, ...]]] = []
        for _ in range(depth):
            below, current = current, {}
            for number in index.insertions.tolist():
                root = int(tables.target_root[number])
                first, last = tables.inserted_ptr[number : number + 2]
                wanted = tables.inserted_category[first:last].tolist()
                if all(category in below for category in wanted):
                    if root not in current:
                        current[root] = num_nodes
                        num_nodes += 1
                    edges.append((current[root], number, tuple(below[c] for c in wanted)))
            if not current:
                break
        node_of = np.full(len(index.labels), -1, dtype=np.int32)
        for category, node in current.items():
            node_of[category] = node
        return cls(
            num_nodes,
            node_of,
            np.array([head for head, _, _ in edges], dtype=np.int32),
            np.array([label for _, label, _ in edges], dtype=np.int32),
            np.array([node for _, _, tails in edges for node in tails], dtype=np.int32),
            np.array([len(tails) for _, _, tails in edges], dtype=np.int64),
        )

    def nodes(self, categories: int) -> Ints:
        """Return `node_of` extended to a tree's categories, known to the grammar or not."""
        if categories == len(self.node_of):
            return self.node_of
        stretched = np.full(categories, -1, dtype=np.int32)
        stretched[: len(self.node_of)] = self.node_of
        return stretched
