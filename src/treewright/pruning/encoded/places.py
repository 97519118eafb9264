"""What a network looks at when it prices a tree: positions of words, and numbers of labels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.pruning.gaps import Gaps
from treewright.trees import TreeTable

Ints = NDArray[np.int64]

UNKNOWN, START, END = range(3)
SPECIAL = ("<unknown>", "<s>", "</s>")
"""The first labels: an unknown category, and the edges of a node."""
KINDS = 32
"""Kinds of gaps: whether each end is an edge, whether nothing is dropped, how blocks continue."""


class Places(NamedTuple):
    """The nodes of a tree in preorder, then its gaps.

    Words are numbered from 1: 0 is the start of the sentence, and its end comes after the last. A
    node has its head word, that of its parent, its first and last word, its label, its parent's,
    and whether it has its parent's head. A gap has the words at both ends, which deletion makes
    neighbours (unless they are deleted themselves); the labels of the children there and of the
    parent; and its kind.
    """

    head: Ints
    parent_head: Ints
    first: Ints
    last: Ints
    label: Ints
    parent_label: Ints
    is_head: Ints
    gap_left: Ints
    gap_right: Ints
    gap_left_label: Ints
    gap_right_label: Ints
    gap_label: Ints
    gap_kind: Ints

    @classmethod
    def of(cls, tree: TreeTable, gaps: Gaps, labels: Mapping[str, int]) -> Places:
        """Look at a tree; `labels` are the numbers of those that are known."""
        first = np.array(tree.left, dtype=np.int64) + 1
        last = np.array(tree.right, dtype=np.int64)
        head = np.array(tree.heads, dtype=np.int64) + 1
        label = np.array([labels.get(node.label, UNKNOWN) for node in tree.nodes], dtype=np.int64)
        # The root is its own parent.
        parent = np.maximum(tree.parent, 0)
        gap_label = label[gaps.parent]
        at_left, at_right = gaps.left < 0, gaps.right < 0
        return cls(
            head=head,
            parent_head=head[parent],
            first=first,
            last=last,
            label=label,
            parent_label=label[parent],
            is_head=(head == head[parent]).astype(np.int64),
            gap_left=np.where(at_left, first[gaps.parent] - 1, last[gaps.left]),
            gap_right=np.where(at_right, last[gaps.parent] + 1, first[gaps.right]),
            gap_left_label=np.where(at_left, START, label[gaps.left]),
            gap_right_label=np.where(at_right, END, label[gaps.right]),
            gap_label=gap_label,
            gap_kind=at_left
            + 2 * at_right
            + 4 * (gaps.first < 0)
            + 8 * gaps.pauses
            + 16 * (gaps.resumes > 0),
        )
