"""Partitions mapped to objects instead of rows: for results that are written, not counted."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import partial
from itertools import islice
from typing import Any, TypeVar

import numpy as np

from treewright.engine.protocol import Engine
from treewright.engine.tables import Columns, Partition
from treewright.errors import Problems

Content = TypeVar("Content")
Item = TypeVar("Item")
Result = TypeVar("Result")

_RESULT = "result"
_LOADED: dict[Hashable, Any] = {}


def map_objects(
    engine: Engine,
    task: Callable[[Content], Result],
    partitions: Iterable[Partition[Content]],
    problems: Problems | None = None,
) -> Iterator[Result]:
    """Yield what `task` makes of each partition, in order, as `Engine.map_partitions` does."""
    table = engine.map_partitions(partial(_pickled, task), partitions, {_RESULT: bytes}, problems)
    for batch in table.batches():
        for result in batch[_RESULT]:
            yield pickle.loads(result)


def _pickled(task: Callable[[Content], Result], content: Content) -> Columns:
    results = np.empty(1, dtype=object)
    results[0] = pickle.dumps(task(content))
    return {_RESULT: results}


def loaded_once(load: Callable[[], Result]) -> Result:
    """Load what tasks share, such as a model, once in each process that works on them."""
    key = pickle.dumps(load)
    if key not in _LOADED:
        _LOADED[key] = load()
    loaded: Result = _LOADED[key]
    return loaded


def in_partitions(
    items: Iterable[Item], size: int, name: Callable[[Item], str]
) -> Iterator[Partition[list[Item]]]:
    """Group items; a partition is named after its first and last one."""
    stream = iter(items)
    while part := list(islice(stream, size)):
        first, last = name(part[0]), name(part[-1])
        yield Partition(first if first == last else f"{first} to {last}", part)
