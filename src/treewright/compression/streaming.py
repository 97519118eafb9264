"""Texts shortened as a stream, in one process or several: the same outputs in the same order.

Results are yielded as soon as they are ready, whatever the input does: a batch ends if the next
text has not arrived yet, and results are passed on while it is awaited.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Generic, Protocol, TypeAlias, TypeVar

from treewright.compression.compressor import BATCH
from treewright.compression.request import Request, Text
from treewright.compression.result import Compression
from treewright.engine import Engine, Partition, loaded_once, map_objects
from treewright.errors import DataError
from treewright.progress import SILENT, Progress

BATCH_CHARACTERS = 1 << 16
"""The number of characters after which a batch ends, however few texts it has."""

_AHEAD = 3
"""Batches per process that are read before the first of them is done."""


class Item(Protocol):
    """A text, or what is wrong with it, and how many characters are held for it."""

    @property
    def text(self) -> Text | DataError:
        """What is to be shortened."""
        ...

    @property
    def size(self) -> int:
        """The number of characters."""
        ...


class CompressesEach(Protocol):
    """A `Compressor`, or what shortens texts through one."""

    def compress_each(
        self, texts: Iterable[Text], request: Request | None = None
    ) -> Iterator[Compression | DataError]:
        """Shorten texts in order, with an error in place of each bad one."""
        ...


ItemT = TypeVar("ItemT", bound=Item)
Result = TypeVar("Result")


@dataclass(frozen=True, kw_only=True)
class Job(Generic[ItemT, Result]):
    """What a process needs: how to load a compressor, the request, and what to do with results.

    All of it must be picklable, and so must items and results. A `Compression` is not, because it
    holds the forest it comes from; `finish` extracts what is needed.
    """

    load: Callable[[], CompressesEach]
    request: Request
    finish: Callable[[ItemT, Compression | DataError], Result]


@dataclass(frozen=True)
class Awaited:
    """In place of an item: the next one arrives when this descriptor becomes readable."""

    descriptor: int


Items: TypeAlias = Iterable[ItemT | Awaited]


def compress_stream(
    job: Job[ItemT, Result], items: Items[ItemT], jobs: int = 1
) -> Generator[list[Result], None, None]:
    """Shorten texts batch by batch, in order; a text that is an error is only finished.

    A few batches per process are held at a time, whatever the length of the stream. If no item is
    awaited, batches are cut the same way for any number of jobs. Close the iterator if you leave it
    before its end.
    """
    work = _Shortening(job)
    stream = _in_this_process(work, items) if jobs == 1 else _in_processes(work, items, jobs)
    # The model is loaded, or a process started for it, before anything is read.
    next(stream)
    return stream


def compress_on(
    engine: Engine, job: Job[ItemT, Result], items: Items[ItemT]
) -> Generator[list[Result], None, None]:
    """Do what `compress_stream` does by partitions: the same outputs, in the same order."""
    # What cannot be loaded here should be the first thing to be known.
    loaded_once(job.load)
    yield from map_objects(engine, partial(_shortened, job), _partitions(items))


def _shortened(job: Job[ItemT, Result], batch: Sequence[ItemT]) -> list[Result]:
    work = _Shortening(job)
    work.compressor = loaded_once(job.load)
    return work(batch, SILENT)


def _partitions(items: Items[ItemT]) -> Iterator[Partition[list[ItemT]]]:
    number = 0
    for batch in _batches(items, lambda: False):
        if isinstance(batch, Awaited):
            _wait_for(batch)
        else:
            yield Partition(f"texts {number + 1} to {number + len(batch)}", batch)
            number += len(batch)


class _Shortening(Generic[ItemT, Result]):
    """The work of a process, which loads its compressor for the first batch."""

    def __init__(self, job: Job[ItemT, Result]) -> None:
        self.job = job
        self.compressor: CompressesEach | None = None

    def __call__(self, batch: Sequence[ItemT], progress: Progress) -> list[Result]:
        if self.compressor is None:
            self.compressor = self.job.load()
        texts = [item.text for item in batch]
        good = self.compressor.compress_each(
            [text for text in texts if not isinstance(text, DataError)], self.job.request
        )
        results = [text if isinstance(text, DataError) else next(good) for text in texts]
        return [self.job.finish(item, result) for item, result in zip(batch, results, strict=True)]


def _in_this_process(
    work: _Shortening[ItemT, Result], items: Items[ItemT]
) -> Generator[list[Result], None, None]:
    yield work([], SILENT)
    for batch in _batches(items, lambda: True):
        if isinstance(batch, Awaited):
            _wait_for(batch)
        else:
            yield work(batch, SILENT)


def _wait_for(awaited: Awaited) -> None:
    from multiprocessing.connection import wait

    wait([awaited.descriptor])


def _in_processes(
    work: _Shortening[ItemT, Result], items: Items[ItemT], jobs: int
) -> Generator[list[Result], None, None]:
    from treewright.processes import InOrder, Workers

    with Workers(work, jobs=1) as workers:
        # This one only loads the model: if that fails, it should be the first thing to be known.
        workers.submit([])
        yield []
        done = InOrder(workers)
        for batch in _batches(items, lambda: workers.unfinished < jobs):
            if isinstance(batch, Awaited):
                yield from done.take(batch.descriptor)
                continue
            # The first batch waits for the model that is being loaded; any other may have its own.
            workers.jobs = min(jobs, workers.submitted)
            workers.submit(batch)
            yield from done.take(timeout=0.0)
            while done.held > _AHEAD * jobs:
                yield from done.take()
        while done.held:
            yield from done.take()


def _batches(items: Items[ItemT], is_wanted: Callable[[], bool]) -> Iterator[list[ItemT] | Awaited]:
    """Group items; if the next is awaited, the items so far come first, if wanted."""
    batch: list[ItemT] = []
    size = 0
    for item in items:
        if isinstance(item, Awaited):
            if batch and is_wanted():
                yield batch
                batch, size = [], 0
            yield item
            continue
        batch.append(item)
        size += item.size
        if len(batch) >= BATCH or size >= BATCH_CHARACTERS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
