"""Reading text to learn from or to label: plain text, or JSON Lines with tokenised sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from treewright.corpora import read_object, scan_plain
from treewright.errors import DataError, ParseError, Problems
from treewright.text import Kind, kind_of, split_sentences

MAX_TOKENS = 400
"""Longer sentences are lists or noise; parsing them takes long."""
_TOKEN = re.compile(r"\S+")
Line = tuple[str, str | DataError]
"""Where a line is, and the line or what is wrong with it."""
_SCHEMA = 'expected {"id": …, "text": "…"} or {"id": …, "sentences": ["…", …]}'


@dataclass(frozen=True)
class Passage:
    """A sentence: its id, its text, its tokens and where they are in the text."""

    id: str
    text: str
    words: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    where: str


def read_passages(path: str | Path, problems: Problems, *, raw: bool = False) -> Iterator[Passage]:
    """Stream the sentences of a file (`-` is standard input); bad ones are reported and skipped.

    A file whose name or first line says JSON Lines has a row for each sentence (`text`) or document
    (`sentences`), tokens split at spaces unless `raw`; an empty text is a passage without words.
    Anything else is plain text, in which an empty line ends a paragraph.
    """
    lines = scan_plain(path)
    first = next(lines, None)
    if first is None:
        return
    rest = chain([first], lines)
    is_json = ".jsonl" in Path(path).suffixes or (
        isinstance(first[1], str) and first[1].lstrip().startswith("{")
    )
    found = _rows(rest, problems, raw) if is_json else _paragraphs(rest, problems)
    for passage in found:
        size = len(passage.words)
        if size > MAX_TOKENS:
            message = f"a sentence of {size:,} tokens; at most {MAX_TOKENS} are parsed"
            problems.add(DataError(message, where=passage.where))
        elif passage.words or is_json:
            yield passage


def _rows(lines: Iterable[Line], problems: Problems, raw: bool) -> Iterator[Passage]:
    for number, (where, line) in enumerate(lines, start=1):
        try:
            if isinstance(line, DataError):
                raise line
            if not line.strip():
                continue
            name, texts, alone = _fields(line, number, where)
        except DataError as error:
            problems.add(error)
            continue
        place = 0
        for text in texts:
            for passage in _split(text, where) if raw else [_tokenised(text, where)]:
                place += 1
                if not _is_english(passage, problems):
                    continue
                own = name if alone and not raw else f"{name}-{place}"
                yield Passage(own, passage.text, passage.words, passage.spans, where)


def _fields(line: str, number: int, where: str) -> tuple[str, list[str], bool]:
    row = read_object(line, where, _SCHEMA)
    name = row.get("id", str(number))
    if isinstance(row.get("text"), str) and isinstance(name, str | int):
        return str(name), [row["text"]], True
    texts = row.get("sentences")
    if isinstance(texts, list) and all(isinstance(text, str) for text in texts):
        return str(name), texts, False
    raise ParseError(f"no text in it; {_SCHEMA}", where=where)


def _tokenised(text: str, where: str) -> Passage:
    return Passage("", text, tuple(text.split()), tuple(spaced(text)), where)


def spaced(text: str) -> list[tuple[int, int]]:
    """Return where the tokens of a text are that has spaces between them."""
    return [match.span() for match in _TOKEN.finditer(text)]


def _split(text: str, where: str) -> Iterator[Passage]:
    for sentence in split_sentences(text):
        spans = tuple(
            (token.start - sentence.start, token.end - sentence.start) for token in sentence.tokens
        )
        yield Passage("", text[sentence.start : sentence.end], tuple(sentence.words), spans, where)


def _paragraphs(lines: Iterable[Line], problems: Problems) -> Iterator[Passage]:
    place = 0
    pending: list[str] = []
    begin = ""

    def flush() -> Iterator[Passage]:
        nonlocal place
        for passage in _split("\n".join(pending), begin):
            if _is_english(passage, problems):
                place += 1
                yield Passage(str(place), passage.text, passage.words, passage.spans, passage.where)
        pending.clear()

    for where, line in lines:
        if isinstance(line, DataError):
            problems.add(line)
            yield from flush()
        elif line.strip():
            begin = begin if pending else where
            pending.append(line)
        else:
            yield from flush()
    yield from flush()


def _is_english(passage: Passage, problems: Problems) -> bool:
    kind = kind_of(passage.text)
    if kind is not Kind.FOREIGN:
        return True
    problems.add(
        DataError("a sentence in another language; only English is read", where=passage.where)
    )
    return False
