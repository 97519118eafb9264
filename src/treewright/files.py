"""Opening text, and writing files completely or not at all."""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import math
import os
import re
import secrets
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, TextIO

from treewright.errors import DataError, ParseError, check_type

FORBIDDEN = re.compile("[\x00\ud800-\udfff]")
"""Characters that text does not contain: NUL, and the marks of bytes that are not UTF-8."""


def check_path(path: object) -> None:
    """Raise a `UsageError` if this cannot be the path of a file."""
    check_type(path, str | os.PathLike, "a file", "given by its path, a string or a Path")


def as_json(value: Any) -> str:
    """Write a value as JSON on one line; JSON has no infinity, so it becomes `null`."""
    return json.dumps(_finite(value), ensure_ascii=False, allow_nan=False)


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _finite(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


@contextlib.contextmanager
def open_text(
    path: str | Path, *, stream: TextIO | None = None, exact: bool = False
) -> Iterator[TextIO]:
    """Open UTF-8 text for reading; `-` is standard input, or `stream` if given; `.gz` is unpacked.

    Bytes that are not UTF-8 are read as lone surrogates, so `check_text` can name their line
    instead of the decoder failing somewhere in a buffer. `exact` text is every character of the
    file, including a byte order mark, with line ends unchanged, so only a line feed ends a line.
    """
    check_path(path)
    encoding, newline = ("utf-8", "\n") if exact else ("utf-8-sig", None)
    if stream is not None:
        yield stream
    elif str(path) == "-":
        if hasattr(sys.stdin, "reconfigure"):
            sys.stdin.reconfigure(encoding=encoding, errors="surrogateescape", newline=newline)
        yield sys.stdin
    else:
        with contextlib.ExitStack() as stack:
            try:
                file = stack.enter_context(Path(path).open("rb"))
            except OSError as error:
                raise DataError(f"cannot read it: {error.strerror}", where=str(path)) from None
            packed = str(path).endswith(".gz")
            content = stack.enter_context(gzip.GzipFile(fileobj=file)) if packed else file
            handle = io.TextIOWrapper(
                content, encoding=encoding, errors="surrogateescape", newline=newline
            )
            try:
                yield stack.enter_context(handle)
            except (EOFError, gzip.BadGzipFile, zlib.error):
                raise DataError("not a whole gzip file; pack it again", where=str(path)) from None


def check_text(text: str, path: str, line: int, column: int = 1) -> None:
    """Raise a `ParseError` at the first NUL or undecodable byte of a line."""
    found = FORBIDDEN.search(text)
    if found is None:
        return
    where = f"{path}:{line}:{column + found.start()}"
    if found[0] == "\x00":
        raise ParseError("a NUL byte; the file is not text", where=where)
    byte = ord(found[0]) - 0xDC00
    raise ParseError(
        f"byte 0x{byte:02x} is not UTF-8; convert the file to UTF-8 first", where=where
    )


def make_folder(path: str | Path) -> None:
    """Make a folder, and those around it, unless it is there."""
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(f"cannot make this folder: {error.strerror}", where=str(path)) from None


@contextlib.contextmanager
def atomic_write(path: str | Path, *, binary: bool = False) -> Iterator[IO[Any]]:
    """Write to a temporary file beside `path` that replaces it only when complete.

    `-` is standard output. A link stays a link, and anything but an ordinary file (a pipe,
    `/dev/null`) is written in place.
    """
    check_path(path)
    if str(path) == "-":
        yield sys.stdout.buffer if binary else sys.stdout
        return
    place = Path(path).resolve()
    mode, encoding = ("wb", None) if binary else ("w", "utf-8")
    if place.exists() and not place.is_file():
        with _writing(path):
            handle = place.open(mode, encoding=encoding)
        with handle:
            yield handle
        return
    # Named before it is there: an interruption between the two must not leave it behind.
    temporary = place.parent / f".{place.name}.{secrets.token_hex(4)}"
    try:
        with _writing(path):
            handle = temporary.open(mode.replace("w", "x"), encoding=encoding)
        with handle:
            yield handle
        with _writing(path):
            temporary.replace(place)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise


@contextlib.contextmanager
def packed_write(path: str | Path) -> Iterator[IO[str]]:
    """Write text as `atomic_write` does, compressed by gzip if the name ends in `.gz`.

    The same text always gives the same bytes.
    """
    if not str(path).endswith(".gz"):
        with atomic_write(path) as handle:
            yield handle
        return
    with (
        atomic_write(path, binary=True) as file,
        gzip.GzipFile("", "wb", compresslevel=6, fileobj=file, mtime=0) as packed,
        io.TextIOWrapper(packed, encoding="utf-8") as text,
    ):
        yield text


@contextlib.contextmanager
def _writing(path: str | Path) -> Iterator[None]:
    """Name the file in an error from the system about writing it."""
    try:
        yield
    except OSError as error:
        raise DataError(f"cannot write it: {error.strerror}", where=str(path)) from None
