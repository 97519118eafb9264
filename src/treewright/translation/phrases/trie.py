"""The trie over source phrases, as kernels walk it."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from treewright.arrays import Ints, Longs, starts
from treewright.translation.phrases._kernels import EMPTY, count_nodes, find_slot, grow_trie

_FULLEST = 0.7


class PhraseTrie(NamedTuple):
    """A hash table from `node * words + word` to the child; the root is node 0.

    Free slots have the key -1; their number is a power of two. The options of the phrase that ends
    in a node are the rows `option_start[node] : option_start[node + 1]`.
    """

    keys: Longs
    children: Ints
    option_start: Longs
    words: int

    @property
    def num_nodes(self) -> int:
        """How many nodes there are, the root included."""
        return self.option_start.size - 1

    def find(self, phrase: Ints) -> int:
        """Return the node of a phrase, or -1 if none of its phrases begins so."""
        node = 0
        for word in phrase.tolist():
            if not 0 <= word < self.words:
                return -1
            place = find_slot(self.keys, np.int64(node * self.words + word))
            if self.keys[place] == EMPTY:
                return -1
            node = int(self.children[place])
        return node

    def parents(self) -> tuple[Ints, Ints]:
        """Return the parent and the last word of each node; -1 for the root."""
        parent = np.full(self.num_nodes, -1, np.int32)
        word = np.full(self.num_nodes, -1, np.int32)
        taken = self.keys != EMPTY
        parent[self.children[taken]] = self.keys[taken] // self.words
        word[self.children[taken]] = self.keys[taken] % self.words
        return parent, word

    def depths(self) -> Ints:
        """Return how many words lead to each node."""
        parent, _ = self.parents()
        depth = np.zeros(self.num_nodes, np.int32)
        above = parent
        while (above >= 0).any():
            depth += above >= 0
            above = np.where(above >= 0, parent[above], -1)
        return depth


def build_trie(start: Longs, phrases: Ints, options: Longs, words: int) -> PhraseTrie:
    """Build the trie of phrases in alphabetical order, each with its number of options."""
    size = count_nodes(start, phrases)
    slots = 1 << math.ceil(math.log2(size / _FULLEST))
    keys, children = np.full(slots, EMPTY, np.int64), np.zeros(slots, np.int32)
    nodes = np.empty(start.size - 1, np.int64)
    grow_trie(start, phrases, words, keys, children, nodes)
    at_node = np.zeros(size, np.int64)
    at_node[nodes] = options
    return PhraseTrie(keys, children, starts(at_node), words)
