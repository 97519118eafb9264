"""`Outline`: a tree by preorder numbers, to walk in all directions."""

from __future__ import annotations

from treewright.pruning.guards.lexicon import straight_words
from treewright.trees import PUNCTUATION_TAGS, TreeTable


class Outline:
    """A tree's nodes in preorder (root 0), their labels without function tags, and who is where.

    The columns are those of its `TreeTable`, but `words` are in plain form; `first` is the place of
    the first word at or behind a node, `last` that of its last.
    """

    def __init__(self, table: TreeTable) -> None:
        self.table = table
        self.nodes = table.nodes
        self.labels = table.labels
        self.parent = table.parent
        self.place = table.place
        self.children = table.children
        self.leaves = table.leaves
        self.first = table.left
        self.words = straight_words(table.lower)

    def last(self, node: int) -> int:
        """Return the place of the last word of a node."""
        return self.table.right[node] - 1

    def word(self, place: int) -> str:
        """Return the word there, empty beyond either end."""
        return self.words[place] if 0 <= place < len(self.words) else ""

    def first_word(self, node: int) -> str:
        """Return the first word of a node."""
        return self.word(self.first[node])

    def last_word(self, node: int) -> str:
        """Return the last word of a node."""
        return self.word(self.last(node))

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
