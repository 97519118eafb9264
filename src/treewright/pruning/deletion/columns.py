"""Tables of what is known about each token and each constituent of a source tree, as hashes."""

from __future__ import annotations

import hashlib
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from treewright.trees import Tree
from treewright.trees.heads import head_words
from treewright.trees.packed import PackedTrees

Keys = NDArray[np.uint64]
Ints = NDArray[np.int32]

TOKEN_COLUMNS = (
    *("word", "word-1", "word+1", "tag", "tag-1", "tag+1", "parent", "grandparent"),
    *("governor_word", "governor_tag", "side", "phrase", "above", "leaf", "depth", "place"),
)
"""`phrase` is the largest constituent that a token heads and `above` the parent of that, `side`
whether the governor comes before it, `leaf` whether it governs nothing, `place` its distance from
either end of the sentence.
"""

PHRASE_COLUMNS = (
    *("label", "parent", "head_tag", "head_word", "first_word", "before", "after", "size"),
    "parent_head_tag",
)
"""`before` and `after` are the tags of the tokens around a constituent."""


@lru_cache(maxsize=1 << 16)
def hashed(text: str) -> int:
    """Return a 64-bit hash that is the same on every machine."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


class View:
    """A tree's nodes in preorder and its tokens, as arrays.

    Positions of tokens run from 1 to n; 0 is the start of the sentence and n + 1 its end.
    """

    def __init__(self, tree: Tree) -> None:
        nodes: list[Tree] = []
        packed = PackedTrees.pack([tree], nodes=nodes)
        words = ["", *[node.word.lower() for node in nodes if node.word is not None], ""]
        self.size = len(words)
        self.label = np.array([hashed(node.label) for node in nodes], dtype=np.uint64)
        self.parent = packed.parent
        self.low, self.high = packed.left + 1, packed.right
        self.head = np.array(head_words(tree), dtype=np.int32) + 1
        self.word = np.array([hashed(word) for word in words], dtype=np.uint64)
        self.leaf = np.zeros(self.size, dtype=np.int64)
        self.leaf[1:-1] = np.flatnonzero(packed.word >= 0)
        self.tag = self.label[self.leaf]
        self.tag[[0, -1]] = hashed("")
        self.top = self._tops()
        above = self.parent[self.top]
        self.governor: Ints = np.where(above >= 0, self.head[above], -1).astype(np.int32)
        self.governor[[0, -1]] = -1

    def _tops(self) -> Ints:
        """Return the highest node that each token heads; the root for start and end."""
        tops = np.zeros(self.size, dtype=np.int32)
        # From the bottom up, so of several nodes with one head the highest is written last.
        order = np.arange(len(self.head) - 1, -1, -1)
        tops[self.head[order]] = order
        tops[[0, -1]] = 0
        return tops

    def _up(self, nodes: NDArray[np.integer]) -> Ints:
        """Return the parents of nodes, the root for the root."""
        parents: Ints = np.maximum(self.parent[nodes], 0)
        return parents

    def _depth(self) -> NDArray[np.int64]:
        depth: list[int] = []
        for parent in self.parent.tolist():
            depth.append(depth[parent] + 1 if parent >= 0 else 0)
        return np.array(depth)

    def token_table(self) -> Keys:
        """Return `TOKEN_COLUMNS`, one row per position."""
        position = np.arange(self.size)
        behind = np.minimum(position + 1, self.size - 1)
        up = self._up(self.leaf)
        governor = np.maximum(self.governor, 0)
        governs = np.zeros(self.size, dtype=np.bool_)
        governs[governor] = True
        return _table(
            self.word,
            self.word[position - 1],
            self.word[behind],
            self.tag,
            self.tag[position - 1],
            self.tag[behind],
            self.label[up],
            self.label[self._up(up)],
            self.word[governor],
            self.tag[governor],
            self.governor < position,
            self.label[self.top],
            self.label[self._up(self.top)],
            ~governs,
            np.minimum(self._depth()[self.leaf], 15) // 2,
            np.minimum(position, 4) + 8 * np.minimum(self.size - 1 - position, 4),
        )

    def phrase_table(self) -> Keys:
        """Return `PHRASE_COLUMNS`, one row per node."""
        up = self._up(np.arange(len(self.parent)))
        return _table(
            self.label,
            self.label[up],
            self.tag[self.head],
            self.word[self.head],
            self.word[self.low],
            self.tag[self.low - 1],
            self.tag[self.high + 1],
            np.minimum(self.high - self.low, 15) // 2,
            self.tag[self.head[up]],
        )


def _table(*columns: NDArray[np.generic]) -> Keys:
    return np.stack([column.astype(np.uint64) for column in columns], axis=1)
