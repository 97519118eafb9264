"""What surrounds a word in its tree: the labels above it, and what joins it to another word."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from treewright.arrays import Longs
from treewright.trees import Tree, TreeTable

Square = Longs


def contexts(tree: Tree) -> list[tuple[str, ...]]:
    """Return each word's part of speech and the labels above it, upwards to the root."""
    table = TreeTable(tree)
    upwards: list[tuple[str, ...]] = []
    for node, above in zip(table.nodes, table.parent, strict=True):
        upwards.append((node.label, *(upwards[above] if above >= 0 else ())))
    return [upwards[leaf] for leaf in table.leaves]


def common_labels(a: Sequence[str], b: Sequence[str], most: int) -> int:
    """Count the labels at the start of two sequences that are equal, up to `most`."""
    count = 0
    for x, y in zip(a[:most], b[:most], strict=False):
        if x != y:
            break
        count += 1
    return count


def joints(source: Tree, target: Tree) -> tuple[Square, Square, Square]:
    """Return three matrices over pairs of words.

    The first two hold the label of the lowest constituent around both words (a number, the same in
    both trees), the third the number of steps from one word to the other through the source tree.
    """
    numbers: dict[str, int] = {}
    source_labels, shared = _paint(source, numbers)
    target_labels, _ = _paint(target, numbers)
    own = shared.diagonal()
    return source_labels, target_labels, own[:, None] + own[None, :] - 2 * shared


def _paint(tree: Tree, numbers: dict[str, int]) -> tuple[Square, Square]:
    """Return the label and depth of the lowest constituent around each pair of words.

    In preorder, a constituent's square is painted before those of the constituents inside it.
    """
    table = TreeTable(tree)
    size = len(table.leaves)
    label = np.zeros((size, size), dtype=np.int64)
    depth = np.zeros((size, size), dtype=np.int64)
    for node, left, right, level in zip(
        table.nodes, table.left, table.right, table.depths, strict=True
    ):
        label[left:right, left:right] = numbers.setdefault(node.label, len(numbers))
        depth[left:right, left:right] = level
    return label, depth
