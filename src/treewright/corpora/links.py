"""The word alignments of many pairs in arrays, as aligners give them and extraction takes them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from treewright.corpora.limits import numbered_lines
from treewright.corpora.pharaoh import Alignment, check_alignment, format_pharaoh, parse_pharaoh
from treewright.errors import DataError
from treewright.files import check_text, open_text


@dataclass(frozen=True, eq=False)
class Links:
    """Links of pairs side by side: those of pair `i` are at `start[i] : start[i + 1]`, sorted by
    source, then target position.
    """

    source: NDArray[np.int32]
    target: NDArray[np.int32]
    start: NDArray[np.int64]

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


def read_links(path: str | Path, sizes: Sequence[tuple[int, int]]) -> Links:
    """Read a Pharaoh file for pairs with these numbers of source and target words.

    The first line that is wrong ends in an error: links that do not fit the text are those of
    another text.
    """
    name = str(path)
    alignments: list[Alignment] = []
    with open_text(path) as handle:
        for number, text in numbered_lines(handle, name):
            if isinstance(text, DataError):
                raise text
            check_text(text, name, number)
            links = parse_pharaoh(text, where=f"{name}:{number}")
            if number > len(sizes):
                raise DataError(
                    f"links for a pair that is not there: the text has {len(sizes)} "
                    "lines; align this text",
                    where=f"{name}:{number}",
                )
            check_alignment(links, *sizes[number - 1], where=f"{name}:{number}")
            alignments.append(links)
    if len(alignments) < len(sizes):
        raise DataError(
            f"it ends after {len(alignments)} lines, the text after {len(sizes)}; align this text",
            where=name,
        )
    return Links.of(alignments)
