"""A pool of warm processes: a queue with a bound, work that is stopped in time, workers replaced.

A worker does one piece of work at a time. One that overruns its time is killed, and one that ends,
for whatever reason, loses only the work it had; another takes its place.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from treewright.errors import TreewrightError
from treewright.processes import LostProcessError, Task, Worker

Item = TypeVar("Item")
Result = TypeVar("Result")

_SMOOTHING = 0.1
"""The weight of the latest piece of work in the mean of how long they take."""
_AGAIN = 1.0
"""Seconds before a worker that could not start is started again."""


class BusyError(TreewrightError):
    """The queue is full; `seconds` is when it may have room again."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"too many requests are waiting; try again in {seconds} s")
        self.seconds = seconds


class OverrunError(TreewrightError):
    """Work took longer than it may, and was stopped."""


@dataclass(eq=False)
class _Job(Generic[Item, Result]):
    item: Item
    future: asyncio.Future[Result]


@dataclass
class Count:
    """What has happened to the pool so far."""

    done: int = 0
    refused: int = 0
    overrun: int = 0
    lost: int = 0
    started: int = 0


class Pool(Generic[Item, Result]):
    """At most `size` processes that each do `task`, and at most `queue` items that wait for them.

    A process is ready when it has done `task` for `warming`.
    """

    def __init__(
        self,
        task: Task[Item, Result],
        warming: Item,
        *,
        size: int,
        queue: int,
        seconds: float,
        preload: tuple[str, ...] = (),
    ) -> None:
        self.size = size
        self.queue = queue
        self.seconds = seconds
        self.count = Count()
        self.ready = 0
        self.running = 0
        self._make: Callable[[], Worker[Item, Result]] = lambda: Worker(task, preload)
        self._warming = warming
        self._waiting: deque[_Job[Item, Result]] = deque()
        self._changed = asyncio.Condition()
        self._tasks: list[asyncio.Task[None]] = []
        self._threads = ThreadPoolExecutor(2 * size, thread_name_prefix="pool")
        self._mean = 0.1

    @property
    def waiting(self) -> int:
        """How many items wait for a process."""
        return len(self._waiting)

    async def start(self) -> None:
        """Start all processes, the first alone: what it compiles, the others find."""
        first = await self._started()
        self._tasks.append(asyncio.create_task(self._tend(first)))
        self._tasks += [asyncio.create_task(self._tend(None)) for _ in range(self.size - 1)]
        async with self._changed:
            await self._changed.wait_for(lambda: self.ready == self.size)

    async def stop(self) -> None:
        """Wait until all accepted work is done, then end the processes."""
        async with self._changed:
            await self._changed.wait_for(lambda: not self._waiting and not self.running)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._threads.shutdown(wait=False)

    async def run(self, item: Item, *, patient: bool = False) -> Result:
        """Return the result for an item; if the queue is full, refuse it, or wait if `patient`."""
        async with self._changed:
            if patient:
                await self._changed.wait_for(lambda: len(self._waiting) < self.queue)
            else:
                self.check_room()
            job = _Job[Item, Result](item, asyncio.get_running_loop().create_future())
            self._waiting.append(job)
            self._changed.notify_all()
        try:
            return await job.future
        except asyncio.CancelledError:
            # Whoever asked is gone; if the work has not begun, it never will.
            if job in self._waiting:
                self._waiting.remove(job)
            raise

    def check_room(self) -> None:
        """Refuse work if the queue is full."""
        if len(self._waiting) >= self.queue:
            self.count.refused += 1
            raise BusyError(math.ceil(self._mean * (1 + self.waiting) / self.size))

    async def _started(self) -> Worker[Item, Result]:
        loop = asyncio.get_running_loop()
        worker = await loop.run_in_executor(self._threads, self._make)
        try:
            await loop.run_in_executor(self._threads, worker.work, self._warming)
        except BaseException:
            worker.kill()
            raise
        self.count.started += 1
        async with self._changed:
            self.ready += 1
            self._changed.notify_all()
        return worker

    async def _tend(self, worker: Worker[Item, Result] | None) -> None:
        """Give work to a process and replace it when it ends, for ever."""
        try:
            while True:
                if worker is None:
                    try:
                        worker = await self._started()
                    except TreewrightError:
                        await asyncio.sleep(_AGAIN)
                        continue
                job = await self._next(worker)
                if job is None or not await self._do(worker, job):
                    self.ready -= 1
                    worker.kill()
                    worker = None
        finally:
            if worker is not None:
                worker.kill()

    async def _next(self, worker: Worker[Item, Result]) -> _Job[Item, Result] | None:
        """Wait for work; `None` if the process ended meanwhile."""
        ended = asyncio.Event()
        loop = asyncio.get_running_loop()
        sentinel = worker.process.sentinel

        def tell() -> None:
            loop.remove_reader(sentinel)
            ended.set()
            self._wake()

        loop.add_reader(sentinel, tell)
        try:
            async with self._changed:
                await self._changed.wait_for(lambda: self._waiting or ended.is_set())
                if ended.is_set():
                    self.count.lost += 1
                    return None
                self.running += 1
                job = self._waiting.popleft()
                self._changed.notify_all()
                return job
        finally:
            loop.remove_reader(sentinel)

    def _wake(self) -> None:
        async def notify() -> None:
            async with self._changed:
                self._changed.notify_all()

        self._waking = asyncio.ensure_future(notify())

    async def _do(self, worker: Worker[Item, Result], job: _Job[Item, Result]) -> bool:
        """Do a piece of work; return whether the process can do more."""
        loop = asyncio.get_running_loop()
        began = time.monotonic()
        working = loop.run_in_executor(self._threads, worker.work, job.item)
        error: Exception
        try:
            result = await asyncio.wait_for(asyncio.shield(working), self.seconds)
        except TimeoutError:
            self.count.overrun += 1
            worker.process.kill()
            await asyncio.wait([working])
            error = OverrunError(f"it took more than {self.seconds:g} s; shorten less at a time")
            return self._settled(job, error=error, usable=False)
        except LostProcessError as lost:
            self.count.lost += 1
            return self._settled(job, error=lost, usable=False)
        except Exception as failure:
            return self._settled(job, error=failure)
        finally:
            self.running -= 1
            self._mean += _SMOOTHING * (time.monotonic() - began - self._mean)
            self._wake()
        self.count.done += 1
        return self._settled(job, result=result)

    @staticmethod
    def _settled(
        job: _Job[Any, Any],
        *,
        result: Any = None,
        error: Exception | None = None,
        usable: bool = True,
    ) -> bool:
        if not job.future.done():
            if error is None:
                job.future.set_result(result)
            else:
                job.future.set_exception(error)
        return usable
