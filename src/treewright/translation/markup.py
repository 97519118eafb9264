"""Marked input: spans whose translation the user gives.

    the <fix translation="Haus am See">lake house</fix> is small

The tag may have any name. Within the value and the text, `&quot;`, `&lt;`, `&gt;` and `&amp;` stand
for the characters.
"""

from __future__ import annotations

import re
from html import unescape

from treewright.errors import ParseError
from treewright.translation.decoding.options import Fixed

_TAG = re.compile(r"<\s*(/?)\s*(\w+)([^<>]*)>")
_VALUE = re.compile(r"\s*translation\s*=\s*\"([^\"]*)\"\s*")


def parse_marked(line: str, *, where: str = "") -> tuple[list[str], tuple[Fixed, ...]]:
    """Return the words of a line and the spans that it fixes."""
    words: list[str] = []
    fixed: list[Fixed] = []
    position = 0
    opened: tuple[str, int, tuple[str, ...]] | None = None
    for tag in _TAG.finditer(line):
        words += _words(line[position : tag.start()])
        position = tag.end()
        closes, name, rest = tag.groups()
        if not closes:
            value = _VALUE.fullmatch(rest)
            if opened is not None or value is None:
                raise ParseError(
                    f"{tag[0]!r} where a span may not start; write "
                    '<fix translation="…">words</fix>, spans not within spans',
                    where=where,
                )
            opened = name, len(words), tuple(_words(value[1]))
            continue
        if opened is None or opened[0] != name or opened[1] == len(words):
            raise ParseError(
                f'{tag[0]!r} ends no span with words in it; write <fix translation="…">words</fix>',
                where=where,
            )
        fixed.append(Fixed(opened[1], len(words), opened[2]))
        opened = None
    if opened is not None:
        raise ParseError(f"<{opened[0]}> is not closed; write </{opened[0]}>", where=where)
    words += _words(line[position:])
    return words, tuple(fixed)


def _words(text: str) -> list[str]:
    return [unescape(word) for word in text.split()]
