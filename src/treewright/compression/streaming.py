"""Texts shortened as a stream, in one process or several: the same outputs in the same order.

Interrupted, or after the first error, the processes are stopped; they also end with their parent.
"""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from treewright.compression.compressor import BATCH, Compressor, Request, Text
from treewright.compression.result import Compression
from treewright.errors import DataError, TreewrightError

if TYPE_CHECKING:
    from concurrent.futures import Future

BATCH_CHARACTERS = 1 << 16
"""Characters after which a batch ends, however few texts it has."""

_AHEAD = 3
"""Batches a process that are read before the first of them is done."""

_KILLED = "a process was killed (perhaps out of memory); use fewer --jobs"


class Item(Protocol):
    """A text, or what is wrong with it; and how many characters are held for it."""

    @property
    def text(self) -> Text | DataError:
        """What is to be shortened."""
        ...

    @property
    def size(self) -> int:
        """The number of characters."""
        ...


ItemT = TypeVar("ItemT", bound=Item)
Result = TypeVar("Result")


@dataclass(frozen=True, kw_only=True)
class Job(Generic[ItemT, Result]):
    """What a process needs to know: how to load a compressor, what to ask, what to make of it.

    All of it must be picklable, as must items and results. A `Compression` is not: it holds the
    forest it comes from. `finish` takes out of it what is wanted.
    """

    load: Callable[[], Compressor]
    request: Request
    finish: Callable[[ItemT, Compression | DataError], Result]


def compress_stream(
    job: Job[ItemT, Result], items: Iterable[ItemT], jobs: int = 1
) -> Generator[list[Result], None, None]:
    """Shorten texts batch by batch, in order; a text that is an error is only finished.

    A few batches a process are held at a time, whatever the length of the stream. Batches are cut
    the same way for any number of jobs. Close the iterator when you leave it before its end.
    """
    batches = _batches(items)
    stream = _in_this_process(job, batches) if jobs == 1 else _in_processes(job, batches, jobs)
    # The model is loaded, or processes started, before anything is read or a bar is drawn, whose
    # locks they would inherit.
    next(stream)
    return stream


def _batches(items: Iterable[ItemT]) -> Iterator[list[ItemT]]:
    batch: list[ItemT] = []
    size = 0
    for item in items:
        batch.append(item)
        size += item.size
        if len(batch) >= BATCH or size >= BATCH_CHARACTERS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _in_this_process(
    job: Job[ItemT, Result], batches: Iterable[list[ItemT]]
) -> Generator[list[Result], None, None]:
    compressor = job.load()
    yield []
    for batch in batches:
        yield _shorten(job, compressor, batch)


def _shorten(
    job: Job[ItemT, Result], compressor: Compressor, batch: Sequence[ItemT]
) -> list[Result]:
    texts = [item.text for item in batch]
    good = compressor.compress_each([t for t in texts if not isinstance(t, DataError)], job.request)
    results = [text if isinstance(text, DataError) else next(good) for text in texts]
    return [job.finish(item, result) for item, result in zip(batch, results, strict=True)]


def _in_processes(
    job: Job[ItemT, Result], batches: Iterable[list[ItemT]], jobs: int
) -> Generator[list[Result], None, None]:
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import active_children

    others = set(active_children())
    with ProcessPoolExecutor(jobs, initializer=_begin, initargs=(job,)) as pool:
        try:
            # This one only loads the model: if that fails, it is the first thing to be known.
            waiting: deque[Future[list[Result]]] = deque([pool.submit(_work, [])])
            yield []
            for batch in batches:
                waiting.append(pool.submit(_work, batch))
                while waiting and (len(waiting) > _AHEAD * jobs or waiting[0].done()):
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except BaseException as error:
            # Leaving the pool would wait for all that is still to be done.
            for process in set(active_children()) - others:
                process.terminate()
            if isinstance(error, BrokenProcessPool):
                raise TreewrightError(_KILLED) from None
            raise


_job: list[Job[Any, Any]] = []
_compressor: list[Compressor] = []
"""What a worker process works with."""


def _begin(job: Job[Any, Any]) -> None:
    """Begin a worker: the interrupt key reaches it too, but it is its parent that stops it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _job[:] = [job]


def _end_with_parent() -> None:
    """End at once when the parent is gone: a killed one cannot stop anybody."""
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _work(batch: Sequence[Any]) -> list[Any]:
    [job] = _job
    if not _compressor:
        _compressor.append(job.load())
    return _shorten(job, _compressor[0], batch)
