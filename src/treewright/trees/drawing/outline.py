"""A tree as an outline for a terminal: one line per word, few columns per level."""

from __future__ import annotations

from treewright.trees.drawing.characters import columns, shown
from treewright.trees.tree import Tree

_WIDE = ("├── ", "└── ", "│   ", "    ")
_TIGHT = ("├ ", "└ ", "│ ", "  ")


def draw_outline(tree: Tree, *, width: int | None = None) -> str:
    """Draw a tree with a line for every word and every branching, without a final line break.

    Nodes with a single child share its line (`S ─ VP`). An outline wider than `width` columns is
    drawn with less indentation; if it is still too wide, it stays so.
    """
    drawn = _draw(tree, _WIDE)
    if width is not None and max(map(columns, drawn)) > width:
        drawn = _draw(tree, _TIGHT)
    return "\n".join(drawn)


def _draw(tree: Tree, style: tuple[str, str, str, str]) -> list[str]:
    fork, last, bar, blank = style
    lines: list[str] = []
    stack = [(tree, "", "")]
    while stack:
        node, lead, below = stack.pop()
        labels = [node.label]
        while len(node.children) == 1:
            node = node.children[0]
            labels.append(node.label)
        text = " ─ ".join(map(shown, labels))
        if node.word is not None:
            text = f"{text} {shown(node.word)}"
        lines.append(lead + text)
        ends = [False] * (len(node.children) - 1) + [True]
        stack += [
            (child, below + (last if end else fork), below + (blank if end else bar))
            for child, end in zip(reversed(node.children), reversed(ends), strict=False)
        ]
    return lines
