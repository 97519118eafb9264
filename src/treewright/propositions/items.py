"""The test items that `propositions roles` and `propositions score` read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from treewright.corpora import read_lines, read_object
from treewright.errors import ParseError, Problems

Item = TypeVar("Item")

_SCHEMA = 'expected an object with an "id"'


@dataclass(frozen=True)
class RoleItem:
    """A sentence, and the positions of a name in it, from 0, `last` included."""

    id: str
    words: tuple[str, ...]
    first: int
    last: int
    where: str


@dataclass(frozen=True)
class TupleItem:
    """Two readings, and which of their words are names."""

    id: str
    a: tuple[str, ...]
    a_names: tuple[bool, ...]
    b: tuple[str, ...]
    b_names: tuple[bool, ...]


def read_role_items(path: str | Path, problems: Problems) -> Iterator[RoleItem]:
    """Stream `{"id", "text", "name": [first, last]}`, positions from 1."""
    return _read(path, problems, _role)


def read_tuple_items(path: str | Path, problems: Problems) -> Iterator[TupleItem]:
    """Stream `{"id", "a", "a_names", "b", "b_names"}`."""
    return _read(path, problems, _tuples)


def _read(
    path: str | Path, problems: Problems, make: Callable[[dict[str, Any], str], Item]
) -> Iterator[Item]:
    def read(line: str, where: str) -> Iterator[Item]:
        row = read_object(line, where, _SCHEMA)
        if not isinstance(row.get("id"), str | int):
            raise ParseError(f"no id; {_SCHEMA}", where=where)
        yield make(row, where)

    return problems.good(read_lines(path, read))


def _role(row: dict[str, Any], where: str) -> RoleItem:
    text, name = row.get("text"), row.get("name")
    if (
        not isinstance(text, str)
        or not isinstance(name, list)
        or len(name) != 2
        or not all(type(place) is int for place in name)
    ):
        raise ParseError(
            'expected {"id": …, "text": "…", "name": [first, last]}, tokens counted from 1',
            where=where,
        )
    words = tuple(text.split())
    first, last = name
    if not 1 <= first <= last <= len(words):
        raise ParseError(f"no tokens {first} to {last} in {len(words)} tokens", where=where)
    return RoleItem(str(row["id"]), words, first - 1, last - 1, where)


def _tuples(row: dict[str, Any], where: str) -> TupleItem:
    parts = []
    for name in ("a", "b"):
        words, names = row.get(name), row.get(f"{name}_names")
        if (
            not isinstance(words, list)
            or len(words) not in (3, 5)
            or not all(isinstance(word, str) and word for word in words)
            or not isinstance(names, list)
            or len(names) != len(words)
        ):
            raise ParseError(
                f'expected "{name}" with 3 or 5 words and "{name}_names" with as many truths',
                where=where,
            )
        parts += [tuple(words), tuple(bool(one) for one in names)]
    return TupleItem(str(row["id"]), *parts)
