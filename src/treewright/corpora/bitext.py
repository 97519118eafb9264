"""Tokenised text and parallel text: a sentence on each line, its words between spaces."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import TypeAlias

from treewright.corpora.limits import check_size, scan_plain
from treewright.errors import DataError, Problems, UsageError

Words: TypeAlias = list[str]
"""A sentence; empty if its line is."""

MAX_SENTENCE = 500
"""Longer lines of tokenised text are rejected."""


def read_tokens(path: str | Path, *, problems: Problems | None = None) -> Iterator[Words]:
    """Stream the sentences of a file (`-`: standard input), an empty one in place of a bad line.

    Words are separated by white space. Sentences keep their positions, so that outputs can be put
    beside inputs.
    """
    problems = problems or Problems(strict=True)
    for _, words in scan_tokens(path):
        if isinstance(words, DataError):
            problems.add(words)
            yield []
        else:
            yield words


def scan_tokens(path: str | Path) -> Iterator[tuple[str, Words | DataError]]:
    """Stream where each line is, and its words or what is wrong with it."""
    for where, line in scan_plain(path):
        if isinstance(line, DataError):
            yield where, line
            continue
        words = line.split()
        try:
            check_size(words, MAX_SENTENCE, what="the line", where=where)
        except DataError as error:
            yield where, error
        else:
            yield where, words


def read_bitext(
    source_path: str | Path,
    target_path: str | Path,
    *,
    problems: Problems | None = None,
) -> Iterator[tuple[Words, Words]]:
    """Stream the pairs of two files of equal length; two empty sentences in place of a bad pair.

    A pair is bad if a line is, or if one side is empty and the other is not: no word of it could
    be aligned. It is one problem, even if both sides are bad. Files of different length end in an
    error, whatever `problems` allows.
    """
    if str(source_path) == "-" and str(target_path) == "-":
        raise UsageError("only one of the two files can be standard input")
    problems = problems or Problems(strict=True)
    sources = scan_tokens(source_path)
    targets = scan_tokens(target_path)
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
