"""Corpora as JSON Lines: `{"id": str, "source": "(ROOT …)", "targets": ["(ROOT …)", …]}`.

A target without a tree is a list of tokens. A line may also carry `"alignments"` (a Pharaoh string
per target) and, as a check on the parser, the sentence that was parsed: `"tokens"` (a list) or
`"source_text"`. Other fields are ignored.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from treewright.corpora.limits import MAX_WORDS, check_size, scan_plain
from treewright.corpora.links import Alignment, check_alignment, format_pharaoh, parse_pharaoh
from treewright.corpora.pair import Pair, Record, Tokens
from treewright.errors import DataError, ParseError, Problems, check_type
from treewright.files import FORBIDDEN, atomic_write
from treewright.trees import Tree, format_tree, parse_tree, unescape


class Line(NamedTuple):
    """One line of a corpus file: its number, its text, and the record or the error."""

    number: int
    text: str
    record: Record | DataError


def scan_lines(path: str | Path) -> Iterator[Line]:
    """Stream the lines of a corpus (`-` is standard input), with errors in place of bad ones.

    Blank lines are skipped. Ids must differ, so all of them are kept in memory.
    """
    first_line: dict[str, int] = {}
    for number, (where, text) in enumerate(scan_plain(path), start=1):
        if isinstance(text, DataError):
            yield Line(number, "", text)
        elif text.strip():
            try:
                record = read_fields(text, where)
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


def read_records(path: str | Path, *, problems: Problems | None = None) -> Iterator[Record]:
    """Stream the good records of a corpus; bad ones go to `problems` (strict if absent)."""
    for line in good_lines(path, problems):
        assert isinstance(line.record, Record)
        yield line.record


def read_pairs(
    path: str | Path,
    *,
    target: int | None = 0,
    problems: Problems | None = None,
) -> Iterator[Pair]:
    """Stream pairs of each source and its target number `target` (from 0).

    With `None`, there is one pair for each target, however many a record has.
    """
    check_type(target, int | None, "target", "the number of a target, or None for all")
    problems = problems or Problems(strict=True)
    for line in good_lines(path, problems):
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


def good_lines(path: str | Path, problems: Problems | None) -> Iterator[Line]:
    """Stream the lines with a good record; bad ones go to `problems` (strict if absent)."""
    problems = problems or Problems(strict=True)
    empty = True
    for line in scan_lines(path):
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
    with atomic_write(path) as handle:
        for record in records:
            handle.write(format_record(record) + "\n")
            count += 1
    return count


_SCHEMA = 'expected {"id": "…", "source": "(ROOT …)", "targets": ["(ROOT …)", …]}'
_PENN = {"``": '"', "''": '"', "\\/": "/", "\\*": "*"}


def read_fields(text: str, where: str) -> Record:
    """Read a record from a line of JSON."""
    fields = read_object(text, where, _SCHEMA)
    name = _text(fields, "id", where)
    if not name:
        raise DataError("the id is empty; give each record its own", where=where)
    source = _tree(_text(fields, "source", where), "source", where)
    targets = tuple(_targets(fields, where))
    if not targets:
        raise DataError("'targets' is empty; a record needs at least one target", where=where)
    _check_sentence(fields, source, where)
    return Record(name, source, targets, _alignments(fields, source, targets, where))


def read_object(text: str, where: str, schema: str) -> dict[str, Any]:
    """Read a JSON object, or raise an error that shows the expected `schema`."""
    try:
        fields = json.loads(text)
    except json.JSONDecodeError as error:
        raise ParseError(
            f"not JSON: {error.msg}; {schema}", where=f"{where}:{error.colno}"
        ) from None
    except (ValueError, RecursionError):
        raise ParseError(f"JSON beyond all limits; {schema}", where=where) from None
    if not isinstance(fields, dict):
        raise ParseError(f"found a JSON {_kind(fields)}; {schema}", where=where)
    return fields


def _targets(fields: dict[str, Any], where: str) -> Iterator[Tree | Tokens]:
    """Yield the targets: a string holds a tree, a list the tokens of one that has none."""
    for i, value in enumerate(_list(fields, "targets", where)):
        key = f"targets[{i}]"
        if isinstance(value, list):
            tokens = tuple(_texts({key: value}, key, where))
            check_size(tokens, MAX_WORDS, what=repr(key), where=where)
            yield tokens
        else:
            yield _tree(_text({key: value}, key, where), key, where)


def _text(fields: dict[str, Any], key: str, where: str) -> str:
    if key not in fields:
        raise DataError(f"no field {key!r}; {_SCHEMA}", where=where)
    value = fields[key]
    if not isinstance(value, str):
        raise DataError(f"{key!r} must be a string, found {_kind(value)}", where=where)
    found = FORBIDDEN.search(value)
    if found is not None:
        raise ParseError(
            f"{key!r} holds U+{ord(found[0]):04X}, which is not text; remove it", where=where
        )
    return value


def _texts(fields: dict[str, Any], key: str, where: str) -> list[str]:
    named = {f"{key}[{i}]": item for i, item in enumerate(_list(fields, key, where))}
    return [_text(named, item, where) for item in named]


def _list(fields: dict[str, Any], key: str, where: str) -> list[Any]:
    if key not in fields:
        raise DataError(f"no field {key!r}; {_SCHEMA}", where=where)
    value = fields[key]
    if not isinstance(value, list):
        raise DataError(f"{key!r} must be a list of strings, found {_kind(value)}", where=where)
    return value


def _kind(value: object) -> str:
    names = {dict: "object", list: "list", str: "string", bool: "boolean", type(None): "null"}
    return names.get(type(value), "number")


def _tree(text: str, key: str, where: str) -> Tree:
    try:
        tree = parse_tree(text, where="")
    except ParseError as error:
        place = error.where.rpartition(":")[2]
        at = f"at character {place} of " if place else "in "
        raise ParseError(f"{at}{key!r}: {error.message}", where=where) from None
    check_size(tree.words(), MAX_WORDS, what=repr(key), where=where)
    return tree


def _alignments(
    fields: dict[str, Any], source: Tree, targets: Sequence[Tree | Tokens], where: str
) -> tuple[Alignment, ...] | None:
    if fields.get("alignments") is None:
        return None
    texts = _texts(fields, "alignments", where)
    if len(texts) != len(targets):
        raise DataError(
            f"{len(texts)} 'alignments' for {len(targets)} 'targets'; give one per target",
            where=where,
        )
    alignments = tuple([parse_pharaoh(text, where=where) for text in texts])
    for alignment, target in zip(alignments, targets, strict=True):
        length = len(target.words() if isinstance(target, Tree) else target)
        check_alignment(alignment, len(source.words()), length, where=where)
    return alignments


def _check_sentence(fields: dict[str, Any], source: Tree, where: str) -> None:
    """Compare the tree's words with the sentence it was parsed from, if the line has it."""
    words = source.words()
    if fields.get("tokens") is not None:
        tokens = _texts(fields, "tokens", where)
        pairs = zip(words, tokens, strict=False)
        at = next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(words), len(tokens)))
        if at < max(len(words), len(tokens)):
            raise _differs(words, at, _show(tokens, at), where)
    if fields.get("source_text") is not None:
        rest = re.sub(r"\s", "", _plain(_text(fields, "source_text", where)))
        for at, word in enumerate(words):
            plain = _plain(word)
            if not rest.startswith(plain):
                raise _differs(words, at, repr(rest[:20]) if rest else "its end", where)
            rest = rest[len(plain) :]
        if rest:
            raise _differs(words, len(words), repr(rest[:20]), where)


def _plain(text: str) -> str:
    """Undo Penn's conventions for brackets, quotes and slashes, to compare with raw text."""
    text = unescape(text)
    for penn, plain in _PENN.items():
        text = text.replace(penn, plain)
    return text


def _differs(words: Sequence[str], at: int, found: str, where: str) -> DataError:
    return DataError(
        f"the tree's words differ from the sentence: word {at + 1} of the tree is "
        f"{_show(words, at)}, the sentence has {found}; parse the sentence again",
        where=where,
    )


def _show(words: Sequence[str], at: int) -> str:
    return repr(words[at]) if at < len(words) else "past its end"
