"""Texts to shorten as items of a stream: how one is read from JSON, and its result written.

The command line and the service read and write the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from treewright.compression.request import Text
from treewright.compression.result import Compression
from treewright.errors import DataError, ParseError
from treewright.files import FORBIDDEN

MAX_TEXT = 1 << 18
"""Longer texts are rejected: all versions of all sentences of a text are in memory together."""

_SCHEMA = 'expected {"text": "…"}, {"tokens": ["…", …]} or a string'
_KINDS = {dict: "an object", list: "a list", str: "a string", bool: "a boolean", type(None): "null"}
_UNDECODED = re.compile("[\ud800-\udfff]")
"""Marks of bytes that are not UTF-8, which JSON cannot hold."""


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


def describe(
    given: Input, result: Compression, *, details: bool, errors: Sequence[DataError] = ()
) -> dict[str, Any]:
    """Return the plain values of a result, with the errors of its sentences."""
    described = {**given.passed, **result.as_dict(explain=details)}
    if errors:
        described["error"] = "; ".join(map(str, errors))
    return described


def describe_failure(given: Input, error: DataError) -> dict[str, Any]:
    """Return the plain values of a text that could not be shortened, unchanged."""
    raw = _UNDECODED.sub("\ufffd", given.raw)
    empty: dict[str, Any] = {"tokens": [], "kept": [], "tree": None, "score": None}
    empty |= {"spans": [], "rules": [], "met": None}
    return {**given.passed, "text": raw, **empty, "error": str(error)}


def check_length(text: str, where: str, advice: str) -> None:
    """Raise an error, with advice, if a text is too long."""
    if len(text) > MAX_TEXT:
        raise DataError(f"a text of more than {MAX_TEXT} characters; {advice}", where=where)


def read_item(line: str, where: str, *, tokenized: bool = False) -> Input:
    """Read a line of JSON; what is wrong with its text is in the item, anything else is raised."""
    try:
        value = json.loads(line)
    except json.JSONDecodeError as error:
        message = f"not JSON: {error.msg}; {_SCHEMA}"
        raise ParseError(message, where=f"{where}:{error.colno}") from None
    except (ValueError, RecursionError):
        raise ParseError(f"JSON beyond all limits; {_SCHEMA}", where=where) from None
    return item_of(value, where, raw=line, tokenized=tokenized)


def item_of(value: Any, where: str = "", *, raw: str = "", tokenized: bool = False) -> Input:
    """Read a text from a value of JSON: an object, the list of its tokens, or a string."""
    fields = {"text": value} if isinstance(value, str) else value
    fields = {"tokens": fields} if isinstance(fields, list) and not raw else fields
    if not isinstance(fields, dict):
        raise ParseError(f"found {_kind(value)}; {_SCHEMA}", where=where)
    passed = {"id": fields["id"]} if "id" in fields else {}
    try:
        text = _text(fields, where, tokenized)
        plain = text if isinstance(text, str) else " ".join(text)
        check_length(plain, where, "cut it into several lines" if raw else "cut it into parts")
    except DataError as error:
        return Input(raw, error, where, passed)
    return Input(plain, text, where, passed)


def _text(fields: dict[str, Any], where: str, tokenized: bool) -> str | list[str]:
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
