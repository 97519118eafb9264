"""A CoreNLP server, given by its address."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator, Sequence
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode, urlsplit
from urllib.request import OpenerDirector, ProxyHandler, Request, build_opener

from treewright.errors import DataError, ParseError, UsageError
from treewright.parsing.protocol import ParserError, check_sentences, fit_words
from treewright.trees import Tree, escape_token, parse_tree

PROPERTIES = {
    "annotators": "tokenize,ssplit,pos,parse",
    "tokenize.whitespace": "true",
    "ssplit.eolonly": "true",
    "outputFormat": "json",
}
TIMEOUT = 120.0
"""Seconds; the first request makes the server load its models."""

_REQUEST = 50_000
"""The most characters in one request, half of what a server accepts."""
_RESPONSE = 1 << 28
_HERE = ("localhost", "127.0.0.1", "::1")


class CoreNLPParser:
    """The parser of a running CoreNLP server, which keeps the tokens it is given."""

    def __init__(self, url: str, *, timeout: float = TIMEOUT) -> None:
        try:
            parts = urlsplit(url)
            named = parts.scheme in ("http", "https") and bool(parts.hostname)
        except ValueError:
            named = False
        if not named:
            raise UsageError(
                f"{url!r} is not the address of a CoreNLP server; expected one like "
                "http://localhost:9000"
            )
        self.url = url
        self.timeout = timeout
        query = urlencode({"properties": json.dumps(PROPERTIES)})
        self._target = parts._replace(
            path=parts.path or "/", query="&".join(filter(None, (parts.query, query))), fragment=""
        ).geturl()
        self._opener = _opener(parts.hostname)

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[Tree]:
        """Return one tree per sentence; see `Parser`."""
        check_sentences(sentences)
        trees: list[Tree] = []
        for lines in _requests(sentences):
            for found in self._annotate(lines):
                number = len(trees) + 1
                where = f"sentence {number}"
                trees.append(fit_words(_tree(found, where), sentences[number - 1], where=where))
        return trees

    def _annotate(self, lines: list[str]) -> list[Any]:
        """Return the server's answer for each line."""
        answer = self._post("".join(f"{line}\n" for line in lines))
        try:
            # The server writes control characters unescaped.
            found = json.loads(answer, strict=False)["sentences"]
        except (ValueError, KeyError, TypeError):
            raise ParserError(
                f"{self.url}: the answer is not CoreNLP's JSON; is this a CoreNLP server?"
            ) from None
        if not isinstance(found, list) or len(found) != len(lines):
            number = len(found) if isinstance(found, list) else 0
            raise DataError(
                f"the server found {number} sentences where {len(lines)} were sent", where=self.url
            )
        return found

    def _post(self, text: str) -> bytes:
        request = Request(
            self._target,
            data=text.encode(errors="replace"),
            # Servers decode percent signs in a form, and urllib would declare a form.
            headers={"Content-Type": "text/plain; charset=utf-8"},
        )
        try:
            with self._opener.open(request, timeout=self.timeout) as response:
                answer: bytes = response.read(_RESPONSE + 1)
        except HTTPError as error:
            with error:
                raise self._refused(error) from None
        except TimeoutError:
            raise self._silent() from None
        except (URLError, HTTPException, OSError) as error:
            reason = error.reason if isinstance(error, URLError) else error
            if isinstance(reason, TimeoutError):
                raise self._silent() from None
            raise ParserError(
                f"{self.url}: cannot reach the CoreNLP server ({_name(reason)}); "
                "start it, or correct the address"
            ) from None
        if len(answer) > _RESPONSE:
            raise ParserError(f"{self.url}: an answer of more than {_RESPONSE} bytes")
        return answer

    def _refused(self, error: HTTPError) -> ParserError | DataError:
        detail = " ".join(error.read(500).decode(errors="replace").split())
        message = f"the server answered {error.code} {error.reason}: {detail or 'no reason given'}"
        if error.code in (400, 413, 500):
            # It says the same about one long or strange sentence as about all.
            return DataError(message, where=self.url)
        return ParserError(f"{self.url}: {message}; check the address")

    def _silent(self) -> ParserError:
        return ParserError(
            f"{self.url}: no answer from the CoreNLP server within {self.timeout:g} seconds; "
            "check whether it is overloaded, or send fewer sentences at once"
        )


def _opener(host: str | None) -> OpenerDirector:
    """Return what opens addresses; a server on this machine is never behind a proxy."""
    return build_opener(ProxyHandler({})) if host in _HERE else build_opener()


def _name(reason: object) -> str:
    if isinstance(reason, socket.gaierror):
        return "no such host"
    return getattr(reason, "strerror", None) or str(reason)


def _requests(sentences: Sequence[Sequence[str]]) -> Iterator[list[str]]:
    """Yield sentences as lines, at least one and as many at a time as one request may hold."""
    lines: list[str] = []
    size = 0
    for words in sentences:
        line = " ".join(map(escape_token, words))
        if lines and size + len(line) >= _REQUEST:
            yield lines
            lines, size = [], 0
        lines.append(line)
        size += len(line) + 1
    if lines:
        yield lines


def _tree(found: Any, where: str) -> Tree:
    text = found.get("parse") if isinstance(found, dict) else None
    if not isinstance(text, str):
        raise DataError("the server gave no parse of it; it may be too long", where=where)
    try:
        return parse_tree(text)
    except ParseError as error:
        raise DataError(f"the server's parse is not a tree: {error.message}", where=where) from None
