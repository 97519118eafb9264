"""The embedded engine: processes for the tasks, DuckDB for the counting, within a memory limit.

Tables are in a database in a temporary folder; what does not fit into memory is on disk.
"""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from treewright.engine.mapping import Mapped, ReadOnce, map_in_processes
from treewright.engine.tables import (
    COUNT,
    Columns,
    Partition,
    Schema,
    Table,
    check_names,
    check_schema,
    counted_schema,
    partitions_by_key,
    rows_in,
    sorting_order,
)
from treewright.errors import Problems, TreewrightError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Content = TypeVar("Content")

MEMORY = 1 << 30
"""Bytes that this process may hold, unless told otherwise."""

_OWN = 200 * 10**6
"""Bytes of these that are not DuckDB's to count with: Python, batches on their way, libraries."""

ROWS = 1 << 18
"""Rows that are read or added at a time."""

_SQL_TYPES = {str: "VARCHAR", int: "BIGINT", float: "DOUBLE", bytes: "BLOB"}


class MappedTable(ReadOnce):
    """Rows that processes will make of partitions, when they are read or counted."""

    def __init__(self, schema: Schema, rows: Iterator[Columns]) -> None:
        super().__init__(schema)
        self._rows = rows

    def batches(self) -> Iterator[Columns]:
        """Do the work; one batch for each partition."""
        self.claim()
        return self._rows


class StoredTable:
    """Rows in the database, in the order of their numbers."""

    def __init__(self, engine: EmbeddedEngine, name: str, schema: Schema) -> None:
        self.engine = engine
        self.name = name
        self.schema = schema

    def batches(self) -> Iterator[Columns]:
        """Read the rows in their order, a bounded number at a time."""
        names = _listed(self.schema)
        for first in itertools.count(0, ROWS):
            batch = self.engine.fetched(
                f"SELECT {names} FROM {self.name} "
                f"WHERE rowid >= {first} AND rowid < {first + ROWS} ORDER BY rowid"
            )
            if not rows_in(batch):
                return
            yield batch

    def partitions(self, *key: str) -> Iterable[Partition[Columns]]:
        """Return the rows sorted by the key, then the other columns, cut where the key changes."""
        order = _listed(sorting_order(self.schema, key))
        table = self.engine.stored(f"SELECT * FROM {self.name} ORDER BY {order}", self.schema)
        yield from partitions_by_key(table.batches(), key)


class EmbeddedEngine:
    """Counts on this machine, in bounded memory."""

    def __init__(self, jobs: int = 1, memory: int = MEMORY) -> None:
        self.jobs = jobs
        self.memory = memory
        self._connection: DuckDBPyConnection | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._numbers = itertools.count(1)

    def __enter__(self) -> EmbeddedEngine:
        return self

    def __exit__(self, *error: object) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def map_partitions(
        self,
        task: Callable[[Content], Columns],
        partitions: Iterable[Partition[Content]],
        schema: Schema,
        problems: Problems | None = None,
    ) -> Table:
        """Return what `task` makes of each partition, in their order; see `Engine`."""
        check_schema(schema)
        rows = map_in_processes(
            Mapped(task, schema), partitions, self.jobs, problems or Problems(strict=True)
        )
        return MappedTable(schema, rows)

    def count_by_key(self, table: Table, key: Sequence[str], amount: str | None = None) -> Table:
        """Count the rows of each key, or add up an amount, as `count`; sorted by key."""
        schema = counted_schema(table.schema, key, amount)
        names = _listed(key)
        if isinstance(table, StoredTable):
            rows, amounts = table.name, _amounts(amount, schema[COUNT])
        else:
            # Each batch is counted by itself first: what is stored is mostly shorter.
            what = f"SELECT {names}, {_amounts(amount, schema[COUNT])} FROM batch GROUP BY ALL"
            rows, amounts = (
                self._added(table.batches(), schema, what),
                _amounts(COUNT, schema[COUNT]),
            )
        return self.stored(
            f"SELECT {names}, {amounts} FROM {rows} GROUP BY ALL ORDER BY {names}", schema
        )

    def top_by_key(self, table: Table, key: Sequence[str], k: int, by: str = COUNT) -> Table:
        """Keep the `k` rows of each key with the most of `by`, best first; see `Engine`."""
        check_names(key, table.schema, "a key")
        check_names([by], table.schema, "what is compared")
        rows = self._rows_of(table)
        others = [name for name in table.schema if name not in (*key, by)]
        order = ", ".join([f'"{by}" DESC', *(f'"{name}"' for name in others)])
        keys = _listed(key)
        return self.stored(
            f"SELECT {_listed(table.schema)} FROM {rows} "
            f"QUALIFY row_number() OVER (PARTITION BY {keys} ORDER BY {order}) <= {int(k)} "
            f"ORDER BY {keys}, {order}",
            table.schema,
        )

    def stored(self, query: str, schema: Schema) -> StoredTable:
        """Store what a query gives, in its order."""
        name = f"stored_{next(self._numbers)}"
        self._execute(f"CREATE TABLE {name} AS {query}")
        return StoredTable(self, name, schema)

    def fetched(self, query: str) -> Columns:
        """Return what a query gives."""
        with _explained(self.memory):
            found: dict[str, Any] = self._open().execute(query).fetchnumpy()
        return {name: np.asarray(values) for name, values in found.items()}

    def _rows_of(self, table: Table) -> str:
        if isinstance(table, StoredTable):
            return table.name
        what = f"SELECT {_listed(table.schema)} FROM batch"
        return self._added(table.batches(), table.schema, what)

    def _added(self, batches: Iterable[Columns], schema: Schema, what: str) -> str:
        """Store what a query makes of each batch, the rows that it calls `batch`."""
        name = f"added_{next(self._numbers)}"
        columns = ", ".join(f'"{column}" {_SQL_TYPES[kind]}' for column, kind in schema.items())
        self._execute(f"CREATE TABLE {name} ({columns})")
        for batch in batches:
            if rows_in(batch):
                connection = self._open()
                connection.register("batch", dict(batch))
                self._execute(f"INSERT INTO {name} {what}")
                connection.unregister("batch")
        return name

    def _execute(self, statement: str) -> None:
        with _explained(self.memory):
            self._open().execute(statement)

    def _open(self) -> DuckDBPyConnection:
        if self._connection is None:
            import duckdb

            self._folder = tempfile.TemporaryDirectory(prefix="treewright-")
            folder = Path(self._folder.name)
            self._connection = duckdb.connect(
                folder / "tables.duckdb",
                config={
                    "memory_limit": f"{max(self.memory - _OWN, self.memory // 2) >> 10}KiB",
                    "temp_directory": str(folder),
                    "threads": self.jobs,
                },
            )
        return self._connection


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


def _amounts(amount: str | None, kind: type) -> str:
    if amount is None:
        return f"count(*) AS {COUNT}"
    if kind is float:
        # Compensated, so that the order of the rows does not show.
        return f'fsum("{amount}") AS {COUNT}'
    return f'CAST(sum("{amount}") AS BIGINT) AS {COUNT}'


@contextmanager
def _explained(memory: int) -> Iterator[None]:
    """Say what to do about an error from the database."""
    import duckdb

    try:
        yield
    except duckdb.OutOfMemoryException:
        raise TreewrightError(
            f"counting needs more memory than {memory >> 20} MB; allow more, as in "
            f"--engine embedded={(memory >> 20) * 2}MB, or make partitions smaller"
        ) from None
    except duckdb.Error as error:
        raise TreewrightError(f"counting failed: {str(error).splitlines()[0]}") from error
