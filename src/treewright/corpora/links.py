"""Word alignments: of one pair, their Pharaoh form in files (`0-0 1-2`), and of many in arrays."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from treewright.arrays import Ints, Longs
from treewright.corpora.limits import scan_plain
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


@dataclass(frozen=True, eq=False)
class Links:
    """Links of pairs side by side: those of pair `i` are at `start[i] : start[i + 1]`, sorted by
    source, then target position.
    """

    source: Ints
    target: Ints
    start: Longs

    @classmethod
    def of(cls, alignments: Iterable[Alignment]) -> Links:
        """Put alignments into arrays."""
        flat: list[tuple[int, int]] = []
        start = [0]
        for alignment in alignments:
            flat.extend(alignment)
            start.append(len(flat))
        columns = np.array(flat, np.int32).reshape(-1, 2)
        return cls(columns[:, 0].copy(), columns[:, 1].copy(), np.array(start, np.int64))

    def __len__(self) -> int:
        return self.start.size - 1

    def __getitem__(self, index: int) -> Alignment:
        span = slice(self.start[index], self.start[index + 1])
        return tuple(zip(self.source[span].tolist(), self.target[span].tolist(), strict=True))

    def __iter__(self) -> Iterator[Alignment]:
        return (self[index] for index in range(len(self)))

    def digest(self) -> str:
        """Return a digest that tells these links from others."""
        parts = (self.start, self.source, self.target)
        return hashlib.sha256(b"".join(part.tobytes() for part in parts)).hexdigest()[:32]

    def lines(self) -> Iterator[str]:
        """Yield the Pharaoh form of each pair, as files hold it."""
        return map(format_pharaoh, self)


def scan_links(path: str | Path) -> Iterator[tuple[str, Alignment | DataError]]:
    """Stream where each line of a Pharaoh file is, and its links or what is wrong with them."""
    for where, line in scan_plain(path):
        try:
            yield where, line if isinstance(line, DataError) else parse_pharaoh(line, where=where)
        except DataError as error:
            yield where, error


def read_links(path: str | Path, sizes: Sequence[tuple[int, int]]) -> Links:
    """Read a Pharaoh file for pairs with these numbers of source and target words.

    The first line that is wrong ends in an error: links that do not fit the text are those of
    another text.
    """
    alignments: list[Alignment] = []
    for where, links in scan_links(path):
        if isinstance(links, DataError):
            raise links
        if len(alignments) == len(sizes):
            raise DataError(
                f"links for a pair that is not there: the text has {len(sizes)} "
                "lines; align this text",
                where=where,
            )
        check_alignment(links, *sizes[len(alignments)], where=where)
        alignments.append(links)
    if len(alignments) < len(sizes):
        raise DataError(
            f"it ends after {len(alignments)} lines, the text after {len(sizes)}; align this text",
            where=str(path),
        )
    return Links.of(alignments)
