"""Tasks mapped over partitions in processes, in order; a broken partition is a problem."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Generic, TypeVar

from treewright.engine.tables import Columns, Partition, Schema, conformed
from treewright.errors import DataError, Problems, TreewrightError, UsageError
from treewright.progress import SILENT, Progress

Content = TypeVar("Content")

_AHEAD = 2
"""Partitions per process that are read before the first of them is done."""


class Mapped(Generic[Content]):
    """What a process does with a partition: columns as the schema has them, or what is wrong."""

    def __init__(self, task: Callable[[Content], Columns], schema: Schema) -> None:
        self.task = task
        self.schema = schema

    def __call__(
        self, partition: Partition[Content], progress: Progress = SILENT
    ) -> Columns | DataError:
        """Work on one partition."""
        try:
            return conformed(self.task(partition.content), self.schema)
        except Exception as error:
            return broken(partition.where, error)


class ReadOnce:
    """Rows that are made when they are read or counted, which can be done once."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self._is_claimed = False

    def claim(self) -> None:
        """Raise a `UsageError` if the rows have been read already."""
        if self._is_claimed:
            raise UsageError("mapped rows can be read once; count them, and read the counts")
        self._is_claimed = True

    def partitions(self, *key: str) -> Iterable[Partition[Columns]]:
        """Refuse: rows are sorted by key when they have been counted."""
        raise UsageError("mapped rows have no order by key; count them first")


def broken(where: str, error: Exception) -> DataError:
    """Say which partition failed, and why; of a programming error, also where in the code."""
    message = str(error)
    if not isinstance(error, TreewrightError):
        frame = traceback.extract_tb(error.__traceback__)[-1]
        message = f"{type(error).__name__}: {error} ({Path(frame.filename).name}:{frame.lineno})"
    return DataError(f"this partition failed: {message}", where=where)


def map_in_processes(
    work: Mapped[Any], partitions: Iterable[Partition[Any]], jobs: int, problems: Problems
) -> Iterator[Columns]:
    """Yield the columns of each partition in order, however many processes work on them."""
    return problems.good(
        map(work, partitions) if jobs == 1 else _in_processes(work, partitions, jobs)
    )


def _in_processes(
    work: Mapped[Any], partitions: Iterable[Partition[Any]], jobs: int
) -> Iterator[Columns | DataError]:
    from treewright.processes import InOrder, Workers

    with Workers(work, jobs) as workers:
        done = InOrder(workers)
        for partition in partitions:
            workers.submit(partition)
            while done.held > _AHEAD * jobs:
                yield from done.take()
        while done.held:
            yield from done.take()
