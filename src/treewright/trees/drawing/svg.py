"""A tree as a standalone SVG picture; the same tree always gives the same bytes."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from treewright.trees.drawing.characters import shown
from treewright.trees.drawing.layout import Box, Fonts, lay_out
from treewright.trees.tree import Tree

_FONTS = Fonts(word=16, label=13, gap=18)
_ROW = 44.0
"""From the middle of one row of labels to the next."""
_WORDS = 24.0
"""From the middle of the row of tags to that of the words."""
_CLEAR = 11.0
"""From the middle of a label to the line above or below it."""
_BASELINE = 0.36
"""From the middle of capital letters down to the baseline, as a share of the font size."""
_MARGIN = 16.0
_BETWEEN = 36.0
_ROUND = 7.0

# Mid tones, which are visible on white and on black pages.
_STYLE = (
    "text{font-family:'Helvetica Neue',Helvetica,Arial,'Noto Sans',sans-serif;"
    "text-anchor:middle}"
    f".w{{font-size:{_FONTS.word:g}px;font-weight:500;fill:#7a7266}}"
    f".c{{font-size:{_FONTS.label:g}px;font-weight:600;fill:#2878c8}}"
    f".t{{font-size:{_FONTS.label:g}px;fill:#b0653a}}"
    "path{fill:none;stroke:#9a9a9a;stroke-width:1.3;stroke-linecap:round}"
)


def draw_svg(trees: Tree | Iterable[Tree]) -> str:
    """Draw one tree, or several below one another, as one SVG document that ends in a line break.

    Words appear from left to right in the order of the sentence, whatever their script.
    """
    several = [trees] if isinstance(trees, Tree) else list(trees)
    groups: list[str] = []
    width, top = 0.0, _MARGIN
    for tree in several:
        boxes = lay_out(tree, _FONTS)
        height = boxes[0].row * _ROW + _WORDS + 2 * _CLEAR
        groups.append(
            f'<g transform="translate({_MARGIN:g} {_number(top)})">'
            f"<title>{_text(' '.join(tree.words()))}</title>\n"
            f"{_draw(boxes)}</g>\n"
        )
        width = max(width, boxes[0].width)
        top += height + _BETWEEN
    wide = _number(width + 2 * _MARGIN)
    high = _number(top - _BETWEEN * bool(several) + _MARGIN)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" '
        f'viewBox="0 0 {wide} {high}" role="img">\n'
        f"<style>{_STYLE}</style>\n{''.join(groups)}</svg>\n"
    )


def _draw(boxes: list[Box]) -> str:
    """Draw the lines first, then the labels, then the words."""
    top = boxes[0].row

    def y(box: Box) -> float:
        return (top - box.row) * _ROW + _CLEAR

    lines = [_line(box, child, y(box), y(child)) for box in boxes for child in box.children]
    labels = [_label(box, "c" if box.children else "t", box.label, y(box)) for box in boxes]
    bottom = top * _ROW + _CLEAR + _WORDS
    words = [_label(box, "w", box.word, bottom) for box in boxes if box.word is not None]
    path = f'<path d="{" ".join(lines)}"/>\n' if lines else ""
    return path + "".join(labels) + "".join(words)


def _line(parent: Box, child: Box, above: float, below: float) -> str:
    """Go down from a parent, round the corner, and straight down to the child."""
    start, end = above + _CLEAR, below - _CLEAR
    turn = (above + above + _ROW) / 2
    across = child.x - parent.x
    if abs(across) < 1:
        return f"M{_number(child.x)} {_number(start)}V{_number(end)}"
    bend = min(_ROUND, abs(across))
    towards = bend if across > 0 else -bend
    return (
        f"M{_number(parent.x)} {_number(start)}V{_number(turn)}H{_number(child.x - towards)}"
        f"Q{_number(child.x)} {_number(turn)} {_number(child.x)} {_number(turn + bend)}"
        f"V{_number(end)}"
    )


def _label(box: Box, kind: str, text: str, y: float) -> str:
    # Not every SVG viewer can centre text vertically.
    feet = y + _BASELINE * (_FONTS.word if kind == "w" else _FONTS.label)
    return f'<text class="{kind}" x="{_number(box.x)}" y="{_number(feet)}">{_text(text)}</text>\n'


def _text(text: str) -> str:
    return escape(shown(text), quote=False)


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
