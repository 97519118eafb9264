"""Which nodes of a tree a word alignment lets translate as a whole."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from treewright.corpora import Alignment
from treewright.trees import Tree, TreeTable


def frontier_nodes(tree: Tree, alignment: Alignment) -> list[bool]:
    """Say of each node, in preorder, whether no link from outside enters its target span.

    The span runs from the first to the last target word that words of the node are linked to; a
    node without links has none.
    """
    table = TreeTable(tree)
    found = []
    for left, right in zip(table.left, table.right, strict=True):
        own = [j for i, j in alignment if left <= i < right]
        outside = [j for i, j in alignment if not left <= i < right]
        found.append(bool(own) and not any(min(own) <= j <= max(own) for j in outside))
    return found


class Usable(NamedTuple):
    """How many constituents of two or more words are frontier nodes, and how many there are."""

    usable: int
    constituents: int

    @property
    def share(self) -> float:
        """The share of constituents that rules can be rooted in."""
        return self.usable / self.constituents if self.constituents else 0.0


def usable_constituents(aligned: Iterable[tuple[Tree, Alignment]]) -> Usable:
    """Count the constituents of trees with links, without single words and without the root.

    The root of a tree that has links is always a frontier node.
    """
    usable = constituents = 0
    for tree, alignment in aligned:
        table = TreeTable(tree)
        is_frontier = frontier_nodes(tree, alignment)
        for node in range(1, len(table)):
            if table.right[node] - table.left[node] > 1:
                constituents += 1
                usable += is_frontier[node]
    return Usable(usable, constituents)
