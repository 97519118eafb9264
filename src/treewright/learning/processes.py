"""Work in parallel processes, which receive what all of it shares only once.

Interrupted, or after the first error, the processes are stopped: none goes on unseen.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import SimpleQueue, active_children
from typing import Any, Generic, TypeVar

from treewright.errors import TreewrightError
from treewright.progress import Progress

Item = TypeVar("Item")
Result = TypeVar("Result")
Task = Callable[[Item, Progress], Result]
"""Work on one item; it must be picklable, as must items and results."""

STEPS = 100
"""How many steps a process reports of each piece of work that it tracks."""

_OFTEN = 0.1
"""Seconds between two looks at what the processes have to say."""

_KILLED = "a process was killed (perhaps out of memory); use fewer --jobs"


@dataclass(frozen=True)
class Done(Generic[Result]):
    """The result of the item at a place of the list."""

    place: int
    result: Result


@dataclass(frozen=True)
class Said:
    """A line of a process about its work."""

    message: str


@dataclass(frozen=True)
class Step:
    """A hundredth of what a process tracks is done."""


Event = Done[Result] | Said | Step


def in_processes(
    task: Task[Item, Result], items: Sequence[Item], jobs: int
) -> Iterator[Event[Result]]:
    """Work on every item, yielding what happens as it happens; results come in any order.

    The processes are started at once: before there is a thread that draws progress, whose locks
    they would inherit.
    """
    events = _events(task, items, jobs)
    next(events)
    return events


def _events(task: Task[Item, Result], items: Sequence[Item], jobs: int) -> Iterator[Event[Result]]:
    spoken: SimpleQueue[Said | Step] = SimpleQueue()
    others = set(active_children())
    with ProcessPoolExecutor(jobs, initializer=_receive, initargs=(task, spoken)) as pool:
        try:
            places = {pool.submit(_work, item): place for place, item in enumerate(items)}
            yield Step()
            left: set[Future[Result]] = set(places)
            while left:
                done, left = wait(left, _OFTEN, FIRST_COMPLETED)
                while not spoken.empty():
                    yield spoken.get()
                for future in done:
                    yield Done(places[future], future.result())
        except BaseException as error:
            # Leaving the pool would wait for all that is still to be done.
            for process in set(active_children()) - others:
                process.terminate()
            if isinstance(error, BrokenProcessPool):
                raise TreewrightError(_KILLED) from None
            raise


def results(events: Iterable[Event[Result]]) -> list[Result]:
    """Return the results in the order of their items."""
    done = {event.place: event.result for event in events if isinstance(event, Done)}
    return [done[place] for place in sorted(done)]


class _Wire:
    """The progress of a worker, told to the process that draws it."""

    def __init__(self, spoken: SimpleQueue[Said | Step]) -> None:
        self.spoken = spoken

    def track(
        self, items: Iterable[Item], description: str, total: int | None = None
    ) -> Iterator[Item]:
        """Pass `items` through, telling every hundredth of them."""
        told = 0
        for number, item in enumerate(items, start=1):
            yield item
            while total and told * total < number * STEPS:
                self.spoken.put(Step())
                told += 1

    def say(self, message: str) -> None:
        """Tell one line."""
        self.spoken.put(Said(message))


_received: list[tuple[Task[Any, Any], Progress]] = []
"""What a worker process works with."""


class _Stopped(SystemExit):
    """The process is to end; files half written are cleaned up on its way."""


def _receive(task: Task[Any, Any], spoken: SimpleQueue[Said | Step]) -> None:
    """Begin a worker: the interrupt key reaches it too, but it is its parent that stops it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _stop)
    _received[:] = [(task, _Wire(spoken))]


def _stop(number: int, frame: object) -> None:
    _received.clear()
    raise _Stopped


def _work(item: Any) -> Any:
    task, progress = _received[0]
    try:
        return task(item, progress)
    except BaseException:
        # The pool would take `_Stopped` for the item's result, and begin the next one. Raised
        # within a kernel it comes as another error.
        if not _received:
            os._exit(1)
        raise
