"""Corpora as JSON Lines: `{"id": str, "source": "(ROOT …)", "targets": ["(ROOT …)", …]}`.

A target without a tree is a list of tokens. A line may also carry `"alignments"` (a Pharaoh string
per target) and, as a check on the parser, the sentence that was parsed: `"tokens"` (a list) or
`"source_text"`. Other fields are ignored.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import NamedTuple

from treewright.corpora.fields import read_fields
from treewright.corpora.limits import MAX_WORDS, numbered_lines
from treewright.corpora.pair import Pair, Record
from treewright.corpora.pharaoh import format_pharaoh
from treewright.errors import DataError, Problems, check_type
from treewright.files import atomic_write, check_text, open_text
from treewright.trees import Tree, format_tree


class Line(NamedTuple):
    """One line of a corpus file: its number, its text, and the record or the error."""

    number: int
    text: str
    record: Record | DataError


def scan_lines(path: str | Path, *, max_words: int = MAX_WORDS) -> Iterator[Line]:
    """Stream the lines of a corpus (`-` is standard input), with errors in place of bad ones.

    Blank lines are skipped. Ids must differ, so all of them are kept in memory.
    """
    name = str(path)
    first_line: dict[str, int] = {}
    number = 0
    with open_text(path) as handle:
        for number, text in numbered_lines(handle, name):
            if isinstance(text, DataError):
                yield Line(number, "", text)
            elif text.strip():
                where = f"{name}:{number}"
                try:
                    check_text(text, name, number)
                    record = read_fields(text, where, max_words)
                    check_id(record.id, number, first_line, where)
                except DataError as error:
                    yield Line(number, text, error)
                else:
                    yield Line(number, text, record)


def check_id(name: str, number: int, first_line: dict[str, int], where: str) -> None:
    """Raise a `DataError` if an id was used on another line; otherwise remember it."""
    first = first_line.setdefault(name, number)
    if first != number:
        raise DataError(
            f"id {name!r} was used on line {first} already; ids must differ", where=where
        )


def read_records(
    path: str | Path, *, problems: Problems | None = None, max_words: int = MAX_WORDS
) -> Iterator[Record]:
    """Stream the good records of a corpus; bad ones go to `problems` (strict if absent)."""
    for line in good_lines(path, problems, max_words):
        assert isinstance(line.record, Record)
        yield line.record


def read_pairs(
    path: str | Path,
    *,
    target: int | None = 0,
    problems: Problems | None = None,
    max_words: int = MAX_WORDS,
) -> Iterator[Pair]:
    """Stream pairs of each source and its target number `target` (from 0).

    With `None`, there is one pair for each target, however many a record has.
    """
    check_type(target, int | None, "target", "the number of a target, or None for all")
    problems = problems or Problems(strict=True)
    for line in good_lines(path, problems, max_words):
        assert isinstance(line.record, Record)
        if target is None:
            yield from line.record.pairs()
            continue
        try:
            pair = line.record.pair(target)
        except DataError as error:
            problems.add(DataError(error.message, where=f"{path}:{line.number}"))
        else:
            yield pair


def good_lines(path: str | Path, problems: Problems | None, max_words: int) -> Iterator[Line]:
    """Stream the lines with a good record; bad ones go to `problems` (strict if absent)."""
    problems = problems or Problems(strict=True)
    empty = True
    for line in scan_lines(path, max_words=max_words):
        empty = False
        if isinstance(line.record, DataError):
            problems.add(line.record)
        else:
            yield line
    if empty:
        problems.add(empty_file(path))


def empty_file(path: str | Path) -> DataError:
    """Return the error for a corpus without a single line."""
    return DataError("no pairs in it; expected one JSON object per line", where=str(path))


def format_record(record: Record) -> str:
    """Write a record as one line of JSON, without a line break."""
    fields: dict[str, object] = {
        "id": record.id,
        "source": format_tree(record.source),
        "targets": [
            format_tree(target) if isinstance(target, Tree) else list(target)
            for target in record.targets
        ],
    }
    if record.alignments is not None:
        fields["alignments"] = [format_pharaoh(links) for links in record.alignments]
    return json.dumps(fields, ensure_ascii=False)


def write_records(path: str | Path, records: Iterable[Record]) -> int:
    """Write a corpus completely or not at all (`-` is standard output); return the number of
    records.
    """
    count = 0
    standard = str(path) == "-"
    with nullcontext(sys.stdout) if standard else atomic_write(path) as handle:
        for record in records:
            handle.write(format_record(record) + "\n")
            count += 1
    return count
