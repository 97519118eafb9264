"""Word alignments, and their Pharaoh form in files (`0-0 1-2`)."""

from __future__ import annotations

import re

from treewright.errors import DataError, ParseError

Alignment = tuple[tuple[int, int], ...]
"""Links (source position, target position), 0-based, sorted, each once."""

_LINK = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")


def parse_pharaoh(text: str, *, where: str = "") -> Alignment:
    """Read the links of one line, in any order; a blank line holds none."""
    links = set()
    for item in text.split():
        match = _LINK.fullmatch(item)
        if match is None:
            raise ParseError(
                f"{item!r} is not a link; write source-target positions from 0, as in '0-0 1-2'",
                where=where,
            )
        links.add((int(match[1]), int(match[2])))
    return tuple(sorted(links))


def format_pharaoh(alignment: Alignment) -> str:
    """Write links on one line, sorted."""
    return " ".join(f"{source}-{target}" for source, target in sorted(alignment))


def check_alignment(
    alignment: Alignment, source_length: int, target_length: int, *, where: str = ""
) -> None:
    """Raise a `DataError` at the first link that leads outside the two sentences."""
    for source, target in alignment:
        for side, position, length in (
            ("source", source, source_length),
            ("target", target, target_length),
        ):
            if not 0 <= position < length:
                raise DataError(
                    f"link {source}-{target} leads to {side} word {position}, but that side has "
                    f"{length} words (numbered from 0); make the alignment again for this pair",
                    where=where,
                )
