"""Traces: JSON Lines that training writes along the way, each line at once."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import IO, TYPE_CHECKING

from treewright.errors import DataError

if TYPE_CHECKING:
    from treewright.learning.margin.report import Report


def begin_trace(path: str | Path, *, resume: bool) -> None:
    """Empty a trace; if the run is resumed, only drop an incomplete last line."""
    place = Path(path)
    try:
        text = place.read_bytes() if resume and place.exists() else b""
        place.write_bytes(text[: text.rfind(b"\n") + 1])
    except OSError as error:
        raise DataError(f"cannot write it: {error.strerror}", where=str(path)) from None


def append_to(path: str | Path) -> IO[str]:
    """Open an existing trace to append lines to it."""
    return Path(path).open("a", encoding="utf-8", buffering=1)


@contextmanager
def round_trace(
    path: str | Path | None, *, resume: bool = False
) -> Iterator[Callable[[Report], None] | None]:
    """Open a trace of rounds and yield a function that writes a report, or `None`
    without a trace.
    """
    if path is None:
        yield None
        return
    begin_trace(path, resume=resume)
    with append_to(path) as lines:

        def write(report: Report) -> None:
            lines.write(json.dumps({**asdict(report), "gap": report.gap}) + "\n")

        yield write
