"""Reading the texts to shorten: one text, a document, or a stream of lines or JSON Lines."""

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
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from treewright.errors import DataError, UsageError
from treewright.files import check_text, open_text

if TYPE_CHECKING:
    from treewright.compression import Awaited, Input

_CHUNK = 1 << 16


@dataclass(frozen=True, kw_only=True)
class Texts:
    """Where texts come from: the command line or the file at `path`, and how they are read.

    For a file, `by_line` says whether every line is a text.
    """

    text: str
    path: str | None
    by_line: bool
    tokenized: bool
    jsonl: bool

    @classmethod
    def of(
        cls, text: str | None, file: str | None, *, by_line: bool, tokenized: bool, jsonl: bool
    ) -> Texts:
        """Interpret what the user gave, and report what is missing."""
        path = file
        if text is None and file is None:
            if sys.stdin.isatty():
                raise UsageError("nothing to shorten; give a TEXT, --file FILE, or pipe text in")
            path = "-"
        elif text is not None and file is not None:
            raise UsageError("a TEXT and --file contradict each other; give one of them")
        elif text == "-":
            path = "-"
        if path is None and jsonl:
            raise UsageError("--jsonl is for files and stdin, not for a TEXT")
        jsonl = jsonl or (path is not None and path.endswith(".jsonl"))
        by_line = by_line or jsonl or (tokenized and path is not None)
        return cls(text=text or "", path=path, by_line=by_line, tokenized=tokenized, jsonl=jsonl)

    @property
    def is_one(self) -> bool:
        """Whether there is only one text."""
        return self.path is None or not self.by_line

    def format(self, given: str) -> str:
        """Return the format of documents: lines and tokens have none, and JSON only a given one."""
        if given in ("auto", "plain"):
            return "plain" if self.by_line or self.tokenized else given
        if self.tokenized or (self.by_line and not self.jsonl):
            raise UsageError(f"lines and tokens are no documents; leave out --format {given}")
        return given

    def read(self) -> Iterator[Input | Awaited]:
        """Stream the texts, and say when the next line is yet to arrive."""
        if self.path is None:
            yield given_text(self.text, tokenized=self.tokenized)
        elif self.by_line:
            yield from lines(self.path, tokenized=self.tokenized, jsonl=self.jsonl)
        else:
            yield document(self.path)


def given_text(text: str, *, tokenized: bool = False) -> Input:
    """Take a text from the command line; tokenised, it is one sentence."""
    from treewright.compression import Input, check_length

    check_text(text, "TEXT", 1)
    check_length(text, "TEXT", "cut it into parts")
    return Input(text, text.split() if tokenized else text, "")


def document(path: str) -> Input:
    """Read a file as one text, with its line ends unchanged."""
    from treewright.compression import MAX_TEXT, Input, check_length

    with open_text(path, exact=True) as handle:
        text = handle.read(MAX_TEXT + 1)
    check_length(text, path, "cut it into parts, or shorten it line by line with --lines")
    for number, line in enumerate(text.split("\n"), start=1):
        check_text(line, path, number, 0 if number == 1 and line.startswith("\ufeff") else 1)
    return Input(text, text, path)


def lines(path: str, *, tokenized: bool = False, jsonl: bool = False) -> Iterator[Input | Awaited]:
    """Stream one text per line, with an error in place of each bad line.

    Only a line feed ends a line. Tokens are split at white space. In JSON Lines an empty line is an
    empty text; if an object has both, `text` is read, or `tokens` if `tokenized`.
    """
    from treewright.compression import Input, check_length, read_item

    for entry in _numbered(path):
        if not isinstance(entry, tuple):
            yield entry
            continue
        number, line = entry
        where = f"{path}:{number}"
        if isinstance(line, DataError):
            message = f"{line.message} An empty line stands for it"
            yield Input("", DataError(message, where=where), where)
            continue
        line = line.removesuffix("\r")
        try:
            check_text(line, path, number)
            if jsonl and line.strip():
                yield read_item(line, where, tokenized=tokenized)
                continue
            check_length(line, where, "cut it into several lines")
        except DataError as error:
            yield Input(line, error, where)
        else:
            yield Input(line, line.split() if tokenized else line, where)


def _numbered(path: str) -> Iterator[tuple[int, str | DataError] | Awaited]:
    """Yield numbered lines; before one that is yet to arrive, what to wait for."""
    from treewright.corpora import MAX_LINE, numbered_lines

    with open_live(path) as live:
        if live is None:
            with open_text(path, exact=True) as handle:
                yield from numbered_lines(handle, path)
            return
        from treewright.compression import Awaited

        arriving = numbered_lines(live, path)
        while True:
            while live.is_awaited(MAX_LINE + 1):
                yield Awaited(live.descriptor)
            line = next(arriving, None)
            if line is None:
                return
            yield line


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
