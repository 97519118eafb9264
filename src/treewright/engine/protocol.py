"""The three verbs of an engine."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol, TypeVar

from treewright.engine.tables import COUNT, Columns, Partition, Schema, Table
from treewright.errors import Problems

Content = TypeVar("Content")


class Engine(Protocol):
    """Where big counting runs. Leaving its context gives back everything it holds."""

    def map_partitions(
        self,
        task: Callable[[Content], Columns],
        partitions: Iterable[Partition[Content]],
        schema: Schema,
        problems: Problems | None = None,
    ) -> Table:
        """Return what `task` makes of each partition, in their order.

        The work is done when the table is read or counted, and only once. A partition that fails is
        reported to `problems`, and the others go on; without `problems` it is raised. The task must
        be picklable, and so must partitions.
        """
        ...

    def count_by_key(self, table: Table, key: tuple[str, ...], amount: str | None = None) -> Table:
        """Count the rows of each key, or add up an amount, as the column `count`; sorted by key."""
        ...

    def top_by_key(self, table: Table, key: tuple[str, ...], k: int, by: str = COUNT) -> Table:
        """Keep the `k` rows of each key that have the most of `by`, best first; sorted by key.

        Ties are broken by the other columns, in ascending order.
        """
        ...

    def __enter__(self) -> Engine: ...

    def __exit__(self, *error: object) -> None: ...
