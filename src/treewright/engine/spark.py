"""The distributed engine: the same three verbs as plans of Spark, on a cluster that exists.

Rows stay in Arrow's columns between Spark and the tasks. A lost worker's partitions are done again.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeVar

from treewright.engine.mapping import Mapped, ReadOnce
from treewright.engine.session import SLICES, start
from treewright.engine.shipping import (
    Ledger,
    Shipped,
    ShippedBatches,
    ShippedRows,
    packed,
    unpacked,
)
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
    sorting_order,
)
from treewright.errors import DataError, Problems, TreewrightError, UsageError

if TYPE_CHECKING:
    from pyspark import Accumulator
    from pyspark.sql import Column, DataFrame, SparkSession

Content = TypeVar("Content")

_SQL_TYPES = {str: "string", int: "bigint", float: "double", bytes: "binary"}


class SparkTable:
    """Rows that Spark holds; `order` is how they are sorted when they are read."""

    def __init__(self, frame: DataFrame, schema: Schema, order: Sequence[Column]) -> None:
        self.frame = frame
        self.schema = schema
        self.order = order

    def batches(self) -> Iterator[Columns]:
        """Read the rows in their order, a partition of Spark's at a time."""
        with _explained():
            rows = self.frame.select(*self.schema).orderBy(*self.order)
            for row in rows.mapInArrow(packed, "rows binary").toLocalIterator():
                yield unpacked(row.rows, self.schema)

    def partitions(self, *key: str) -> Iterable[Partition[Columns]]:
        """Return the rows sorted by the key, then the other columns; they stay where they are."""
        return KeyedPartitions(self, key)


class KeyedPartitions:
    """The rows of a table by key. Mapped, they never come here; iterated, they do."""

    def __init__(self, table: SparkTable, key: tuple[str, ...]) -> None:
        self.key = key
        order = sorting_order(table.schema, key)
        self.table = SparkTable(table.frame, table.schema, [table.frame[name] for name in order])

    def __iter__(self) -> Iterator[Partition[Columns]]:
        return partitions_by_key(self.table.batches(), self.key)


class MappedFrame(ReadOnce):
    """Rows that tasks will make of partitions on the workers, when they are read or counted."""

    def __init__(
        self, source: DataFrame, work: Shipped, schema: Schema, problems: Problems
    ) -> None:
        super().__init__(schema)
        self.source = source
        self.work = work
        self.problems = problems

    def frame(self) -> DataFrame:
        """Return the rows as a frame."""
        self.claim()
        columns = ", ".join(f"`{name}` {_SQL_TYPES[kind]}" for name, kind in self.schema.items())
        return self.source.mapInArrow(self.work, columns)

    def batches(self) -> Iterator[Columns]:
        """Do the work, and read its results in the order of the partitions."""
        self.claim()
        return self._batches()

    def _batches(self) -> Iterator[Columns]:
        with _explained():
            rows = self.source.mapInArrow(ShippedBatches(self.work), "rows binary")
            for row in rows.toLocalIterator():
                yield unpacked(row.rows, self.schema)
        self.tell()

    def tell(self) -> None:
        """Report the partitions that failed, in their order, each once."""
        broken: dict[tuple[int, int], DataError] = self.work.ledger.value
        for place in sorted(broken):
            self.problems.add(broken[place])


class SparkEngine:
    """Counts on the cluster of a master; without one, where Spark's own settings say."""

    def __init__(self, master: str | None = None) -> None:
        self.master = master
        self._session: SparkSession | None = None

    def __enter__(self) -> SparkEngine:
        return self

    def __exit__(self, *error: object) -> None:
        if self._session is not None:
            self._session.stop()
            self._session = None

    @property
    def session(self) -> SparkSession:
        """The session, started when it is first needed."""
        if self._session is None:
            self._session = start(self.master)
        return self._session

    def map_partitions(
        self,
        task: Callable[[Content], Columns],
        partitions: Iterable[Partition[Content]],
        schema: Schema,
        problems: Problems | None = None,
    ) -> Table:
        """Return what `task` makes of each partition, in their order; see `Engine`."""
        check_schema(schema)
        context = self.session.sparkContext
        ledger: Accumulator[Any] = context.accumulator({}, Ledger())
        mapped = Mapped(task, schema)
        if isinstance(partitions, KeyedPartitions):
            table = partitions.table
            source = table.frame.repartitionByRange(
                context.defaultParallelism * SLICES, *(table.frame[name] for name in partitions.key)
            ).sortWithinPartitions(*table.order)
            work: Shipped = ShippedRows(mapped, ledger, table.schema, partitions.key)
        else:
            pickled = [(place, pickle.dumps(item)) for place, item in enumerate(partitions)]
            slices = max(1, min(len(pickled), context.defaultParallelism * SLICES))
            source = self.session.createDataFrame(
                context.parallelize(pickled, slices), "place bigint, partition binary"
            )
            work = Shipped(mapped, ledger)
        return MappedFrame(source, work, schema, problems or Problems(strict=True))

    def count_by_key(self, table: Table, key: Sequence[str], amount: str | None = None) -> Table:
        """Count the rows of each key, or add up an amount, as `count`; sorted by key."""
        from pyspark.sql import functions

        schema = counted_schema(table.schema, key, amount)
        of_each = functions.count("*") if amount is None else functions.sum(amount)
        frame = _frame(table).groupBy(*key).agg(of_each.alias(COUNT))
        return self._held(table, frame, schema, [functions.col(name) for name in key])

    def top_by_key(self, table: Table, key: Sequence[str], k: int, by: str = COUNT) -> Table:
        """Keep the `k` rows of each key with the most of `by`, best first; see `Engine`."""
        from pyspark.sql import Window, functions

        check_names(key, table.schema, "a key")
        check_names([by], table.schema, "what is compared")
        keys = [functions.col(name) for name in key]
        others = [functions.col(name) for name in table.schema if name not in (*key, by)]
        order = [functions.col(by).desc(), *others]
        rank = functions.row_number().over(Window.partitionBy(*keys).orderBy(*order))
        frame = _frame(table).withColumn("_rank", rank).where(functions.col("_rank") <= int(k))
        return self._held(table, frame.drop("_rank"), table.schema, [*keys, *order])

    def _held(
        self, source: Table, frame: DataFrame, schema: Schema, order: Sequence[Column]
    ) -> SparkTable:
        """Do the work now, and hold its result in memory or on disk; report what failed."""
        from pyspark import StorageLevel

        with _explained():
            held = frame.persist(StorageLevel.MEMORY_AND_DISK)
            held.count()
        if isinstance(source, MappedFrame):
            source.tell()
        return SparkTable(held, schema, order)


def _frame(table: Table) -> DataFrame:
    if isinstance(table, SparkTable | MappedFrame):
        return table.frame if isinstance(table, SparkTable) else table.frame()
    raise UsageError("the table belongs to another engine")


@contextmanager
def _explained() -> Iterator[None]:
    """Say in one line what Spark could not do."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except (Py4JError, PySparkException) as error:
        raise TreewrightError(f"the job failed on Spark: {_reason(str(error))}") from error


def _reason(message: str) -> str:
    """Return the line that says why: the last of a traceback from a worker, or else the first."""
    lines = [line for line in message.splitlines() if line.strip()]
    for before, line in pairwise(lines):
        if before.startswith("  ") and not line.startswith(" "):
            return line.strip()
    return lines[0].strip() if lines else "it said no more"
