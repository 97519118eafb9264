"""What an engine takes and gives: partitions of the input, and tables in columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

import numpy as np

from treewright.errors import DataError, UsageError

Content = TypeVar("Content", covariant=True)

Columns: TypeAlias = Mapping[str, np.ndarray[Any, Any]]
"""Rows by column: arrays of the same length, of int64, of float64, or of objects, all strings."""

Schema: TypeAlias = Mapping[str, type]
"""The columns of a table, in order: each is of `str`, `int` or `float`."""

DTYPES: Mapping[type, Any] = {
    str: np.dtype(object),
    int: np.dtype(np.int64),
    float: np.dtype(np.float64),
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
            raise UsageError(f"column {name!r} must be of str, int or float, found {kind!r}")


def check_names(names: Sequence[str], schema: Schema, what: str) -> None:
    """Raise a `UsageError` if these are not some of the columns, each named once."""
    if not names or len(set(names)) < len(names) or not set(names) <= set(schema):
        raise UsageError(
            f"{what} must be columns of the table ({', '.join(schema)}), found {list(names)!r}"
        )


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
    array = np.asarray(values, dtype=object if kind is str else None)
    if array.ndim != 1:
        raise DataError(f"column {name!r} must have one dimension, found {array.ndim}")
    if kind is str:
        others = set(map(type, array)) - {str}
        if others - {np.str_}:
            raise DataError(f"column {name!r} must hold strings, found {_names(others)}")
    elif len(array) and array.dtype.kind not in ("iub" if kind is int else "iubf"):
        raise DataError(f"column {name!r} must be of {kind.__name__}, found {array.dtype}")
    return array.astype(DTYPES[kind], copy=False)


def _names(kinds: Iterable[type]) -> str:
    return ", ".join(sorted(kind.__name__ for kind in kinds))


def rows_in(columns: Columns) -> int:
    """Return the number of rows."""
    return len(next(iter(columns.values())))
