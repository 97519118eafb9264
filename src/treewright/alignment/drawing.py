"""Pairs and their links as matrices: in text, SVG or HTML."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from html import escape

from treewright.corpora import Alignment
from treewright.errors import choose

Drawn = tuple[int, Sequence[str], Sequence[str], Alignment]
"""The number of a pair, its source and target words, and its links."""

_CELL, _LETTER, _MARGIN = 18, 8, 10


def draw_alignments(pairs: Iterable[Drawn], *, format: str = "text") -> str:
    """Return pairs as matrices: a row for each source word, a column for each target word."""
    return _FORMATS[choose(format, _FORMATS, "format")](list(pairs))


def _text(pairs: list[Drawn]) -> str:
    return "\n".join(_matrix(*pair) for pair in pairs)


def _matrix(number: int, source: Sequence[str], target: Sequence[str], links: Alignment) -> str:
    """Write one matrix: target words are numbered above it and named below."""
    margin = max([_width(word) for word in source], default=0)
    digits = len(str(max(0, len(target) - 1)))
    lines = [f"# {number}"]
    for row in range(digits):
        heads = (str(j).rjust(digits)[row] for j in range(len(target)))
        lines.append(f"{' ' * margin} {' '.join(heads)}".rstrip())
    marked = set(links)
    for i, word in enumerate(source):
        cells = " ".join("■" if (i, j) in marked else "·" for j in range(len(target)))
        lines.append(f"{' ' * (margin - _width(word))}{word} {cells}")
    names = " ".join(f"{j}:{word}" for j, word in enumerate(target))
    return "\n".join([*lines, names, ""])


def _width(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in text)
    marks = sum(unicodedata.combining(letter) != 0 for letter in text)
    return len(text) + wide - marks


def _svg(pairs: list[Drawn]) -> str:
    """Return one picture with the matrices below one another."""
    parts, top, right = [], 0, 0
    for pair in pairs:
        drawn, width, height = _picture(*pair, top=top)
        parts.append(drawn)
        top, right = top + height, max(right, width)
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{right}" height="{top}" '
        f'font-family="sans-serif" font-size="12">\n{body}\n</svg>\n'
    )


def _picture(
    number: int, source: Sequence[str], target: Sequence[str], links: Alignment, *, top: int
) -> tuple[str, int, int]:
    """Return one matrix below `top`, the width and the height that it needs."""
    left = _MARGIN + _LETTER * max([_width(word) for word in source], default=0) + _MARGIN
    above = top + _MARGIN + _LETTER * max([_width(word) for word in target], default=0) + _CELL
    parts = [f"<g><title>{number}</title>"]
    for i, word in enumerate(source):
        y = above + i * _CELL + _CELL - 5
        parts.append(f'<text x="{left - 6}" y="{y}" text-anchor="end">{escape(word)}</text>')
    for j, word in enumerate(target):
        x = left + j * _CELL + _CELL - 5
        turn = f'transform="rotate(-90 {x} {above - 6})"'
        parts.append(f'<text x="{x}" y="{above - 6}" {turn}>{escape(word)}</text>')
    marked = set(links)
    for i in range(len(source)):
        for j in range(len(target)):
            fill = "#333" if (i, j) in marked else "#fff"
            parts.append(
                f'<rect x="{left + j * _CELL}" y="{above + i * _CELL}" width="{_CELL}" '
                f'height="{_CELL}" fill="{fill}" stroke="#ccc"/>'
            )
    width = left + len(target) * _CELL + _MARGIN
    height = above - top + len(source) * _CELL + _MARGIN
    return "\n".join([*parts, "</g>"]), width, height


def _html(pairs: list[Drawn]) -> str:
    """Return a page with a table for each pair."""
    tables = "\n".join(_table(*pair) for pair in pairs)
    style = (
        "table{border-collapse:collapse;margin:1em}td{width:1.2em;height:1.2em;border:1px solid "
        "#ccc}td.link{background:#333}thead th{writing-mode:vertical-rl;text-align:right}"
        "th{font-weight:normal;text-align:right;padding:2px 6px}caption{text-align:left}"
    )
    return (
        '<!DOCTYPE html>\n<html><head><meta charset="utf-8"><title>Alignments</title>'
        f"<style>{style}</style></head><body>\n{tables}\n</body></html>\n"
    )


def _table(number: int, source: Sequence[str], target: Sequence[str], links: Alignment) -> str:
    marked = set(links)
    head = "".join(f"<th>{escape(word)}</th>" for word in target)
    rows = []
    for i, word in enumerate(source):
        cells = "".join(
            f'<td class="link" title="{escape(word)} {escape(other)}"></td>'
            if (i, j) in marked
            else "<td></td>"
            for j, other in enumerate(target)
        )
        rows.append(f"<tr><th>{escape(word)}</th>{cells}</tr>")
    body = "\n".join(rows)
    return (
        f"<table><caption>{number}</caption><thead><tr><th></th>{head}</tr></thead>"
        f"<tbody>\n{body}\n</tbody></table>"
    )


_FORMATS = {"text": _text, "svg": _svg, "html": _html}
