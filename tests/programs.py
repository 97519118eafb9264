"""Programs that tests start: none outlives its test or makes it wait for ever."""

from __future__ import annotations

import contextlib
import os
import pty
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any

SECONDS = 300.0
"""How long a program may take, compiling included."""

TREEWRIGHT = (sys.executable, "-m", "treewright")


def run_program(*arguments: object, **options: Any) -> subprocess.CompletedProcess[Any]:
    """Run a program to its end, keeping what it writes; it must succeed unless `check=False`."""
    options = {"capture_output": True, "check": True, "timeout": SECONDS, **options}
    return subprocess.run([str(argument) for argument in arguments], **options)


@contextlib.contextmanager
def started(
    *arguments: object, seconds: float = SECONDS, **options: Any
) -> Iterator[subprocess.Popen[Any]]:
    """Start a program in a session of its own, whose processes all end with the context.

    They are also killed when time is up, so that a test may read from it or wait for it as it
    likes. The interrupt key and hanging up work there even if the suite runs where they are ignored
    (`nohup`).
    """
    ours = signal.signal(signal.SIGINT, signal.default_int_handler)
    hanging_up = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    try:
        process = subprocess.Popen(
            [str(argument) for argument in arguments], start_new_session=True, **options
        )
    finally:
        signal.signal(signal.SIGINT, ours)
        signal.signal(signal.SIGHUP, hanging_up)
    timer = threading.Timer(seconds, _kill, [process.pid])
    timer.start()
    with process:
        try:
            yield process
        finally:
            _kill(process.pid)
            timer.cancel()


def run_in_terminal(
    *arguments: object, streams: tuple[str, ...], **options: Any
) -> tuple[int, bytes]:
    """Run a program with some of its streams on a terminal; return its status and what is seen."""
    mine, theirs = pty.openpty()
    options.update(dict.fromkeys(streams, theirs))
    with started(*arguments, **options) as process:
        os.close(theirs)
        seen = b""
        try:
            while more := os.read(mine, 1 << 16):
                seen += more
        except OSError:  # the terminal's other end is closed
            pass
        os.close(mine)
        return process.wait(), seen


def _kill(session: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(session, signal.SIGKILL)
