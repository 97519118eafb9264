"""JSON Lines in and out, in constant memory: results are sent in order, as soon as they are ready.

No more is read than a few batches ahead of what is written, so a slow reader slows its own input.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace

from starlette.types import Message, Receive, Send

from treewright.compression import MAX_TEXT, Input, read_item
from treewright.errors import DataError, TreewrightError
from treewright.files import as_json, check_text
from treewright.service.pool import Pool
from treewright.service.work import Answer, Job, Shortening

_BATCH = 16
"""Lines that are worked on together; fewer if more are yet to arrive."""
_BATCH_CHARACTERS = 1 << 14
_LONGEST = 6 * MAX_TEXT + 1024
"""Bytes of a line; a character may be escaped as six."""


class _SenderLeftError(Exception):
    """Whoever sent the stream is gone."""


@dataclass
class LineStream:
    """Reads lines from a request, lets the pool work on them, and sends what comes of them."""

    pool: Pool[Job, Answer]
    template: Shortening
    receive: Receive
    send: Send
    count: Callable[[int], None]

    async def run(self) -> None:
        """Answer the request, line by line."""
        headers = [(b"content-type", b"application/jsonl; charset=utf-8")]
        await self.send({"type": "http.response.start", "status": 200, "headers": headers})
        pending: asyncio.Queue[asyncio.Task[bytes] | None] = asyncio.Queue(2 * self.pool.size)
        reading = asyncio.create_task(self._read(pending))
        try:
            while (next_one := await pending.get()) is not None:
                await self._put(await next_one)
            if await reading:
                await self._put(b"", more=False)
        finally:
            reading.cancel()
            while not pending.empty():
                left = pending.get_nowait()
                if left is not None:
                    left.cancel()

    async def _read(self, pending: asyncio.Queue[asyncio.Task[bytes] | None]) -> bool:
        """Begin work on batches as they arrive; return whether the sender stayed to the end."""
        try:
            async for batch in self._batches():
                await pending.put(asyncio.create_task(self._answered(batch)))
        except _SenderLeftError:
            return False
        finally:
            await pending.put(None)
        return True

    async def _put(self, body: bytes, *, more: bool = True) -> None:
        message: Message = {"type": "http.response.body", "body": body, "more_body": more}
        await self.send(message)

    async def _answered(self, batch: list[Input]) -> bytes:
        """Return the lines of a batch; if its work is lost, each says why."""
        try:
            job = replace(self.template, items=batch, lines=True)
            return (await self.pool.run(job, patient=True)).body
        except TreewrightError as error:
            lines = [as_json({**item.passed, "error": str(error)}) for item in batch]
            return "".join([f"{line}\n" for line in lines]).encode()

    async def _batches(self) -> AsyncIterator[list[Input]]:
        """Group the lines that have arrived."""
        batch: list[Input] = []
        size = 0
        async for item in self._items():
            if item is not None:
                batch.append(item)
                size += item.size
                self.count(item.size)
            waits = item is None
            if batch and (waits or len(batch) >= _BATCH or size >= _BATCH_CHARACTERS):
                yield batch
                batch, size = [], 0
        if batch:
            yield batch

    async def _items(self) -> AsyncIterator[Input | None]:
        """Yield an item for each line, and `None` whenever the next is yet to arrive."""
        rest = bytearray()
        skipping = False
        number = 0
        async for chunk in self._chunks():
            rest += chunk
            *lines, last = rest.split(b"\n")
            for line in lines:
                number += 1
                yield _too_long(number) if skipping else _item(bytes(line), number)
                skipping = False
            rest = bytearray(last)
            if len(rest) > _LONGEST:
                rest, skipping = bytearray(), True
            yield None
        if rest or skipping:
            yield _too_long(number + 1) if skipping else _item(bytes(rest), number + 1)

    async def _chunks(self) -> AsyncIterator[bytes]:
        while True:
            message = await self.receive()
            if message["type"] == "http.disconnect":
                raise _SenderLeftError
            yield message.get("body", b"")
            if not message.get("more_body", False):
                return


def _item(line: bytes, number: int) -> Input | None:
    """Read a line; an empty one is no item."""
    where = f"line {number}"
    try:
        text = line.decode("utf-8").strip()
        check_text(text, "line", number)
        return read_item(text, where) if text else None
    except UnicodeDecodeError:
        return _bad(DataError("it is not UTF-8", where=where))
    except DataError as error:
        return _bad(error)


def _too_long(number: int) -> Input:
    return _bad(DataError(f"a line of more than {_LONGEST} bytes", where=f"line {number}"))


def _bad(error: DataError) -> Input:
    return Input("", error, "")
