"""Streams of texts: order, batches, memory, and an end of all processes when something is wrong."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pytest

from treewright.compression import Request, streaming
from treewright.compression.compressor import BATCH
from treewright.compression.streaming import BATCH_CHARACTERS, Job, compress_stream
from treewright.errors import DataError, TreewrightError, UsageError


@dataclass(frozen=True)
class Given:
    """A text as an item."""

    text: str | DataError
    size: int = 10


class Upper:
    """What stands for a compressor: it takes an effort, and has words it cannot bear."""

    def compress_each(self, texts: Iterable[str], request: Request) -> Iterator[Any]:
        several = list(texts)
        for text in several:
            if text == "slow":
                time.sleep(60.0)
            if text == "killed":
                os.kill(os.getpid(), signal.SIGKILL)
            if text == "broken":
                raise TreewrightError("no server")
            yield DataError("too bad") if text == "bad" else (text.upper(), len(several))


def load(message: str = "") -> Any:
    if message:
        raise UsageError(message)
    return Upper()


def finish(item: Given, result: Any) -> tuple[Any, ...]:
    return (item.text, str(result)) if isinstance(result, DataError) else result


def job(message: str = "") -> Job[Given, Any]:
    return Job(load=partial(load, message), request=Request(), finish=finish)


def shorten(texts: Iterable[str], jobs: int) -> list[Any]:
    found = compress_stream(job(), (Given(text) for text in texts), jobs)
    return [result for batch in found for result in batch]


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_results_come_in_order_and_batches_are_the_same(jobs: int) -> None:
    texts = [f"text {number}" for number in range(5 * BATCH + 7)]
    found = shorten(texts, jobs)
    assert [text for text, _ in found] == [text.upper() for text in texts]
    assert [size for _, size in found] == [BATCH] * 5 * BATCH + [7] * 7
    assert shorten([], jobs) == []
    assert active_children() == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_is_wrong_with_a_text_comes_in_its_place(jobs: int) -> None:
    error = DataError("not a text")
    items = [Given("a"), Given(error), Given("bad"), Given("b")]
    [found] = [batch for batch in compress_stream(job(), items, jobs) if batch]
    assert found[0] == ("A", 3)
    assert str(found[1][0]) == found[1][1] == "not a text"
    assert found[2:] == [("bad", "too bad"), ("B", 3)]


def test_long_texts_end_a_batch() -> None:
    items = [Given("a", BATCH_CHARACTERS), Given("b", BATCH_CHARACTERS - 1), Given("c"), Given("d")]
    sizes = [len(batch) for batch in compress_stream(job(), items)]
    assert sizes == [1, 2, 1]


@pytest.mark.parametrize("jobs", [1, 2])
def test_only_a_few_batches_are_read_ahead(jobs: int) -> None:
    read = 0

    def endless() -> Iterator[Given]:
        nonlocal read
        while True:
            read += 1
            yield Given("a")

    stream = compress_stream(job(), endless(), jobs)
    assert read == 0
    for number in range(1, 20):
        while not next(stream):
            pass
        assert number * BATCH <= read <= (number + 3 * jobs) * BATCH
    stream.close()
    assert active_children() == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_memory_does_not_grow_with_the_stream(jobs: int) -> None:
    def peak(number: int) -> int:
        texts = (Given("x" * 1000 + str(place), 1000) for place in range(number))
        tracemalloc.start()
        try:
            for _ in compress_stream(job(), texts, jobs):
                pass
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    peak(100)
    short, long = peak(1500), peak(6000)
    assert long < 1.5 * short


def test_a_model_that_cannot_be_loaded_is_said_at_once() -> None:
    with pytest.raises(UsageError, match="no such model"):
        compress_stream(job("no such model"), [])
    with pytest.raises(UsageError, match="no such model"):
        list(compress_stream(job("no such model"), [], 2))
    assert active_children() == []


@pytest.mark.parametrize(("text", "message"), [("broken", "no server"), ("killed", "was killed")])
def test_an_error_in_a_process_ends_all(text: str, message: str) -> None:
    texts = ["a"] * BATCH + [text] + ["slow"] * 7 * BATCH
    before = time.monotonic()
    with pytest.raises(TreewrightError, match=message):
        shorten(texts, 2)
    assert time.monotonic() - before < 30.0
    assert active_children() == []


def test_leaving_a_stream_ends_all() -> None:
    before = time.monotonic()
    stream = compress_stream(job(), [Given("slow")] * 4 * BATCH, 2)
    assert next(stream) == []
    with pytest.raises(KeyboardInterrupt):
        stream.throw(KeyboardInterrupt())
    stream = compress_stream(job(), [Given("a")] * BATCH + [Given("slow")] * 9 * BATCH, 2)
    while not next(stream):
        pass
    stream.close()
    assert time.monotonic() - before < 30.0
    assert active_children() == []


def test_a_reader_that_fails_ends_all() -> None:
    def failing() -> Iterator[Given]:
        yield from [Given("a")] * 3 * BATCH
        raise DataError("the disk is gone")

    for jobs in (1, 2):
        with pytest.raises(DataError, match="the disk is gone"):
            list(compress_stream(job(), failing(), jobs))
    assert active_children() == []


ORPHANS = """
import sys
from multiprocessing import active_children
from compression.test_streaming import BATCH, Given, compress_stream, job
stream = compress_stream(job(), [Given("a")] * BATCH + [Given("slow")] * 9 * BATCH, 2)
while not next(stream):
    pass
print(*[child.pid for child in active_children()], flush=True)
next(stream)
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_processes_end_with_a_parent_that_is_killed(number: int) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", ORPHANS],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
    ) as process:
        assert process.stdout is not None
        children = [int(word) for word in process.stdout.readline().split()]
        assert len(children) == 2
        process.send_signal(number)
    deadline = time.monotonic() + 30.0
    while any(map(is_running, children)):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def is_running(process: int) -> bool:
    """Whether a process is there and not only waiting for someone to ask for its status."""
    try:
        status = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def test_a_worker_loads_once(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = []

    def counted() -> Any:
        loaded.append(1)
        return Upper()

    monkeypatch.setattr(streaming, "_compressor", [])
    monkeypatch.setattr(streaming, "_job", [Job(load=counted, request=Request(), finish=finish)])
    assert streaming._work([]) == []
    assert streaming._work([Given("a")]) == [("A", 1)]
    assert loaded == [1]
