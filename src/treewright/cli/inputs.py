"""Reading the texts to shorten: one text, a document, or a stream of lines or JSON Lines."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from treewright.cli.live import open_live
from treewright.errors import DataError, ParseError, UsageError
from treewright.files import FORBIDDEN, check_text, open_text

if TYPE_CHECKING:
    from treewright.compression import Awaited

MAX_TEXT = 1 << 18
"""Longer texts are rejected: all versions of all sentences of a text are in memory together."""

_SCHEMA = 'expected {"text": "…"}, {"tokens": ["…", …]} or a string'
_KINDS = {dict: "an object", list: "a list", str: "a string", bool: "a boolean", type(None): "null"}

Text = str | Sequence[str]


@dataclass(frozen=True)
class Input:
    """A text to shorten, or what is wrong with it.

    `raw` is the output if nothing can be done: the text, or the line that could not be read.
    `passed` are fields that are copied to the output.
    """

    raw: str
    text: Text | DataError
    where: str
    passed: dict[str, Any] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """The number of characters."""
        return len(self.raw)


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
    check_text(text, "TEXT", 1)
    _check_length(text, "TEXT", "cut it into parts")
    return Input(text, text.split() if tokenized else text, "")


def document(path: str) -> Input:
    """Read a file as one text, with its line ends unchanged."""
    with open_text(path, exact=True) as handle:
        text = handle.read(MAX_TEXT + 1)
    _check_length(text, path, "cut it into parts, or shorten it line by line with --lines")
    for number, line in enumerate(text.split("\n"), start=1):
        check_text(line, path, number, 0 if number == 1 and line.startswith("\ufeff") else 1)
    return Input(text, text, path)


def lines(path: str, *, tokenized: bool = False, jsonl: bool = False) -> Iterator[Input | Awaited]:
    """Stream one text per line, with an error in place of each bad line.

    Only a line feed ends a line. Tokens are split at white space. In JSON Lines an empty line is an
    empty text; if an object has both, `text` is read, or `tokens` if `tokenized`.
    """
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
                yield _from_json(line, where, tokenized)
                continue
            _check_length(line, where, "cut it into several lines")
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


def _check_length(text: str, where: str, advice: str) -> None:
    if len(text) > MAX_TEXT:
        raise DataError(f"a text of more than {MAX_TEXT} characters; {advice}", where=where)


def _from_json(line: str, where: str, tokenized: bool) -> Input:
    try:
        value = json.loads(line)
    except json.JSONDecodeError as error:
        message = f"not JSON: {error.msg}; {_SCHEMA}"
        raise ParseError(message, where=f"{where}:{error.colno}") from None
    except (ValueError, RecursionError):
        raise ParseError(f"JSON beyond all limits; {_SCHEMA}", where=where) from None
    fields = {"text": value} if isinstance(value, str) else value
    if not isinstance(fields, dict):
        raise ParseError(f"found {_kind(value)}; {_SCHEMA}", where=where)
    passed = {"id": fields["id"]} if "id" in fields else {}
    try:
        text = _text(fields, where, tokenized)
        raw = text if isinstance(text, str) else " ".join(text)
        _check_length(raw, where, "cut it into several lines")
    except DataError as error:
        return Input(line, error, where, passed)
    return Input(raw, text, where, passed)


def _text(fields: dict[str, Any], where: str, tokenized: bool) -> Text:
    """Return the text or the tokens of an object."""
    order = ("tokens", "text") if tokenized else ("text", "tokens")
    key = next((name for name in order if fields.get(name) is not None), None)
    if key is None:
        raise ParseError(f"neither a 'text' nor 'tokens'; {_SCHEMA}", where=where)
    value = fields[key]
    if key == "text":
        text = _string(value, "'text'", where)
        return text.split() if tokenized else text
    if not isinstance(value, list):
        raise ParseError(f"'tokens' must be a list, found {_kind(value)}", where=where)
    tokens = [_string(token, f"token {n}", where) for n, token in enumerate(value, start=1)]
    for number, token in enumerate(tokens, start=1):
        if token.split() != [token]:
            message = f"token {number} is {token!r}; a token is not empty and holds no white space"
            raise ParseError(message, where=where)
    return tokens


def _string(value: object, what: str, where: str) -> str:
    if not isinstance(value, str):
        raise ParseError(f"{what} must be a string, found {_kind(value)}", where=where)
    found = FORBIDDEN.search(value)
    if found is not None:
        code = ord(found[0])
        raise ParseError(f"{what} holds U+{code:04X}, which is not text; remove it", where=where)
    return value


def _kind(value: object) -> str:
    return _KINDS.get(type(value), "a number")
