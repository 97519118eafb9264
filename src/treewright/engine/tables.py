"""What an engine takes and gives: partitions of the input, and tables in columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

import numpy as np

from treewright.errors import DataError, UsageError

Content = TypeVar("Content", covariant=True)

Columns: TypeAlias = Mapping[str, np.ndarray[Any, Any]]
"""Rows by column: arrays of the same length, of int64, float64 or objects: strings or bytes."""

Schema: TypeAlias = Mapping[str, type]
"""The columns of a table, in order: each is of `str`, `int`, `float` or `bytes`."""

DTYPES: Mapping[type, Any] = {
    str: np.dtype(object),
    int: np.dtype(np.int64),
    float: np.dtype(np.float64),
    bytes: np.dtype(object),
}

COUNT = "count"
"""The column of counts."""


@dataclass(frozen=True)
class Partition(Generic[Content]):
    """A part of the input that is worked on as a whole; `where` names it in messages."""

    where: str
    content: Content


class Table(Protocol):
    """Rows that an engine holds, or will have when they are read."""

    @property
    def schema(self) -> Schema:
        """The columns and their types."""
        ...

    def batches(self) -> Iterator[Columns]:
        """Read the rows in their order, a bounded number at a time."""
        ...

    def partitions(self, *key: str) -> Iterable[Partition[Columns]]:
        """Return the rows as partitions, sorted; rows with the same key are in the same one."""
        ...


def read(table: Table) -> Columns:
    """Read a whole table into memory."""
    batches = list(table.batches())
    return {
        name: np.concatenate([np.empty(0, DTYPES[kind]), *(batch[name] for batch in batches)])
        for name, kind in table.schema.items()
    }


def check_schema(schema: Schema) -> None:
    """Raise a `UsageError` if these cannot be the columns of a table."""
    if not schema:
        raise UsageError("a table must have a column, found none")
    for name, kind in schema.items():
        if not name.isidentifier() or name.startswith("_"):
            raise UsageError(f"a column must be named by an identifier, found {name!r}")
        if kind not in DTYPES:
            raise UsageError(f"column {name!r} must be of str, int, float or bytes, found {kind!r}")


def check_names(names: Sequence[str], schema: Schema, what: str) -> None:
    """Raise a `UsageError` if these are not some of the columns, each named once."""
    if not names or len(set(names)) < len(names) or not set(names) <= set(schema):
        raise UsageError(
            f"{what} must be columns of the table ({', '.join(schema)}), found {list(names)!r}"
        )


def counted_schema(schema: Schema, key: Sequence[str], amount: str | None) -> Schema:
    """Return the columns of counts by key, or of sums of an amount."""
    check_names(key, schema, "a key")
    if COUNT in key:
        raise UsageError(f"a key must not be called {COUNT!r}, as the counts are")
    if amount is None:
        return {name: schema[name] for name in key} | {COUNT: int}
    check_names([amount], schema, "an amount")
    if schema[amount] not in (int, float):
        raise UsageError(f"an amount must be a number, and {amount!r} is not")
    return {name: schema[name] for name in key} | {COUNT: schema[amount]}


def conformed(columns: Columns, schema: Schema) -> Columns:
    """Return the columns as the schema has them, or raise a `DataError` that says what differs."""
    if set(columns) != set(schema):
        raise DataError(f"expected the columns {list(schema)}, found {list(columns)}")
    result = {name: _conformed(name, columns[name], kind) for name, kind in schema.items()}
    lengths = {name: len(values) for name, values in result.items()}
    if len(set(lengths.values())) > 1:
        raise DataError(f"expected columns of the same length, found {lengths}")
    return result


def _conformed(name: str, values: Any, kind: type) -> np.ndarray[Any, Any]:
    array = np.asarray(values, dtype=object if kind in (str, bytes) else None)
    if array.ndim != 1:
        raise DataError(f"column {name!r} must have one dimension, found {array.ndim}")
    if kind in (str, bytes):
        _check_objects(name, array, kind)
    elif len(array) and array.dtype.kind not in ("iub" if kind is int else "iubf"):
        raise DataError(f"column {name!r} must be of {kind.__name__}, found {array.dtype}")
    return array.astype(DTYPES[kind], copy=False)


def _check_objects(name: str, array: np.ndarray[Any, Any], kind: type) -> None:
    others = set(map(type, array)) - {kind}
    if others:
        found = ", ".join(sorted(other.__name__ for other in others))
        raise DataError(f"column {name!r} must hold {kind.__name__}, found {found}")
    if kind is str:
        try:
            "".join(array).encode()
        except UnicodeEncodeError:
            raise DataError(f"column {name!r} has text that is not Unicode") from None


def rows_in(columns: Columns) -> int:
    """Return the number of rows."""
    return len(next(iter(columns.values())))


def cut_by_key(batches: Iterable[Columns], key: Sequence[str]) -> Iterator[Columns]:
    """Cut sorted rows where the key changes: each batch ends with the last row of its last key."""
    rest: Columns | None = None
    for batch in batches:
        if rest is not None:
            batch = {name: np.concatenate([rest[name], batch[name]]) for name in batch}
        last = rows_in(batch) - 1
        is_last = np.logical_and.reduce([batch[name] == batch[name][last] for name in key])
        first = int(np.argmax(is_last))
        if first:
            yield {name: values[:first] for name, values in batch.items()}
        rest = {name: values[first:] for name, values in batch.items()}
    if rest is not None:
        yield rest


def sorting_order(schema: Schema, key: Sequence[str]) -> list[str]:
    """Return the columns that rows by key are sorted by: those of the key, then the others."""
    check_names(key, schema, "a key")
    return [*key, *(name for name in schema if name not in key)]


def partitions_by_key(
    batches: Iterable[Columns], key: Sequence[str]
) -> Iterator[Partition[Columns]]:
    """Make partitions of sorted rows, cut where the key changes."""
    for number, batch in enumerate(cut_by_key(batches, key), start=1):
        yield Partition(f"rows by {', '.join(key)}, partition {number}", batch)
