"""Streams of texts: order, batches, memory, and an end of all processes when something is wrong."""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
import time
import tracemalloc
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from multiprocessing import active_children
from pathlib import Path
from subprocess import PIPE
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.compression import Request, streaming
from treewright.compression.compressor import BATCH
from treewright.compression.streaming import BATCH_CHARACTERS, Awaited, Job, compress_stream
from treewright.errors import DataError, TreewrightError, UsageError

from ..programs import started


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
from tests.compression.test_streaming import BATCH, Given, compress_stream, job
stream = compress_stream(job(), [Given("a")] * BATCH + [Given("slow")] * 9 * BATCH, 2)
while not next(stream):
    pass
print(len(active_children()), flush=True)
next(stream)
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_processes_end_with_a_parent_that_is_killed(number: int) -> None:
    path = os.pathsep.join([*sys.path, str(Path(__file__).parents[2])])
    command = (sys.executable, "-c", ORPHANS)
    with started(*command, stdout=PIPE, text=True, env={**os.environ, "PYTHONPATH": path}) as made:
        assert made.stdout.readline() == "2\n"
        made.send_signal(number)
        # The stream ends only when every process that has it is gone.
        assert made.stdout.read() == ""
        assert made.wait() == -number


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    """Return both ends of a pipe; should a test wait for ever, its input ends and it fails."""
    reading, writing = os.pipe()
    timer = threading.Timer(60.0, os.write, [writing, END])
    timer.start()
    yield reading, writing
    timer.cancel()
    os.close(reading)
    os.close(writing)


END = b"."
"""Processes inherit the pipe, so that closing it here would not end it."""


def letters(descriptor: int) -> Iterator[Given | Awaited]:
    """Give one text a byte of a pipe."""
    while True:
        while not select.select([descriptor], [], [], 0)[0]:
            yield Awaited(descriptor)
        letter = os.read(descriptor, 1)
        if letter == END:
            return
        yield Given(letter.decode())


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_is_there_comes_out_while_more_is_awaited(pipe: tuple[int, int], jobs: int) -> None:
    reading, writing = pipe
    stream = compress_stream(job(), letters(reading), jobs)
    results = (result for batch in stream for result in batch)
    for text in ("ab", "c", "def"):
        os.write(writing, text.encode())
        assert [next(results)[0] for _ in text] == list(text.upper())
    os.write(writing, END)
    assert list(results) == []
    assert active_children() == []


@given(st.lists(st.sampled_from([None, 1, BATCH_CHARACTERS // 2]), max_size=30), st.booleans())
def test_batches_keep_every_item_and_let_none_wait(sizes: list[int | None], wanted: bool) -> None:
    """`None` stands for an item that is awaited."""
    items = [Awaited(0) if size is None else Given("a", size) for size in sizes]
    batches = list(streaming._batches(items, lambda: wanted))
    given = [batch for batch in batches if not isinstance(batch, Awaited)]
    assert [item for batch in given for item in batch] == [
        item for item in items if isinstance(item, Given)
    ]
    assert all(given)
    if wanted:
        flat = [x for batch in batches for x in (batch if isinstance(batch, list) else [batch])]
        assert flat == items


def test_there_are_no_more_processes_than_batches() -> None:
    counts = []
    for batch in compress_stream(job(), [Given("a")] * 3, 60):
        counts.append((len(batch), len(active_children())))
    assert counts == [(0, 1), (3, 1)]
