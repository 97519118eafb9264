"""A text with deletions marked: by colour on a terminal, by brackets elsewhere."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
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
    pieces = []
    for is_kept, start, end in _stretches(source, _moved(source, _deleted(source, spans))):
        piece = _visible(source[start:end]) if styled else source[start:end]
        if not is_kept:
            piece = paint(piece, "red strike") if styled else f"[-{piece}-]"
        pieces.append(piece)
    return "".join(pieces).strip()


def _deleted(source: str, spans: Sequence[Span]) -> list[Span]:
    """Return what lies between spans, which are in the order of the source."""
    deleted = []
    place = 0
    for start, end in [*sorted(spans), (len(source), len(source))]:
        if source[place:start].strip():
            deleted.append((place, start))
        place = max(place, end)
    return deleted


def _moved(source: str, deleted: Sequence[Span]) -> list[Span]:
    """Join two stretches that are separated by a space if the second ends in one: of several spaces
    it does not matter which one stayed.
    """
    joined: list[Span] = []
    for start, end in deleted:
        between = source[joined[-1][1] : start] if joined else ""
        if between.isspace() and source.endswith(between, start, end):
            joined[-1] = (joined[-1][0], end - len(between))
        else:
            joined.append((start, end))
    return joined


def _stretches(source: str, deleted: Sequence[Span]) -> Iterator[tuple[bool, int, int]]:
    """Yield what is kept (true) and what is not, from left to right."""
    place = 0
    for start, end in deleted:
        yield True, place, start
        yield False, start, end
        place = end
    yield True, place, len(source)


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
