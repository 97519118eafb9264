"""Text that is still being written: lines of a pipe or a terminal, and whether one is there."""

from __future__ import annotations

import codecs
import io
import os
import select
import stat
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_CHUNK = 1 << 16


@contextmanager
def open_live(path: str) -> Iterator[LiveText | None]:
    """Open what may have to be waited for; return `None` for files, which are complete.

    It is also `None` for a standard input that is not the system's, and on systems that cannot wait
    for a descriptor.
    """
    if not hasattr(select, "poll"):
        yield None
    elif path == "-":
        try:
            descriptor = sys.stdin.fileno()
        except (AttributeError, io.UnsupportedOperation):
            yield None
        else:
            yield LiveText(descriptor) if _is_live(os.fstat(descriptor)) else None
    elif Path(path).exists() and _is_live(Path(path).stat()):
        with Path(path).open("rb", buffering=0) as handle:
            yield LiveText(handle.fileno())
    else:
        yield None


def _is_live(status: os.stat_result) -> bool:
    mode = status.st_mode
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode) or stat.S_ISSOCK(mode)


class LiveText:
    """UTF-8 text from a descriptor; other bytes are read as lone surrogates."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self._decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
        self._lines: deque[str] = deque()
        self._begun: list[str] = []
        self._size = 0
        self._ended = False

    def is_awaited(self, size: int) -> bool:
        """Whether `readline` would have to wait for the next line, or for that many characters of
        it.
        """
        poll = select.poll()
        poll.register(self.descriptor, select.POLLIN)
        while self._lacks(size):
            if not poll.poll(0):
                return True
            self._read()
        return False

    def readline(self, size: int) -> str:
        """Return a line with its line break, or at most that many characters; empty at the end."""
        while self._lacks(size):
            self._read()
        if self._lines:
            line = self._lines.popleft()
            if len(line) > size:
                self._lines.appendleft(line[size:])
            return line[:size]
        begun = "".join(self._begun)
        self._begun, self._size = [begun[size:]], max(0, len(begun) - size)
        return begun[:size]

    def _lacks(self, size: int) -> bool:
        return not self._lines and not self._ended and self._size < size

    def _read(self) -> None:
        """Read what is there: at least one byte, unless it is the end."""
        data = os.read(self.descriptor, _CHUNK)
        self._ended = not data
        *whole, begun = self._decoder.decode(data, final=not data).split("\n")
        for text in whole:
            self._lines.append(f"{''.join(self._begun)}{text}\n")
            self._begun, self._size = [], 0
        self._begun.append(begun)
        self._size += len(begun)
