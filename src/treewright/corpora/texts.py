"""Pairs of plain text, as people have them: JSON Lines, or two columns with a tab between them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from treewright.corpora.jsonl import check_id, read_object
from treewright.corpora.limits import scan_plain
from treewright.errors import DataError, ParseError
from treewright.files import FORBIDDEN

_SCHEMA = 'expected {"source": "…", "target": "…"}, or "targets": ["…", …]'
_COLUMNS = "expected a source, a tab and a target"


@dataclass(frozen=True)
class TextPair:
    """A text and its compressions; the id is the line number unless the line has one."""

    id: str
    source: str
    targets: tuple[str, ...]
    where: str


def scan_texts(path: str | Path) -> Iterator[TextPair | DataError]:
    """Stream the pairs of a file (`-` is standard input), with errors in place of bad lines.

    A `.tsv` file has columns, a `.jsonl` file objects; for any other, the first line decides. Blank
    lines are skipped. All ids are kept in memory, because they must differ.
    """
    by_tabs = {".tsv": True, ".jsonl": False}.get(Path(path).suffix)
    first_line: dict[str, int] = {}
    for number, (where, text) in enumerate(scan_plain(path), start=1):
        if isinstance(text, DataError):
            yield text
        elif text.strip():
            if by_tabs is None:
                by_tabs = not text.lstrip().startswith("{")
            try:
                pair = (_columns if by_tabs else _fields)(text, number, where)
                check_id(pair.id, number, first_line, where)
            except DataError as error:
                yield error
            else:
                yield pair


def _columns(text: str, number: int, where: str) -> TextPair:
    columns = text.split("\t")
    if len(columns) != 2:
        raise ParseError(f"found {len(columns)} columns; {_COLUMNS}", where=where)
    return TextPair(str(number), columns[0], (columns[1],), where)


def _fields(text: str, number: int, where: str) -> TextPair:
    fields = read_object(text, where, _SCHEMA)
    if ("target" in fields) == ("targets" in fields):
        raise ParseError(_SCHEMA, where=where)
    targets = [fields["target"]] if "target" in fields else fields["targets"]
    if not isinstance(targets, list) or not targets:
        raise ParseError(f"'targets' must be a list of texts; {_SCHEMA}", where=where)
    own = fields.get("id")
    if own is None or type(own) is int:
        own = str(number if own is None else own)
    return TextPair(
        _text(own, "'id'", where),
        _text(fields.get("source"), "'source'", where),
        tuple([_text(target, "a target", where) for target in targets]),
        where,
    )


def _text(value: Any, what: str, where: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ParseError(f"{what} must be text, found {value!r}; {_SCHEMA}", where=where)
    found = FORBIDDEN.search(value)
    if found is not None:
        code = ord(found[0])
        raise ParseError(f"{what} holds U+{code:04X}, which is not text; remove it", where=where)
    return value
