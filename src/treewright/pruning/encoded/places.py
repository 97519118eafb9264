"""What a network looks at when it prices a tree: positions of words, and numbers of labels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.pruning.encoded._kernels import FAR, NEAR, look
from treewright.pruning.gaps import Gaps
from treewright.trees import TreeArrays, TreeTable

Ints = NDArray[np.int32]

UNKNOWN = 0
SPECIAL = ("<unknown>", "<s>", "</s>")
"""The first labels: of a category never seen, and of the edges of a node (`START`, `END`)."""
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
    def of(cls, source: TreeTable, gaps: Gaps, labels: Mapping[str, int]) -> Places:
        """Look at a tree; `labels` are the numbers of those that are known."""
        heads = np.array(source.heads, dtype=np.int32)
        return cls.look(source.arrays, heads, number_labels(source, labels), gaps)

    @classmethod
    def look(cls, tree: TreeArrays, heads: Ints, labels: Ints, gaps: Gaps) -> Places:
        """Look at a tree, given the place of each node's head word and the number of its label."""
        of_nodes, of_gaps = look(tree[:], heads, labels, gaps[:])
        return cls(*of_nodes, *of_gaps)


def number_labels(source: TreeTable, labels: Mapping[str, int]) -> Ints:
    """Return the number of every node's label."""
    return np.array([labels.get(node.label, UNKNOWN) for node in source.nodes], dtype=np.int32)


def distances(apart: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
    """Return the rows of the table of distances for tokens so far apart."""
    rows = np.where(apart <= NEAR, apart - 1, NEAR + np.searchsorted(FAR, apart, side="right"))
    return rows.astype(np.int64)
