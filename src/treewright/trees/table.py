"""`TreeTable`: one tree as flat columns in preorder, its nodes addressed by number."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from treewright.trees.heads import VERBAL, base_label, complement_child, head_places
from treewright.trees.tree import Tree

if TYPE_CHECKING:
    from treewright.arrays import Ints


class TreeArrays(NamedTuple):
    """Columns of a `TreeTable` as kernels take them; `head_child` is that of the semantic head."""

    parent: Ints
    end: Ints
    left: Ints
    right: Ints
    place: Ints
    head_child: Ints
    head: Ints


class TreeTable:
    """A tree's nodes in preorder (root 0) with their positions, computed once per tree.

    In preorder a subtree is a run: that of `x` is `x` to `end[x] - 1`, its first child is `x + 1`
    and its next sibling `end[x]`. `parent` of the root is -1, `place` counts among siblings. `left`
    to `right` is the span in words. The columns are lists, which are quick to index from Python;
    `arrays` holds the same for kernels.
    """

    def __init__(self, tree: Tree) -> None:
        nodes: list[Tree] = []
        parent: list[int] = []
        place: list[int] = []
        left: list[int] = []
        children: list[list[int]] = []
        leaves: list[int] = []
        stack, parents = [tree], [-1]
        number = words = 0
        while stack:
            node, above = stack.pop(), parents.pop()
            nodes.append(node)
            parent.append(above)
            left.append(words)
            below = node.children
            children.append([] if below else _NO_CHILDREN)
            if above >= 0:
                siblings = children[above]
                place.append(len(siblings))
                siblings.append(number)
            else:
                place.append(0)
            if below:
                stack += below[::-1]
                parents += [number] * len(below)
            elif node.word is not None:
                leaves.append(number)
                words += 1
            number += 1
        end = list(range(1, number + 1))
        right = [*left[1:], words]
        for child in range(number - 1, 0, -1):
            above = parent[child]
            if end[above] < end[child]:
                end[above] = end[child]
                right[above] = right[child]
        self.nodes = nodes
        self.parent = parent
        self.place = place
        self.children = children
        self.leaves = leaves
        self.end = end
        self.left = left
        self.right = right

    def __len__(self) -> int:
        return len(self.nodes)

    @property
    def tree(self) -> Tree:
        """The tree itself."""
        return self.nodes[0]

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
    def words(self) -> list[str]:
        """The words, from left to right."""
        return [node.word for node in self.nodes if node.word is not None]

    @cached_property
    def lower(self) -> list[str]:
        """The words in lower case, as nearly all who look them up want them."""
        return [word.lower() for word in self.words]

    @cached_property
    def syntactic_children(self) -> list[int]:
        """The child that has the syntactic head of each node, -1 where there is no child."""
        return self._heads_below[0]

    @cached_property
    def head_children(self) -> list[int]:
        """The child that has the semantic head of each node, -1 where there is no child."""
        return self._heads_below[1]

    @cached_property
    def _heads_below(self) -> tuple[list[int], list[int]]:
        """The children that have the syntactic and the semantic heads."""
        labels, nodes = self.labels, self.nodes
        syntactic = [below[0] if below else -1 for below in self.children]
        semantic = syntactic.copy()
        for node, below in enumerate(self.children):
            if len(below) > 1:
                label = labels[node]
                those = tuple([labels[child] for child in below])
                place, other = head_places(label, those)
                if label in VERBAL:
                    above = nodes[self.parent[node]] if node else None
                    introduced = complement_child(nodes[node], label, those, above)
                    other = introduced if introduced >= 0 else other
                syntactic[node], semantic[node] = below[place], below[other]
        return syntactic, semantic

    @cached_property
    def heads(self) -> list[int]:
        """The position of the head word of each node, by syntactic heads; -1 if there is none."""
        return self._head_words(self.syntactic_children)

    @cached_property
    def semantic_heads(self) -> list[int]:
        """The position of the head word of each node, by semantic heads: `clear` in `is clear`."""
        return self._head_words(self.head_children)

    def _head_words(self, head_children: list[int]) -> list[int]:
        heads = [-1] * len(self.nodes)
        for leaf in self.leaves:
            heads[leaf] = self.left[leaf]
        for node in range(len(heads) - 1, -1, -1):
            if head_children[node] >= 0:
                heads[node] = heads[head_children[node]]
        return heads

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

    @cached_property
    def arrays(self) -> TreeArrays:
        """The columns that kernels read."""
        columns = (
            self.parent,
            self.end,
            self.left,
            self.right,
            self.place,
            self.head_children,
            self.semantic_heads,
        )
        return TreeArrays(*_column(columns))

    def span(self, node: int) -> range:
        """Return the positions of the words of a node."""
        return range(self.left[node], self.right[node])


_NO_CHILDREN: list[int] = []
"""Those of all words; one list costs the garbage collector less than many."""


def _column(values: list[int] | tuple[list[int], ...]) -> Ints:
    # Imported late: what only reads text goes through this room without NumPy.
    import numpy as np

    return np.array(values, dtype=np.int32)
