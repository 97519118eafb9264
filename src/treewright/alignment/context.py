"""What surrounds a word in its tree: the labels above it, and what joins it to another word."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from treewright.trees import Tree

Square = NDArray[np.int64]


def contexts(tree: Tree) -> list[tuple[str, ...]]:
    """Return each word's part of speech and the labels above it, upwards to the root."""
    found = []
    stack: list[tuple[Tree, tuple[str, ...]]] = [(tree, ())]
    while stack:
        node, above = stack.pop()
        here = (node.label, *above)
        if node.word is not None:
            found.append(here)
        stack.extend((child, here) for child in reversed(node.children))
    return found


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
    lengths = _lengths(tree)
    size = lengths[id(tree)]
    label = np.zeros((size, size), dtype=np.int64)
    depth = np.zeros((size, size), dtype=np.int64)
    position = 0
    stack = [(tree, 0)]
    while stack:
        node, level = stack.pop()
        square = slice(position, position + lengths[id(node)])
        label[square, square] = numbers.setdefault(node.label, len(numbers))
        depth[square, square] = level
        position += node.word is not None
        stack.extend((child, level + 1) for child in reversed(node.children))
    return label, depth


def _lengths(tree: Tree) -> dict[int, int]:
    """Return the number of words under each node, by the node's identity."""
    lengths: dict[int, int] = {}
    for node in reversed(list(tree.nodes())):
        below = sum(lengths[id(child)] for child in node.children)
        lengths[id(node)] = below + (node.word is not None)
    return lengths
