"""`Surroundings`: the columns of a tree that attributes look at, numbers and hashes.

Labels, tags and words are 64-bit hashes: two features are the same if their hashes are, and no
vocabulary has to be kept with a model.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treewright.pruning.gaps import LONGEST, NO_GAPS, Gaps
from treewright.trees import TreeTable

Hashes = NDArray[np.uint64]
Ints = NDArray[np.int64]


@lru_cache(maxsize=1 << 17)
def hashed(text: str) -> int:
    """Return a 64-bit hash of a text, the same in every process."""
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")


EDGE = hashed("<edge>")
"""Stands for what is beyond the edge of a sentence or a node."""

_BASE = 0x9E3779B97F4A7C15
_WORD = (1 << 64) - 1
POWERS = np.array([pow(_BASE, k, 1 << 64) for k in range(LONGEST + 2)], dtype=np.uint64)
"""The factor that a hash of siblings is multiplied by when that many are added to it."""


@dataclass(frozen=True, eq=False)
class Surroundings:
    """A tree in preorder: of each node, of each token (one more than its place), of each gap.

    Tokens 0 and -1 are the edges of the sentence. `parent`, `previous` and `next` are node
    numbers, -1 where there is none; arrays of nodes have one more entry, so that -1 finds the edge.
    """

    label: Hashes
    production: Hashes
    parent: Ints
    previous: Ints
    next: Ints
    head_child: Ints
    head: Ints
    """The token that is the syntactic head of each node; 0 if that is a leaf without a word."""
    first: Ints
    last: Ints
    depth: Ints
    place: Ints
    """The number of siblings before each node."""
    siblings: Hashes
    """A polynomial hash of the labels from the first sibling up to each node; 0 at -1."""
    leaf: Ints
    """The node of each token, -1 for the edges."""
    tag: Hashes
    word: Hashes
    shape: Ints
    """Of each token, bits for: negation, digit, capital, verb, no word at all."""
    gaps: Gaps

    @classmethod
    def of(cls, tree: TreeTable, gaps: Gaps = NO_GAPS) -> Surroundings:
        """Look around in a tree."""
        label = [hashed(node.label) for node in tree.nodes]
        parent, end, heads = (np.array(x) for x in (tree.parent, tree.end, tree.heads))
        following = np.where((parent >= 0) & (end < end[parent]), end, -1)
        previous, head_child = np.full((2, len(label)), -1)
        previous[following[following >= 0]] = np.flatnonzero(following >= 0)
        leads = np.flatnonzero((parent >= 0) & (heads >= 0) & (heads == heads[parent]))
        head_child[parent[leads]] = leads
        words = [(tree.nodes[x].label, tree.nodes[x].word or "") for x in tree.leaves]
        return cls(
            label=_hashes([*label, EDGE]),
            production=_hashes([*_productions(tree), EDGE]),
            parent=_numbers(parent, -1),
            previous=_numbers(previous, -1),
            next=_numbers(following, -1),
            head_child=_numbers(head_child, -1),
            head=_numbers(heads + 1, 0),
            first=_numbers(tree.left, -1) + 1,
            last=_numbers(tree.right, -1),
            depth=_numbers(tree.depths, 0),
            place=_numbers(tree.place, 0),
            siblings=_hashes([*_siblings(label, previous.tolist()), 0]),
            leaf=np.array([-1, *tree.leaves, -1], dtype=np.int64),
            tag=_hashes([EDGE, *[hashed(tag) for tag, _ in words], EDGE]),
            word=_hashes([EDGE, *[hashed(word.lower()) for _, word in words], EDGE]),
            shape=_numbers([0, *[_shape(tag, word) for tag, word in words]], 0),
            gaps=gaps,
        )

    @property
    def size(self) -> int:
        """The number of nodes."""
        return len(self.label) - 1

    @property
    def tokens(self) -> int:
        """The number of tokens."""
        return len(self.tag) - 2

    @cached_property
    def governor(self) -> Ints:
        """The token that governs the head of each node: the head of the first node with another."""
        above, head = self.parent[:-1].copy(), self.head[:-1]
        while True:
            climbs = (above >= 0) & (self.head[above] == head)
            if not climbs.any():
                return self.head[above]
            above[climbs] = self.parent[above[climbs]]

    @cached_property
    def token_governor(self) -> Ints:
        """The token that governs each token; 0 for the topmost, and for the edges."""
        return np.append(self.governor, 0)[self.leaf]

    @cached_property
    def token_top(self) -> Ints:
        """The highest node that each token heads, -1 for the edges."""
        tops = np.full(len(self.tag), -1)
        # From the bottom up, so that of several nodes with one head the highest is written last.
        order = np.arange(self.size - 1, -1, -1)
        tops[self.head[order]] = order
        tops[0] = -1
        return tops

    @cached_property
    def gap_left(self) -> Ints:
        """The last token before each gap, within the parent or not."""
        parent, left = self.gaps.parent, self.gaps.left
        return np.where(left < 0, self.first[parent] - 1, self.last[left])

    @cached_property
    def gap_right(self) -> Ints:
        """The first token after each gap, within the parent or not."""
        parent, right = self.gaps.parent, self.gaps.right
        return np.where(right < 0, self.last[parent] + 1, self.first[right])


def _productions(tree: TreeTable) -> list[int]:
    """Return a hash of what each node consists of: its label and its children's, or its word."""
    return [
        hashed(node.word.lower())
        if node.word is not None
        else hashed(" ".join([node.label, *[child.label for child in node.children]]))
        if node.children
        else EDGE
        for node in tree.nodes
    ]


def _siblings(label: Sequence[int], previous: Sequence[int]) -> list[int]:
    sums: list[int] = []
    for own, before in zip(label, previous, strict=True):
        sums.append(own if before < 0 else (sums[before] * _BASE + own) & _WORD)
    sums[0] = 0
    return sums


def _hashes(values: list[int]) -> Hashes:
    return np.array(values, dtype=np.uint64)


def _numbers(values: ArrayLike, edge: int) -> Ints:
    return np.append(np.asarray(values, dtype=np.int64), edge)


_NEGATIONS = frozenset(
    {"not", "n't", "no", "never", "nor", "none", "nothing", "neither", "without"}
)


@lru_cache(maxsize=1 << 16)
def _shape(tag: str, word: str) -> int:
    return (
        (word.lower() in _NEGATIONS)
        + 2 * any(map(str.isdigit, word))
        + 4 * word[:1].isupper()
        + 8 * tag.startswith(("VB", "MD", "AUX"))
        + 16 * (not any(map(str.isalnum, word)))
    )
