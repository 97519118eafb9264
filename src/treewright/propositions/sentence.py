"""A parsed sentence as extraction reads it: words, tags, relations both ways."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from treewright.text import lemma
from treewright.trees import Tree, TreeTable
from treewright.trees.relations import relations

_NOMINAL = ("NP", "NML", "NX", "WHNP", "QP", "NAC", "PRN")


class ParsedSentence:
    """A tree with its grammatical relations; positions count words from 0."""

    def __init__(self, tree: Tree) -> None:
        self.table = TreeTable(tree)
        self.words: list[str] = self.table.words
        self.tags: list[str] = [self.table.nodes[leaf].label for leaf in self.table.leaves]
        size = len(self.words)
        self.governor: list[int] = [-1] * size
        self.relation: list[str] = ["root"] * size
        self.dependents: list[list[int]] = [[] for _ in range(size)]
        for label, head, dependent in relations(tree):
            self.governor[dependent - 1] = head - 1
            self.relation[dependent - 1] = label
            self.dependents[head - 1].append(dependent - 1)

    def below(self, place: int, *labels: str) -> Iterator[int]:
        """Yield the dependents of a word that stand in one of these relations to it."""
        relation = self.relation
        for dependent in self.dependents[place]:
            if relation[dependent] in labels:
                yield dependent

    def has(self, place: int, *labels: str) -> bool:
        """Whether a word has a dependent in one of these relations."""
        return next(self.below(place, *labels), None) is not None

    @cached_property
    def phrase_starts(self) -> Sequence[int]:
        """For each word, where the smallest noun phrase begins that it is in."""
        table = self.table
        starts = []
        for leaf in table.leaves:
            node = table.parent[leaf]
            while node > 0 and table.labels[node] == "QP":
                node = table.parent[node]
            inside = node >= 0 and table.labels[node] in _NOMINAL
            starts.append(table.left[node] if inside else table.left[leaf])
        return starts

    @cached_property
    def lemmas(self) -> Sequence[str]:
        """The lemmas of all words in lower case."""
        pairs = zip(self.words, self.tags, strict=True)
        return [lemma(word, tag).lower() for word, tag in pairs]

    def node_of(self, first: int, last: int) -> int:
        """Return the smallest node of the tree that holds the words from `first` to `last`."""
        table = self.table
        node = table.leaves[first]
        while table.right[node] <= last:
            node = table.parent[node]
        return node
