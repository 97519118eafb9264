"""`TreeTable`: one tree as flat columns in preorder, its nodes addressed by number."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from treewright.trees.heads import base_label, head_words
from treewright.trees.tree import Tree

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int32]


class TreeTable:
    """A tree's nodes in preorder (root 0) with their positions, computed once per tree.

    In preorder a subtree is a run: that of `x` is `x` to `end[x] - 1`, its first child is `x + 1`
    and its next sibling `end[x]`. `parent` of the root is -1. `left` to `right` is the span in
    words. The columns are lists, which are quick to index from Python; `arrays` holds the same for
    kernels.
    """

    def __init__(self, tree: Tree) -> None:
        nodes: list[Tree] = []
        parent: list[int] = []
        left: list[int] = []
        words = 0
        stack = [(tree, -1)]
        while stack:
            node, above = stack.pop()
            number = len(nodes)
            nodes.append(node)
            parent.append(above)
            left.append(words)
            if node.word is None:
                stack.extend([(child, number) for child in reversed(node.children)])
            else:
                words += 1
        end = list(range(1, len(nodes) + 1))
        for number in range(len(nodes) - 1, 0, -1):
            above = parent[number]
            if end[above] < end[number]:
                end[above] = end[number]
        starts = [*left, words]
        self.nodes = nodes
        self.parent = parent
        self.end = end
        self.left = left
        self.right = [starts[behind] for behind in end]

    def __len__(self) -> int:
        return len(self.nodes)

    @property
    def tree(self) -> Tree:
        """The tree itself."""
        return self.nodes[0]

    @cached_property
    def children(self) -> list[list[int]]:
        """The children of each node, from left to right."""
        children: list[list[int]] = [[] for _ in self.nodes]
        for number in range(1, len(self.nodes)):
            children[self.parent[number]].append(number)
        return children

    @cached_property
    def places(self) -> Ints:
        """The position of each node among its siblings, from 0."""
        seen = [0] * len(self.nodes)
        places = [0] * len(self.nodes)
        for number in range(1, len(self.nodes)):
            above = self.parent[number]
            places[number] = seen[above]
            seen[above] += 1
        return _column(places)

    @cached_property
    def depths(self) -> list[int]:
        """The number of nodes above each node."""
        depths = [-1]
        for above in self.parent:
            depths.append(depths[above + 1] + 1)
        return depths[1:]

    @cached_property
    def labels(self) -> list[str]:
        """The label of each node without function tags."""
        return [base_label(node.label) for node in self.nodes]

    @cached_property
    def leaves(self) -> list[int]:
        """The nodes that carry words, from left to right."""
        return [number for number, node in enumerate(self.nodes) if node.word is not None]

    @cached_property
    def words(self) -> list[str]:
        """The words, from left to right."""
        return [node.word for node in self.nodes if node.word is not None]

    @cached_property
    def heads(self) -> tuple[int, ...]:
        """The position of the head word of each node, by syntactic heads."""
        return head_words(self.tree)

    @cached_property
    def semantic_heads(self) -> tuple[int, ...]:
        """The position of the head word of each node, by semantic heads: `clear` in `is clear`."""
        return head_words(self.tree, semantic=True)

    @cached_property
    def head_children(self) -> Ints:
        """The child that has the semantic head word of each node, -1 for preterminals."""
        heads = self.semantic_heads
        found = [-1] * len(heads)
        for child in range(1, len(heads)):
            above = self.parent[child]
            if heads[child] == heads[above]:
                found[above] = child
        return _column(found)

    @cached_property
    def governors(self) -> Ints:
        """The position of each word's governor, by semantic heads; -1 for the topmost."""
        heads = self.semantic_heads
        governors = [-1] * self.right[0]
        for child in range(1, len(heads)):
            above = heads[self.parent[child]]
            if heads[child] != above:
                governors[heads[child]] = above
        return _column(governors)

    def span(self, node: int) -> range:
        """Return the positions of the words of a node."""
        return range(self.left[node], self.right[node])


def _column(values: list[int]) -> Ints:
    # Imported late: what only reads text goes through this room without NumPy.
    import numpy as np

    return np.array(values, dtype=np.int32)
