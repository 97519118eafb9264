"""`Surroundings`: a tree as arrays, for everything that features of its nodes and gaps need.

Labels, tags and words are 64-bit hashes: two features are the same if their hashes are, and no
vocabulary has to be kept with a model.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.pruning.circumstances import head_place
from treewright.pruning.gaps import LONGEST, Gaps
from treewright.trees import Tree

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
    """The token that is the syntactic head of each node."""
    first: Ints
    last: Ints
    depth: Ints
    place: Ints
    """The number of siblings before each node."""
    siblings: Hashes
    """A polynomial hash of the labels from the first sibling up to each node; 0 at -1."""
    tag: Hashes
    word: Hashes
    shape: Ints
    """Of each token, bits for: negation, digit, capital, verb, no word at all."""
    gaps: Gaps

    @classmethod
    def of(cls, nodes: Sequence[Tree], end: Sequence[int], gaps: Gaps) -> Surroundings:
        """Compute the surroundings of a tree."""
        label = [hashed(node.label) for node in nodes] + [EDGE]
        families = _Families.of(label, end)
        head_child, head, first, last, production = _heads(nodes, families.children)
        words = [(node.label, node.word) for node in nodes if node.word is not None]
        return cls(
            label=_hashes(label),
            production=_hashes(production),
            parent=_numbers(families.parent),
            previous=_numbers(families.previous),
            next=_numbers(families.next),
            head_child=_numbers(head_child),
            head=_numbers(head),
            first=_numbers(first),
            last=_numbers(last),
            depth=_numbers(families.depth),
            place=_numbers(families.place),
            siblings=_hashes(families.siblings),
            tag=_hashes([EDGE, *[hashed(tag) for tag, _ in words], EDGE]),
            word=_hashes([EDGE, *[hashed(word.lower()) for _, word in words], EDGE]),
            shape=_numbers([0, *[_shape(tag, word) for tag, word in words], 0]),
            gaps=gaps,
        )

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
    def gap_left(self) -> Ints:
        """The last token before each gap, within the parent or not."""
        parent, left = self.gaps.parent, self.gaps.left
        return np.where(left < 0, self.first[parent] - 1, self.last[left])

    @cached_property
    def gap_right(self) -> Ints:
        """The first token after each gap, within the parent or not."""
        parent, right = self.gaps.parent, self.gaps.right
        return np.where(right < 0, self.last[parent] + 1, self.first[right])

    @cached_property
    def token_governor(self) -> Ints:
        """The token that governs each token; 0 for the topmost."""
        is_preterminal = (self.head_child[:-1] < 0) & (self.head[:-1] > 0)
        return self.governor[is_preterminal]

    @property
    def size(self) -> int:
        """The number of nodes."""
        return len(self.label) - 1


class _Families(NamedTuple):
    """What is above and beside each node, and the children of each; see `Surroundings`."""

    children: list[list[int]]
    parent: list[int]
    previous: list[int]
    next: list[int]
    depth: list[int]
    place: list[int]
    siblings: list[int]

    @classmethod
    def of(cls, label: Sequence[int], end: Sequence[int]) -> _Families:
        """Go through the children of every node."""
        size = len(end) + 1
        families = cls([[] for _ in end], *[[-1] * size for _ in range(3)], *_zeros(3, size))
        children, parent, previous, following, depth, place, siblings = families
        for x, row in enumerate(children):
            child, before = x + 1, -1
            while child < end[x]:
                parent[child], depth[child], place[child] = x, depth[x] + 1, len(row)
                previous[child] = before
                siblings[child] = label[child]
                if before >= 0:
                    following[before] = child
                    siblings[child] = (siblings[before] * _BASE + label[child]) & _WORD
                row.append(child)
                child, before = end[child], child
        return families


def _heads(nodes: Sequence[Tree], children: Sequence[Sequence[int]]) -> tuple[list[int], ...]:
    """Return the head child, the head, the first and the last token of each node; its production.

    The last entry of each is that of the edge. A leaf without a word has no tokens and no head.
    """
    size = len(nodes)
    head_child, production = [-1] * (size + 1), [EDGE] * (size + 1)
    head, first, last = _zeros(3, size + 1)
    last[size] = -1
    token = sum(node.word is not None for node in nodes)
    for x in range(size - 1, -1, -1):
        node, row = nodes[x], children[x]
        if node.word is not None:
            head[x] = first[x] = last[x] = token
            production[x] = hashed(node.word.lower())
            token -= 1
            continue
        if not row:
            first[x], last[x] = token + 1, token
            continue
        labels = " ".join([child.label for child in node.children])
        head_child[x] = row[head_place(node.label, labels)]
        head[x] = head[head_child[x]]
        first[x], last[x] = first[row[0]], last[row[-1]]
        production[x] = hashed(f"{node.label} {labels}")
    return head_child, head, first, last, production


def _zeros(rows: int, size: int) -> list[list[int]]:
    return [[0] * size for _ in range(rows)]


def _hashes(values: list[int]) -> Hashes:
    return np.array(values, dtype=np.uint64)


def _numbers(values: list[int]) -> Ints:
    return np.array(values, dtype=np.int64)


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
