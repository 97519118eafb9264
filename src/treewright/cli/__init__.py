"""The command line: one thin function per command, which parses, calls and prints."""

from __future__ import annotations

import atexit
import gc
import io
import os
import sys


def main() -> None:
    """Run `treewright`; anything a user caused is one line on stderr, never a traceback.

    Exit status: 0 done, 1 something in the data, 2 something in the request, 130 interrupted.
    """
    # Numba's imports make objects by the hundred thousand that live to the end. Looking for garbage
    # among them, on the way and once more at the exit, would be a fifth of a short run.
    gc.set_threshold(200_000)
    atexit.register(gc.freeze)

    from treewright import compiling
    from treewright.cli.app import app
    from treewright.cli.console import is_interrupt, say
    from treewright.errors import TreewrightError, UsageError

    compiling.begin_command(say)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape")
    try:
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
    except (KeyboardInterrupt, SystemError) as error:
        if not is_interrupt(error):
            raise
        _fail("interrupted", 130)


def _fail(message: str, status: int) -> None:
    sys.stderr.write(f"treewright: {' '.join(message.splitlines())}\n")
    sys.exit(status)
