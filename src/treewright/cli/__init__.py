"""The command line: one thin function per command, which parses, calls and prints."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run `treewright`; anything a user caused is one line on stderr, never a traceback.

    Exit status: 0 done, 1 something in the data, 2 something in the request, 130 interrupted.
    """
    from treewright.cli.app import app
    from treewright.errors import TreewrightError, UsageError

    try:
        app()
    except TreewrightError as error:
        sys.stderr.write(f"treewright: {error}\n")
        sys.exit(2 if isinstance(error, UsageError) else 1)
    except BrokenPipeError:
        # The reader has enough (`| head`); keep the interpreter from failing on its last flush.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except KeyboardInterrupt:
        sys.stderr.write("treewright: interrupted\n")
        sys.exit(130)
