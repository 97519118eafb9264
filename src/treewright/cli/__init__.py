"""The command line: one thin function per command, which parses, calls and prints."""

from __future__ import annotations

import atexit
import contextlib
import gc
import io
import os
import signal
import sys
from collections.abc import Iterator


def main() -> None:
    """Run `treewright`; anything a user caused is one line on stderr, never a traceback.

    Exit status: 0 for success, 1 for a problem with the data, 2 for an invalid request, 130 when
    interrupted, 143 when stopped by SIGTERM.
    """
    # Importing numba makes hundreds of thousands of objects that live to the end. Garbage
    # collection among them, along the way and once more at exit, would take a fifth of a short run.
    gc.set_threshold(200_000)
    atexit.register(gc.freeze)

    from treewright import compiling
    from treewright.cli.app import app
    from treewright.cli.console import say
    from treewright.errors import TreewrightError, UsageError

    compiling.begin_command(say)
    if sys.stdout is None:
        _fail("standard output is closed; send it to a file or to /dev/null", 1)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape")
    try:
        with _unwound_when_stopped():
            try:
                app()
            finally:
                sys.stdout.flush()
    except TreewrightError as error:
        _fail(str(error), 2 if isinstance(error, UsageError) else 1)
    except BrokenPipeError:
        # The reader has enough (`| head`); keep the interpreter from failing on its last flush.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except OSError as error:
        _fail(str(error), 1)
    except KeyboardInterrupt:
        _fail("interrupted", 130)


@contextlib.contextmanager
def _unwound_when_stopped() -> Iterator[None]:
    """Let SIGTERM unwind a command as the interrupt key does, so no file is left half written.

    A second signal ends it at once, unless a kernel is being compiled. If the signal is ignored
    (`nohup`), it stays ignored.
    """
    from treewright.signals import raised_even_if_lost

    def stop(number: int, frame: object) -> None:
        signal.signal(number, signal.SIG_DFL)
        stopped_by.append(number)
        raise SystemExit

    stopped_by: list[int] = []
    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    ours = [number for number in numbers if signal.getsignal(number) == signal.SIG_DFL]
    for number in ours:
        signal.signal(number, stop)
    try:
        with raised_even_if_lost():
            yield
    except BaseException:
        # Code that is interrupted may turn the exit into another error.
        if stopped_by:
            sys.exit(128 + stopped_by[0])
        raise
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)


def _fail(message: str, status: int) -> None:
    sys.stderr.write(f"treewright: {' '.join(message.splitlines())}\n")
    sys.exit(status)
