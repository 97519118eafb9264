"""Where the nodes of a tree go: words in one row at the bottom, parents centred above."""

from __future__ import annotations

from dataclasses import dataclass, field

from treewright.trees.drawing.characters import ems, shown
from treewright.trees.tree import Tree

LONGEST = 40
"""The most characters of a word or label to draw; longer ones end in an ellipsis."""


@dataclass
class Box:
    """A node, its position, and what lies below it.

    `x` is the middle of its label; `row` counts upwards from the tags (0). While boxes are being
    made, `x` and `left` are relative to the left edge of the enclosing box.
    """

    label: str
    word: str | None
    children: list[Box] = field(default_factory=list)
    width: float = 0.0
    left: float = 0.0
    x: float = 0.0
    row: int = 0


@dataclass(frozen=True)
class Fonts:
    """The sizes that a layout depends on, in the unit of its coordinates."""

    word: float
    label: float
    gap: float


def lay_out(tree: Tree, fonts: Fonts) -> list[Box]:
    """Return the boxes of a tree in preorder, in a picture whose left edge is 0.

    Every subtree has its own strip from top to bottom, in which nothing else is drawn, so labels
    and lines never cross.
    """
    boxes = _boxes(tree)
    for box in reversed(boxes):
        if box.children:
            _arrange(box, fonts)
        else:
            text = ems(box.word or "") * fonts.word
            box.width = max(text, ems(box.label) * fonts.label) + fonts.gap
            box.x = box.width / 2
    for box in boxes:
        for child in box.children:
            child.left += box.left
        box.x += box.left
    return boxes


def _boxes(tree: Tree) -> list[Box]:
    boxes: list[Box] = []
    stack: list[tuple[Tree, Box | None]] = [(tree, None)]
    while stack:
        node, parent = stack.pop()
        word = None if node.word is None else shown(node.word, LONGEST)
        box = Box(shown(node.label, LONGEST), word)
        boxes.append(box)
        if parent is not None:
            parent.children.append(box)
        stack.extend((child, box) for child in reversed(node.children))
    return boxes


def _arrange(box: Box, fonts: Fonts) -> None:
    """Put the finished boxes of the children side by side, and the label above their middle."""
    total = 0.0
    for child in box.children:
        child.left = total
        total += child.width
    first, last = box.children[0], box.children[-1]
    middle = (first.x + last.left + last.x) / 2
    half = (ems(box.label) * fonts.label + fonts.gap) / 2
    before, behind = max(0.0, half - middle), max(0.0, half - (total - middle))
    for child in box.children:
        child.left += before
    box.x = middle + before
    box.width = total + before + behind
    box.row = 1 + max(child.row for child in box.children)
