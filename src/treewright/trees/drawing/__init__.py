"""Trees as pictures: an outline for terminals, and SVG."""

from treewright.trees.drawing.characters import columns, shown
from treewright.trees.drawing.outline import draw_outline
from treewright.trees.drawing.svg import draw_svg

__all__ = [
    "columns",
    "draw_outline",
    "draw_svg",
    "shown",
]
