"""Runs the command line in this process, with the streams of a terminal-less shell.

Nothing is said about kernels, which this machine has compiled already or has not.
"""

from __future__ import annotations

import contextlib
import io
import sys
from dataclasses import dataclass
from unittest import mock

from treewright import compiling
from treewright.cli import main


@dataclass(frozen=True)
class Run:
    """What a command left behind: its exit status and what it wrote."""

    status: int
    raw: bytes
    err: str

    @property
    def out(self) -> str:
        """Standard output as text."""
        return self.raw.decode()

    @property
    def lines(self) -> list[str]:
        """Standard output as lines."""
        return self.out.splitlines()


def run(*arguments: object, stdin: bytes | str = b"") -> Run:
    """Run `treewright` with these arguments."""
    content = stdin if isinstance(stdin, bytes) else stdin.encode()
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    status = 0
    with (
        mock.patch.object(compiling, "begin_command"),
        mock.patch.object(sys, "argv", ["treewright", *map(str, arguments)]),
        mock.patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(content), encoding="utf-8")),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as stopped:
            status = stopped.code if isinstance(stopped.code, int) else int(bool(stopped.code))
        out.flush()
        err.flush()
    assert isinstance(out.buffer, io.BytesIO)
    assert isinstance(err.buffer, io.BytesIO)
    return Run(status, out.buffer.getvalue(), err.buffer.getvalue().decode())


def succeed(*arguments: object, stdin: bytes | str = b"") -> Run:
    """Run a command that must succeed."""
    result = run(*arguments, stdin=stdin)
    assert result.status == 0, result.err
    return result


def succeed_in_part(*arguments: object, stdin: bytes | str = b"") -> Run:
    """Run a command that must do what it can and tell by its exit status that it skipped some."""
    result = run(*arguments, stdin=stdin)
    assert result.status == 1, result.err
    assert "skipped (--strict stops at the first)\n" in result.err
    return result


def fail(status: int, *arguments: object, stdin: bytes | str = b"") -> str:
    """Run a command that must fail with one line on stderr and no data; return that line."""
    result = run(*arguments, stdin=stdin)
    assert result.status == status, result.err
    assert result.err.count("\n") == 1, result.err
    assert result.err.startswith("treewright: ")
    assert "Traceback" not in result.err
    assert result.out == ""
    return result.err.removeprefix("treewright: ").rstrip("\n")
