"""Tokenised text and parallel text: a sentence on each line, its words between spaces."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import TypeAlias

from treewright.corpora.limits import check_size, numbered_lines
from treewright.errors import DataError, Problems, UsageError
from treewright.files import check_text, open_text

Words: TypeAlias = list[str]
"""A sentence; empty if its line is."""

MAX_SENTENCE = 500
"""Longer lines of tokenised text are rejected."""


def read_tokens(
    path: str | Path, *, problems: Problems | None = None, max_words: int = MAX_SENTENCE
) -> Iterator[Words]:
    """Stream the sentences of a file (`-`: standard input), an empty one in place of a bad line.

    Words are separated by white space. Sentences keep their positions, so that outputs can be put
    beside inputs.
    """
    problems = problems or Problems(strict=True)
    for _, words in scan_tokens(path, max_words=max_words):
        if isinstance(words, DataError):
            problems.add(words)
            yield []
        else:
            yield words


def scan_tokens(
    path: str | Path, *, max_words: int = MAX_SENTENCE
) -> Iterator[tuple[str, Words | DataError]]:
    """Stream where each line is, and its words or what is wrong with it."""
    for where, line in scan_plain(path):
        if isinstance(line, DataError):
            yield where, line
            continue
        words = line.split()
        try:
            check_size(words, max_words, what="the line", where=where)
        except DataError as error:
            yield where, error
        else:
            yield where, words


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


def read_bitext(
    source_path: str | Path,
    target_path: str | Path,
    *,
    problems: Problems | None = None,
    max_words: int = MAX_SENTENCE,
) -> Iterator[tuple[Words, Words]]:
    """Stream the pairs of two files of equal length; two empty sentences in place of a bad pair.

    A pair is bad if a line is, or if one side is empty and the other is not: no word of it could
    be aligned. It is one problem, even if both sides are bad. Files of different length end in an
    error, whatever `problems` allows.
    """
    if str(source_path) == "-" and str(target_path) == "-":
        raise UsageError("only one of the two files can be standard input")
    problems = problems or Problems(strict=True)
    sources = scan_tokens(source_path, max_words=max_words)
    targets = scan_tokens(target_path, max_words=max_words)
    for count, (source, target) in enumerate(zip_longest(sources, targets)):
        if source is None or target is None:
            raise _unequal(str(source_path), str(target_path), count, source is None)
        pair = _pair(source, target, problems)
        yield pair if pair is not None else ([], [])


def _pair(
    source_line: tuple[str, Words | DataError],
    target_line: tuple[str, Words | DataError],
    problems: Problems,
) -> tuple[Words, Words] | None:
    source_where, source = source_line
    target_where, target = target_line
    if isinstance(source, DataError):
        problems.add(source)
        return None
    if isinstance(target, DataError):
        problems.add(target)
        return None
    if bool(source) != bool(target):
        empty, other = (target_where, source_where) if source else (source_where, target_where)
        problems.add(
            DataError(f"an empty line, whose partner {other} has words; remove both", where=empty)
        )
        return None
    return source, target


def _unequal(source: str, target: str, count: int, source_ended: bool) -> DataError:
    ended, other = (source, target) if source_ended else (target, source)
    return DataError(
        f"it ends after {count} lines, but {other} goes on; each line must have its partner",
        where=ended,
    )
