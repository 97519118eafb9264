"""Reading the texts to shorten: one text, a document, or a stream of lines or JSON Lines."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from treewright.cli.live import open_live
from treewright.errors import DataError, UsageError
from treewright.files import check_text, open_text

if TYPE_CHECKING:
    from treewright.compression import Awaited, Input


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
