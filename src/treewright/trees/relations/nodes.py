"""`Node`: a constituent as the converter sees it, linked to its parent, sisters and head."""

from __future__ import annotations

from treewright.trees.heads import base_label, semantic_head_child
from treewright.trees.tree import Tree


class Node:
    """A constituent that knows its context; `head` is its head word, counted from 1.

    The labels of missing neighbours are empty.
    """

    __slots__ = ("children", "head", "label", "parent", "place", "word")

    def __init__(
        self, label: str, children: list[Node], word: str | None = None, head: int = 0
    ) -> None:
        self.label = base_label(label)
        self.children = children
        self.word = word
        self.head = head
        self.parent: Node | None = None
        self.place = 0

    @property
    def parent_label(self) -> str:
        """The parent's label."""
        return self.parent.label if self.parent else ""

    @property
    def previous(self) -> Node | None:
        """The sister to the left."""
        return self.parent.children[self.place - 1] if self.parent and self.place else None

    @property
    def previous_label(self) -> str:
        """The label of the sister to the left."""
        return self.parent.children[self.place - 1].label if self.parent and self.place else ""

    @property
    def next_label(self) -> str:
        """The label of the sister to the right."""
        if self.parent is None or self.place + 1 == len(self.parent.children):
            return ""
        return self.parent.children[self.place + 1].label

    @property
    def before(self) -> list[Node]:
        """The sisters to the left, in order."""
        return self.parent.children[: self.place] if self.parent else []

    @property
    def after(self) -> list[Node]:
        """The sisters to the right, in order."""
        return self.parent.children[self.place + 1 :] if self.parent else []

    @property
    def sisters(self) -> list[Node]:
        """The parent's other children, in order."""
        return self.before + self.after

    @property
    def head_child(self) -> Node:
        """The child that shares the node's head word; a preterminal is its own."""
        for child in self.children:
            if child.head == self.head:
                return child
        return self

    def has(self, *labels: str) -> bool:
        """Whether some child carries one of the labels."""
        return any(child.label in labels for child in self.children)

    def all(self, *labels: str) -> list[Node]:
        """Return the children that carry one of the labels."""
        return [child for child in self.children if child.label in labels]

    def has_word(self, label: str, *words: str) -> bool:
        """Whether some child is a preterminal with this label over one of the words."""
        return any(child.label == label and child.is_word(*words) for child in self.children)

    def starts_with(self, *labels: str) -> bool:
        """Whether the first child carries one of the labels."""
        return bool(self.children) and self.children[0].label in labels

    def ends_with(self, *labels: str) -> bool:
        """Whether the last child carries one of the labels."""
        return bool(self.children) and self.children[-1].label in labels

    def is_only(self, label: str) -> bool:
        """Whether the node has one child, and it carries the label."""
        return len(self.children) == 1 and self.children[0].label == label

    def preceded_by(self, *labels: str) -> bool:
        """Whether some sister to the left carries one of the labels."""
        return any(sister.label in labels for sister in self.before)

    def followed_by(self, *labels: str) -> bool:
        """Whether some sister to the right carries one of the labels."""
        return any(sister.label in labels for sister in self.after)

    def is_word(self, *words: str) -> bool:
        """Whether the node is a preterminal over one of the words, given in lower case."""
        return self.word is not None and self.word.lower() in words


def read_nodes(tree: Tree) -> Node | None:
    """Copy a tree into nodes, leaving out what covers no words; return `None` if there are no
    words.
    """
    preorder = list(tree.nodes())
    position = sum(node.word is not None for node in preorder)
    finished: list[Node | None] = []
    for node in reversed(preorder):
        if node.word is not None:
            finished.append(Node(node.label, [], node.word, position))
            position -= 1
            continue
        start = len(finished) - len(node.children)
        children = [child for child in reversed(finished[start:]) if child is not None]
        del finished[start:]
        finished.append(Node(node.label, children) if children else None)
    return finished[0]


def link(root: Node) -> list[Node]:
    """Set parents, positions and head words below the root; return the nodes in preorder."""
    preorder: list[Node] = []
    stack = [root]
    while stack:
        node = stack.pop()
        preorder.append(node)
        for place, child in enumerate(node.children):
            child.parent, child.place = node, place
        stack.extend(reversed(node.children))
    for node in reversed(preorder):
        if node.children:
            node.head = node.children[semantic_head_child(node, node.parent)].head
    return preorder
