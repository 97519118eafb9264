"""Work in parallel processes, which are started when there is work for them.

They receive what all work shares once. They are stopped when interrupted and after the first error,
and end with their parent, so none runs on unnoticed.
"""

from __future__ import annotations

import os
import signal
import threading
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import Pipe, Process, get_context, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from types import TracebackType
from typing import Any, Generic, TypeAlias, TypeVar

from treewright.errors import TreewrightError
from treewright.progress import Progress
from treewright.signals import raised_even_if_lost

Item = TypeVar("Item")
Result = TypeVar("Result")
Task: TypeAlias = Callable[[Item, Progress], Result]
"""Does the work for one item; it must be picklable, and so must items and results."""

STEPS = 100
"""How many steps a process reports for each piece of work that it tracks."""

_PATIENCE = 10.0
"""Seconds that a process has for cleaning up when it is stopped."""

_SIGNALS = (signal.SIGINT, signal.SIGTERM)

_KILLED = "a process was killed (perhaps out of memory); use fewer --jobs"


@dataclass(frozen=True)
class Done(Generic[Result]):
    """The result of the item at a position of the list."""

    place: int
    result: Result


@dataclass(frozen=True)
class Said:
    """A line from a process about its work."""

    message: str


@dataclass(frozen=True)
class Step:
    """A hundredth of the tracked work is done."""


@dataclass(frozen=True)
class _Failed:
    """What a process could not do, and why."""

    error: Exception


Event: TypeAlias = Done[Result] | Said | Step


def in_processes(
    task: Task[Item, Result], items: Sequence[Item], jobs: int
) -> Iterator[Event[Result]]:
    """Work on every item, yielding events as they happen; results come in any order.

    The processes are started at once, before there is a thread that draws progress, whose locks
    they would inherit.
    """
    events = _events(task, items, jobs)
    next(events)
    return events


def _events(task: Task[Item, Result], items: Sequence[Item], jobs: int) -> Iterator[Event[Result]]:
    with Workers(task, jobs) as workers:
        for item in items:
            workers.submit(item)
        yield Step()
        while workers.unfinished:
            yield from workers.wait()


def results(events: Iterable[Event[Result]]) -> list[Result]:
    """Return the results in the order of their items."""
    done = {event.place: event.result for event in events if isinstance(event, Done)}
    return [done[place] for place in sorted(done)]


class Workers(Generic[Item, Result]):
    """At most `jobs` processes, a number that may be raised, each working on one item at a time.

    Leaving the context stops them, whatever they are doing.
    """

    def __init__(self, task: Task[Item, Result], jobs: int) -> None:
        self.task = task
        self.jobs = jobs
        self.submitted = 0
        self.unfinished = 0
        self._backlog: deque[tuple[int, Item]] = deque()
        self._processes: list[BaseProcess] = []
        self._idle: list[Connection] = []
        self._busy: list[Connection] = []

    def __enter__(self) -> Workers[Item, Result]:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            process.join(_PATIENCE)
            if process.exitcode is None:
                process.kill()
                process.join()
        for connection in (*self._idle, *self._busy):
            connection.close()

    def submit(self, item: Item) -> int:
        """Queue an item; return its position."""
        place = self.submitted
        self.submitted += 1
        self.unfinished += 1
        self._backlog.append((place, item))
        self._hand_out()
        return place

    def wait(self, *descriptors: int, timeout: float | None = None) -> list[Event[Result]]:
        """Wait until a process has something to report, or one of the descriptors can be read."""
        events: list[Event[Result]] = []
        for ready in wait([*self._busy, *descriptors], timeout):
            if isinstance(ready, Connection):
                events.append(self._received(ready))
        self._hand_out()
        return events

    def _hand_out(self) -> None:
        while self._backlog and len(self._busy) < self.jobs:
            connection = self._idle.pop() if self._idle else self._start()
            self._busy.append(connection)
            try:
                connection.send(self._backlog.popleft())
            except ConnectionError:
                raise TreewrightError(_KILLED) from None

    def _start(self) -> Connection:
        process, connection = _started(self.task, Process)
        self._processes.append(process)
        return connection

    def _received(self, connection: Connection) -> Event[Result]:
        try:
            told: Event[Result] | _Failed = connection.recv()
        except (EOFError, ConnectionError):
            raise TreewrightError(_KILLED) from None
        if isinstance(told, _Failed):
            raise told.error
        if isinstance(told, Done):
            self.unfinished -= 1
            self._busy.remove(connection)
            self._idle.append(connection)
        return told


class Worker(Generic[Item, Result]):
    """One process, started at once, that does one piece of work at a time for whoever waits for it.

    It comes from a server of processes without threads: its own parent may have any.
    """

    def __init__(self, task: Task[Item, Result], preload: Sequence[str] = ()) -> None:
        context = get_context("forkserver")
        context.set_forkserver_preload([__name__, *preload])
        self.process, self._connection = _started(task, context.Process)

    def work(self, item: Item) -> Result:
        """Return the result for an item, or raise the error; that of a lost process if it ends."""
        try:
            self._connection.send((0, item))
            told: Event[Result] | _Failed = Step()
            while not isinstance(told, Done | _Failed):
                told = self._connection.recv()
        except (EOFError, OSError):
            raise LostProcessError("the process ended before its work was done") from None
        if isinstance(told, _Failed):
            raise told.error
        return told.result

    def kill(self) -> None:
        """End the process, whatever it is doing."""
        self.process.kill()
        self.process.join()
        self._connection.close()


class LostProcessError(TreewrightError):
    """A process ended before its work was done."""


def _started(task: Task[Any, Any], make: Callable[..., Any]) -> tuple[BaseProcess, Connection]:
    """Start a process; return it and what leads to it."""
    mine, theirs = Pipe()
    process = make(target=_serve, args=(task, theirs), daemon=True)
    with _signals_held():
        process.start()
    theirs.close()
    return process, mine


class InOrder(Generic[Item, Result]):
    """The results of processes, put in the order in which their items were submitted."""

    def __init__(self, workers: Workers[Item, Result]) -> None:
        self.workers = workers
        self.taken = 0
        self._early: dict[int, Result] = {}

    @property
    def held(self) -> int:
        """How many results are still to be taken."""
        return self.workers.submitted - self.taken

    def take(self, *descriptors: int, timeout: float | None = None) -> Iterator[Result]:
        """Wait for a result or one of the descriptors; yield what is next in order."""
        for event in self.workers.wait(*descriptors, timeout=timeout):
            if isinstance(event, Done):
                self._early[event.place] = event.result
        while self.taken in self._early:
            self.taken += 1
            yield self._early.pop(self.taken - 1)


class _Wire:
    """The progress of a worker, reported to the process that draws it."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    def track(
        self, items: Iterable[Item], description: str, total: int | None = None
    ) -> Iterator[Item]:
        """Pass `items` through, reporting every hundredth of them."""
        told = 0
        for number, item in enumerate(items, start=1):
            yield item
            while total and told * total < number * STEPS:
                self.connection.send(Step())
                told += 1

    def say(self, message: str) -> None:
        """Report one line."""
        self.connection.send(Said(message))


@contextmanager
def _signals_held() -> Iterator[None]:
    """Block signals while a process is made: a new one must not die from its parent's handlers."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(task: Task[Any, Any], connection: Connection) -> None:
    """Process incoming work; the interrupt key reaches a worker too, but its parent stops it."""
    stopped = threading.Event()

    def stop(number: int, frame: object) -> None:
        stopped.set()
        raise SystemExit(1)  # so that files half written are cleaned up on the way

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, stop)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    wire = _Wire(connection)
    with raised_even_if_lost():
        while True:
            place, item = connection.recv()
            try:
                connection.send(Done(place, task(item, wire)))
            except Exception as error:
                # Code that a signal interrupts may turn the exit into another error.
                if stopped.is_set():
                    return
                _tell_failure(connection, error)


def _tell_failure(connection: Connection, error: Exception) -> None:
    trace = traceback.format_exc()
    error.add_note(trace)
    try:
        connection.send(_Failed(error))
    except Exception:  # it cannot be pickled
        connection.send(_Failed(RuntimeError(trace)))


def _end_with_parent() -> None:
    """End at once when the parent is gone: a killed parent cannot stop anything."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
