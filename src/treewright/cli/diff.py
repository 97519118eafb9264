"""A text with deletions marked: by colour on a terminal, by brackets elsewhere."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import IO, Any

Span = tuple[int, int]

_LINE = re.compile(r"[^\n\t]+")


def is_styled(handle: IO[Any]) -> bool:
    """Whether colour can be shown, and is wanted (see no-color.org)."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM", "") in ("", "dumb", "unknown"):
        return False
    return handle.isatty()


def draw_diff(source: str, spans: Sequence[Span], *, styled: bool = False) -> str:
    """Return the source with deleted stretches struck out in red or written `[-like this-]`.

    Styled, control characters are made visible: a text must not move a terminal's cursor.
    """
    from treewright.compression import mark_deletions, stretches

    if not styled:
        return mark_deletions(source, spans)
    pieces = []
    for is_kept, start, end in stretches(source, spans):
        piece = _visible(source[start:end])
        pieces.append(piece if is_kept else paint(piece, "red strike"))
    return "".join(pieces).strip()


def paint(text: str, style: str) -> str:
    """Return text in a style that rich knows, each line by itself."""
    from rich.color import ColorSystem
    from rich.style import Style

    made = Style.parse(style)
    rendered = [made.render(line, color_system=ColorSystem.STANDARD) for line in text.split("\n")]
    return "\n".join(rendered)


def _visible(text: str) -> str:
    from treewright.trees.drawing import shown

    return _LINE.sub(lambda found: shown(found[0]), text)
