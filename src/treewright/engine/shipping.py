"""What goes to the workers of a cluster and comes back: tasks, rows in columns, problems."""

from __future__ import annotations

import io
import pickle
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow
from pyspark.accumulators import AccumulatorParam

from treewright.engine.mapping import Mapped
from treewright.engine.tables import DTYPES, Columns, Partition, Schema, cut_by_key
from treewright.errors import DataError

if TYPE_CHECKING:
    from pyspark import Accumulator

Place = tuple[int, int]
"""The number of a partition; for rows by key, of Spark's partition and of the cut in it."""

ROWS = 1 << 16
"""Rows in a batch from a worker."""


class Ledger(AccumulatorParam):
    """Problems by place: a partition that is done again counts once."""

    def zero(self, value: dict[Place, DataError]) -> dict[Place, DataError]:
        """Start with none."""
        return {}

    def addInPlace(  # noqa: N802 (Spark's name)
        self, value1: dict[Place, DataError], value2: dict[Place, DataError]
    ) -> dict[Place, DataError]:
        """Put the problems of two places together."""
        return value1 | value2


class Shipped:
    """A task on a worker: pickled partitions become rows, broken ones entries in the ledger."""

    def __init__(self, work: Mapped[Any], ledger: Accumulator[dict[Place, DataError]]) -> None:
        self.work = work
        self.ledger = ledger

    def __call__(self, batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        """Work on the partitions that Spark hands over."""
        for place, partition in self.partitions(batches):
            result = self.work(partition)
            if isinstance(result, DataError):
                self.ledger.add({place: result})
            else:
                yield from record_batches(result, self.work.schema)

    def partitions(
        self, batches: Iterable[pyarrow.RecordBatch]
    ) -> Iterator[tuple[Place, Partition[Any]]]:
        """Unpack the partitions, which come from the driver."""
        for batch in batches:
            for place, data in zip(batch.column(0), batch.column(1), strict=True):
                yield (place.as_py(), 0), pickle.loads(data.as_buffer())


class ShippedRows(Shipped):
    """A task on a worker over sorted rows, cut where the key changes."""

    def __init__(
        self,
        work: Mapped[Any],
        ledger: Accumulator[dict[Place, DataError]],
        schema: Schema,
        key: tuple[str, ...],
    ) -> None:
        super().__init__(work, ledger)
        self.schema = schema
        self.key = key

    def partitions(
        self, batches: Iterable[pyarrow.RecordBatch]
    ) -> Iterator[tuple[Place, Partition[Any]]]:
        """Make partitions of the rows."""
        from pyspark import TaskContext

        context = TaskContext.get()
        number = context.partitionId() if context is not None else 0
        rows = (columns_of(batch, self.schema) for batch in batches if batch.num_rows)
        for place, columns in enumerate(cut_by_key(rows, self.key), start=1):
            where = f"rows by {', '.join(self.key)}, partition {number + 1}.{place}"
            yield (number, place), Partition(where, columns)


class ShippedBatches:
    """A task whose rows are read at once: each batch comes back as one value."""

    def __init__(self, work: Shipped) -> None:
        self.work = work

    def __call__(self, batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        """Work on the partitions that Spark hands over, and pack the rows."""
        return packed(self.work(batches))


def packed(batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
    """Put each batch into one value, as Arrow's stream of it."""
    for batch in batches:
        sink = io.BytesIO()
        with pyarrow.ipc.new_stream(sink, batch.schema) as writer:
            writer.write_batch(batch)
        yield pyarrow.RecordBatch.from_pydict({"rows": [sink.getvalue()]})


def unpacked(data: bytes, schema: Schema) -> Columns:
    """Return the rows of one value."""
    with pyarrow.ipc.open_stream(data) as stream:
        return columns_of(stream.read_all(), schema)


def columns_of(rows: pyarrow.RecordBatch | pyarrow.Table, schema: Schema) -> Columns:
    """Return Arrow's columns as arrays."""
    return {
        name: np.asarray(rows.column(name)).astype(DTYPES[kind], copy=False)
        for name, kind in schema.items()
    }


def record_batches(columns: Columns, schema: Schema) -> Iterator[pyarrow.RecordBatch]:
    """Return arrays as Arrow's columns, a bounded number of rows at a time."""
    kinds = {
        str: pyarrow.string(),
        int: pyarrow.int64(),
        float: pyarrow.float64(),
        bytes: pyarrow.binary(),
    }
    table = pyarrow.table(
        {name: pyarrow.array(columns[name], kinds[kind]) for name, kind in schema.items()}
    )
    return iter(table.to_batches(max_chunksize=ROWS))
