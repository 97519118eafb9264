"""The pool: order, refusal, work that is stopped, workers that are replaced."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from treewright.processes import LostProcessError
from treewright.service.pool import BusyError, OverrunError, Pool

from .toys import toil

PATIENCE = 60.0
Toys = Pool[tuple[str, int], tuple[int, int]]


def with_pool(
    test: Callable[[Toys], Awaitable[None]], *, size: int = 1, queue: int = 4, seconds: float = 30.0
) -> None:
    async def run() -> None:
        pool: Toys = Pool(toil, ("warm", 0), size=size, queue=queue, seconds=seconds)
        await pool.start()
        try:
            await test(pool)
        finally:
            await pool.stop()

    asyncio.run(asyncio.wait_for(run(), PATIENCE))


async def until(condition: Callable[[], Any]) -> None:
    while not condition():
        await asyncio.sleep(0)


def test_work_is_done_and_errors_are_raised() -> None:
    async def test(pool: Toys) -> None:
        assert pool.ready == 2
        results = await asyncio.gather(*[pool.run(("do", number)) for number in range(4)])
        assert [number for number, _ in results] == [0, 1, 2, 3]
        with pytest.raises(ValueError, match="7"):
            await pool.run(("fail", 7))
        assert (await pool.run(("do", 8)))[0] == 8
        assert (pool.count.done, pool.count.lost, pool.count.started) == (5, 0, 2)

    with_pool(test, size=2)


def test_what_does_not_fit_the_queue_is_refused_at_once() -> None:
    async def test(pool: Toys) -> None:
        hanging = asyncio.create_task(pool.run(("hang", 0)))
        await until(lambda: pool.running)
        waiting = [asyncio.create_task(pool.run(("do", number))) for number in range(2)]
        await until(lambda: pool.waiting == 2)
        with pytest.raises(BusyError, match="too many requests are waiting") as caught:
            await pool.run(("do", 9))
        assert caught.value.seconds >= 1
        # One that can wait is not refused, and one whose owner left is never begun.
        patient = asyncio.create_task(pool.run(("do", 5), patient=True))
        waiting[0].cancel()
        await until(lambda: waiting[0].done())
        with pytest.raises(OverrunError, match=r"more than 1 s"):
            await hanging
        assert (await waiting[1])[0] == 1
        assert (await patient)[0] == 5
        assert (pool.count.refused, pool.count.done) == (1, 2)

    with_pool(test, queue=2, seconds=1.0)


def test_a_worker_that_overruns_is_replaced() -> None:
    async def test(pool: Toys) -> None:
        _, first = await pool.run(("do", 1))
        with pytest.raises(OverrunError):
            await pool.run(("hang", 0))
        with pytest.raises(ProcessLookupError):
            os.kill(first, 0)
        _, second = await pool.run(("do", 2))
        assert second != first
        assert (pool.count.overrun, pool.count.started) == (1, 2)

    with_pool(test, seconds=0.5)


def test_a_killed_worker_loses_only_its_own_work() -> None:
    async def test(pool: Toys) -> None:
        tasks = [asyncio.create_task(pool.run(("do", number))) for number in range(3)]
        dying = asyncio.create_task(pool.run(("die", 0)))
        others = [asyncio.create_task(pool.run(("do", number))) for number in range(3, 6)]
        with pytest.raises(LostProcessError):
            await dying
        done = await asyncio.gather(*tasks, *others)
        assert [number for number, _ in done] == list(range(6))
        await until(lambda: pool.ready == 2)

    with_pool(test, size=2, queue=9)


def test_a_worker_killed_while_idle_loses_nothing() -> None:
    async def test(pool: Toys) -> None:
        _, worker = await pool.run(("do", 1))
        os.kill(worker, signal.SIGKILL)
        await until(lambda: pool.count.lost == 1)
        assert (await pool.run(("do", 2)))[0] == 2

    with_pool(test)


def test_stopping_finishes_what_was_accepted() -> None:
    async def test(pool: Toys) -> None:
        tasks = [asyncio.create_task(pool.run(("do", number))) for number in range(5)]
        await until(lambda: pool.waiting + pool.running + pool.count.done == 5)
        await pool.stop()
        assert [task.result()[0] for task in tasks] == list(range(5))

    with_pool(test, queue=9)
