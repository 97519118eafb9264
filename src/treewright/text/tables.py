"""Which lines of a text are rows of a table: pipes, tabs, commas without spaces, or columns."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

_RULE = re.compile(
    r"\s*[|+]?\s*:?[-=]{2,}:?\s*(?:[|+]\s*:?[-=]{2,}:?\s*)+[|+]?\s*$|\s*\+[-=+]{3,}\+\s*$"
)
_BOX = re.compile(r"[\u2500-\u257f]")
_CELL_COMMA = re.compile(r"(?:(?<!\d),|,(?!\d{3}(?!\d)))(?=[^\s'’”])(?!\"(?:\s|$))")
_TIGHT_COMMA = re.compile(r",\S")
_CELL_SEMICOLON = re.compile(r";(?=\S)")
_PROSE_COMMA = re.compile(r",\s")
_COLUMN = re.compile(r"(?<=[^\s.?!:])(?: {2,}|\t+)(?=\S)")
_FEW = 3
"""Separators that make a row of a single line."""


def table_lines(lines: Sequence[str]) -> list[bool]:
    """Say for each line whether it is a row of a table."""
    found = [_is_row(line) for line in lines]
    if len(lines) > 1:
        _mark_around_rules(lines, found)
        for count in (_tabs, _commas, _semicolons):
            _mark_runs(lines, found, count)
        _mark_columns(lines, found)
    return found


def _is_row(line: str) -> bool:
    """Whether a line is a row even if it stands alone."""
    if "|" in line:
        text = line.strip()
        if text.count("|") >= _FEW and text[0] == "|" == text[-1]:
            return True
        return _RULE.match(line) is not None
    if "\t" in line and _tabs(line) >= _FEW:
        return True
    if "+-" in line or "+=" in line:
        return _RULE.match(line) is not None
    if "," in line and _commas(line) >= _FEW and _short_cells(line, _CELL_COMMA):
        return True
    return not line.isascii() and len(_BOX.findall(line)) >= _FEW


def _short_cells(line: str, separator: re.Pattern[str]) -> bool:
    """Whether cells have two words on average, at most."""
    return len(line.split()) <= len(separator.findall(line)) + 1


def _tabs(line: str) -> int:
    """Return the number of tabs between cells."""
    return line.strip().count("\t")


def _commas(line: str) -> int:
    """Return the number of commas between cells; there are none if more look like prose."""
    if not _TIGHT_COMMA.search(line):
        return 0
    cells = len(_CELL_COMMA.findall(line))
    return cells if cells > 1 and cells > len(_PROSE_COMMA.findall(line)) else 0


def _semicolons(line: str) -> int:
    cells = len(_CELL_SEMICOLON.findall(line))
    return cells if cells > 1 else 0


def _mark_around_rules(lines: Sequence[str], found: list[bool]) -> None:
    """Mark the rows above and below a rule such as `---|---`."""
    for place, line in enumerate(lines):
        if found[place] and _RULE.match(line):
            for step in (1, -1):
                other = place + step
                while 0 <= other < len(lines) and "|" in lines[other]:
                    found[other] = True
                    other += step


def _mark_runs(lines: Sequence[str], found: list[bool], count: Callable[[str], int]) -> None:
    """Mark neighbours with the same number of separators."""
    numbers = [count(line) for line in lines]
    for place in range(1, len(lines)):
        if numbers[place] and numbers[place] == numbers[place - 1]:
            found[place - 1] = found[place] = True


def _mark_columns(lines: Sequence[str], found: list[bool]) -> None:
    """Mark three or more lines with wide gaps, or with columns that line up."""
    gaps = [[match.span() for match in _COLUMN.finditer(line)] for line in lines]
    for place in range(2, len(lines)):
        three = gaps[place - 2 : place + 1]
        left, right = (
            set.intersection(*[{gap[end] for gap in each} for each in three]) for end in (0, 1)
        )
        wide = [sum(end - start > 2 for start, end in each) for each in three]
        if right or (left and min(map(len, three)) > 1) or min(wide) > 1:
            found[place - 2 : place + 1] = [True] * 3
