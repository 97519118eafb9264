"""`Outline`: a tree by preorder numbers, to walk in all directions."""

from __future__ import annotations

from treewright.pruning.guards.lexicon import plain
from treewright.trees import Tree
from treewright.trees.heads import PUNCTUATION_TAGS, base_label


class Outline:
    """A tree's nodes in preorder (root 0), their labels without function tags, and who is where.

    `parent` of the root is -1; `place` counts among siblings; `leaves` are the nodes with words,
    `words` their words in plain form; `first` is the position of the first word at or after a node.
    """

    def __init__(self, tree: Tree) -> None:
        self.nodes: list[Tree] = []
        self.labels: list[str] = []
        self.parent: list[int] = []
        self.place: list[int] = []
        self.children: list[list[int]] = []
        self.leaves: list[int] = []
        self.first: list[int] = []
        stack = [(tree, -1)]
        while stack:
            node, parent = stack.pop()
            number = len(self.nodes)
            self.nodes.append(node)
            self.labels.append(base_label(node.label))
            self.parent.append(parent)
            self.place.append(len(self.children[parent]) if parent >= 0 else 0)
            self.children.append([])
            self.first.append(len(self.leaves))
            if parent >= 0:
                self.children[parent].append(number)
            if node.word is not None:
                self.leaves.append(number)
            stack.extend([(child, number) for child in reversed(node.children)])
        self.words = [plain(self.nodes[leaf].word or "") for leaf in self.leaves]

    def word(self, place: int) -> str:
        """Return the word there, empty beyond either end."""
        return self.words[place] if 0 <= place < len(self.words) else ""

    def tag(self, place: int) -> str:
        """Return the part of speech there, empty beyond either end."""
        return self.labels[self.leaves[place]] if 0 <= place < len(self.leaves) else ""

    def content(self, node: int) -> list[int]:
        """Return the children that are not punctuation."""
        return [x for x in self.children[node] if self.labels[x] not in PUNCTUATION_TAGS]

    def before(self, node: int) -> list[int]:
        """Return the siblings to the left but for punctuation, the nearest first."""
        siblings = self.children[self.parent[node]][: self.place[node]] if node else []
        return [x for x in reversed(siblings) if self.labels[x] not in PUNCTUATION_TAGS]

    def behind(self, node: int) -> list[int]:
        """Return the siblings to the right but for punctuation, the nearest first."""
        siblings = self.children[self.parent[node]][self.place[node] + 1 :] if node else []
        return [x for x in siblings if self.labels[x] not in PUNCTUATION_TAGS]

    def are_siblings(self, one: int, other: int) -> bool:
        """Whether the words at two places hang from the same node."""
        return self.parent[self.leaves[one]] == self.parent[self.leaves[other]]

    def meeting(self, one: int, other: int) -> int:
        """Return the lowest node at or above both nodes."""
        while one != other:
            if one > other:
                one = self.parent[one]
            else:
                other = self.parent[other]
        return one
