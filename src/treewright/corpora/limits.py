"""Limits on the contents of a corpus, and lines read within them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

from treewright.errors import DataError
from treewright.files import check_text, open_text

Item = TypeVar("Item")

MAX_WORDS = 1000
"""Longer sentences are rejected: they come from a broken sentence splitter."""

MAX_LINE = 1 << 24
"""Longer lines are rejected, so a file without line breaks does not fill the memory."""


def check_size(words: Sequence[str], max_words: int, *, what: str, where: str) -> None:
    """Raise a `DataError` if a sentence has more than `max_words` words."""
    count = len(words)
    if count > max_words:
        raise DataError(
            f"{what} has {count} words, the limit is {max_words}; split it into sentences",
            where=where,
        )


class Lines(Protocol):
    """Text that is read line by line."""

    def readline(self, size: int, /) -> str:
        """Return a line with its line break, or at most that many characters of it; empty at the
        end.
        """
        ...


def numbered_lines(handle: Lines, path: str) -> Iterator[tuple[int, str | DataError]]:
    """Yield lines without their line breaks, numbered from 1, with an error in place of one too
    long.
    """
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


def scan_plain(path: str | Path) -> Iterator[tuple[str, str | DataError]]:
    """Stream where each line of a text is, and the line or what is wrong with it."""
    name = str(path)
    with open_text(path) as handle:
        for number, text in numbered_lines(handle, name):
            where = f"{name}:{number}"
            if isinstance(text, DataError):
                yield where, text
                continue
            try:
                check_text(text, name, number)
            except DataError as error:
                yield where, error
            else:
                yield where, text


def read_plain(path: str | Path) -> Iterator[tuple[str, str]]:
    """Stream where each line of a text is, and the line; the first bad one is an error."""
    for where, text in scan_plain(path):
        if isinstance(text, DataError):
            raise text
        yield where, text


def read_lines(
    path: str | Path, read: Callable[[str, str], Iterable[Item]]
) -> Iterator[Item | DataError]:
    """Yield what `read` makes of each line that is not blank and of where it stands, or an error in
    place of a bad line.
    """
    for where, line in scan_plain(path):
        if isinstance(line, DataError):
            yield line
        elif line.strip():
            try:
                yield from read(line, where)
            except DataError as error:
                yield error
