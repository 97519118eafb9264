"""Limits on what a corpus may hold, and lines read within them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from treewright.errors import DataError
from treewright.trees import Tree

MAX_WORDS = 1000
"""Longer sentences are refused: they are a broken sentence splitter's, and cost what they like."""

MAX_LINE = 1 << 24
"""Longer lines are refused, so that a file without line ends does not fill the memory."""


def check_size(tree: Tree, max_words: int, *, what: str, where: str) -> None:
    """Raise a `DataError` if a tree has more than `max_words` words."""
    count = len(tree.words())
    if count > max_words:
        raise DataError(
            f"{what} has {count} words, the limit is {max_words}; split it into sentences",
            where=where,
        )


class Lines(Protocol):
    """Text that is read line by line."""

    def readline(self, size: int, /) -> str:
        """Return a line with its end, or so many characters of it; nothing where the text ends."""
        ...


def numbered_lines(handle: Lines, path: str) -> Iterator[tuple[int, str | DataError]]:
    """Yield lines without their ends, from 1; one that is too long comes as an error in place."""
    number = 0
    while text := handle.readline(MAX_LINE + 1):
        number += 1
        if number == 1:
            text = text.removeprefix("\ufeff")
        if len(text) > MAX_LINE and not text.endswith("\n"):
            while (rest := handle.readline(MAX_LINE)) and not rest.endswith("\n"):
                pass
            yield (
                number,
                DataError(
                    f"a line of more than {MAX_LINE} characters; is this a file of lines?",
                    where=f"{path}:{number}",
                ),
            )
        else:
            yield number, text.rstrip("\n")
