"""What the commands share: messages on stderr, progress bars, JSON lines, reading trees."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterable, Iterator, Sequence, Sized
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import typer

from treewright.errors import DataError, Problems, UsageError
from treewright.files import as_json

if TYPE_CHECKING:
    from rich.table import Table

    from treewright.corpora import Pair
    from treewright.engine import Engine
    from treewright.progress import Progress
    from treewright.trees import Tree

Item = TypeVar("Item")
_SHOWN = 20


class Bars:
    """Progress bars on stderr, drawn only if a person is watching.

    If results stream to the same terminal (`streaming`), they are progress enough. Without a
    `thread`, whose locks a process started meanwhile would inherit, a bar moves only from item to
    item.
    """

    def __init__(self, *, streaming: bool = False, thread: bool = True) -> None:
        self.streaming = streaming
        self.thread = thread

    def track(
        self, items: Iterable[Item], description: str, total: int | None = None
    ) -> Iterator[Item]:
        """Pass `items` through under a bar with an estimate of the remaining time."""
        if not sys.stderr.isatty() or (self.streaming and sys.stdout.isatty()):
            yield from items
            return
        from rich.console import Console
        from rich.progress import Progress

        if total is None and isinstance(items, Sized):
            total = len(items)
        # Otherwise rich would take over stdout as well, and the data would end up on stderr.
        console = Console(stderr=True)
        with Progress(
            console=console, transient=True, redirect_stdout=False, auto_refresh=self.thread
        ) as bars:
            yield from bars.track(items, total, description=description)

    def say(self, message: str) -> None:
        """Print one line on stderr."""
        say(message)


def progress(*, streaming: bool = False, thread: bool = True) -> Progress:
    """Return the progress reporter of the command line."""
    return Bars(streaming=streaming, thread=thread)


def say(message: str) -> None:
    """Print one line on stderr."""
    sys.stderr.write(f"{message}\n")


def put(line: str) -> None:
    """Print one line of data on stdout."""
    sys.stdout.write(f"{line}\n")


def put_json(value: Any) -> None:
    """Print one JSON value on one line of stdout."""
    put(as_json(value))


def put_table(table: Table) -> None:
    """Print a table on stdout, as wide as necessary if nobody is watching."""
    from rich.console import Console

    width = None if Console().is_terminal else 160
    # Names of files and systems are plain text, even if they contain brackets and colons.
    Console(width=width, markup=False, emoji=False, highlight=False).print(table)


def given(**settings: Any) -> dict[str, Any]:
    """Return the settings that the user gave; the others keep the library's defaults."""
    return {name: value for name, value in settings.items() if value is not None}


def check_stdin(*paths: str | None) -> None:
    """Raise a `UsageError` if more than one input is standard input."""
    if paths.count("-") > 1:
        raise UsageError("only one of the inputs can be - (standard input)")


def trees_of(parser: str) -> str | None:
    """Return the file that a parser `file=TREES` looks its trees up in."""
    return parser.removeprefix("file=") if parser.startswith("file=") else None


@contextmanager
def opened_engine(name: str | None, jobs: int, parser: str) -> Iterator[Engine | None]:
    """Open an engine if one is asked for, or several processes; otherwise it is `None`."""
    from treewright.engine import open_engine

    if name is None and jobs == 1:
        yield None
        return
    if trees_of(parser) == "-":
        raise UsageError("with --jobs or --engine, the trees must be a file, not -")
    with open_engine(name or "embedded", jobs) as opened:
        yield opened


def check_files(inputs: Sequence[str | None], outputs: Iterable[str | None]) -> None:
    """Check standard input and all outputs, before any work is done."""
    check_stdin(*inputs)
    check_outputs(inputs, outputs)


def check_outputs(inputs: Iterable[str | None], outputs: Iterable[str | None]) -> None:
    """Raise an error if an output would overwrite an input or another output, or cannot be written.

    Long work should not end with the discovery that there is no folder for its result.
    """
    taken = {Path(path).resolve() for path in inputs if path is not None and path != "-"}
    for output in outputs:
        if output is None or output == "-":
            continue
        place = Path(output).resolve()
        if place in taken:
            raise UsageError(f"{output} is also an input or another output; write elsewhere")
        if place.is_dir() or not place.parent.is_dir():
            why = errno.EISDIR if place.is_dir() else errno.ENOENT
            raise DataError(f"cannot write it: {os.strerror(why)}", where=output)
        taken.add(place)


def collect(strict: bool) -> Problems:
    """Return a collector that shows the first problems as they occur."""
    problems = Problems(strict=strict)

    def show(error: DataError) -> None:
        if len(problems.errors) <= _SHOWN:
            say(f"skipped: {error}")

    problems.report = show
    return problems


def conclude(problems: Problems, what: str) -> bool:
    """Say at the end how many items were skipped; return whether any was."""
    number = len(problems.errors)
    if number:
        say(f"{number} {what[:-1] if number == 1 else what} skipped (--strict stops at the first)")
    return number > 0


def finish(problems: Problems, what: str) -> None:
    """Say at the end how many items were skipped; if any was, the exit status is 1."""
    if conclude(problems, what):
        raise typer.Exit(1)


def split_name(text: str, expected: str) -> tuple[str, str]:
    """Split NAME=VALUE; the name may be left out with its sign, and is empty then."""
    name, equals, value = text.partition("=")
    if not equals:
        return "", text
    if not name or not value:
        raise UsageError(f"expected {expected}, found {text!r}")
    return name, value


def file_size(path: str) -> str:
    """Return the size of a file as text, if it is one."""
    return f", {Path(path).stat().st_size / 1e6:.1f} MB" if path != "-" else ""


def aligned_pairs(path: str, target: int | None, problems: Problems) -> list[Pair]:
    """Read the pairs of a corpus, with all targets if none is selected; align those that
    need it.
    """
    from treewright.alignment import align_pairs
    from treewright.corpora import read_pairs

    return list(align_pairs(read_pairs(path, target=target, problems=problems), problems))


def pairs_in_place(path: str, target: int, problems: Problems) -> list[Pair | None]:
    """Read the pairs of a corpus, `None` for each bad one, to preserve positions."""
    from treewright.corpora import Record, scan_lines

    pairs: list[Pair | None] = []
    for line in scan_lines(path):
        pair = None
        try:
            if not isinstance(line.record, Record):
                raise line.record
            pair = line.record.pair(target)
        except DataError as error:
            problems.add(error)
        pairs.append(pair)
    return pairs


def source_trees(path: str, *, strip: bool = False) -> Iterator[Tree | DataError]:
    """Stream trees in order, with errors in place of bad ones: bracket files, or the sources of a
    `.jsonl`.

    With `strip`, trees come without traces and function tags, rooted in ROOT.
    """
    empty = True
    for item in _pair_sources(path) if path.endswith(".jsonl") else _bracket_trees(path):
        empty = False
        yield stripped(item) if strip else item
    if empty:
        say(f"{path}: no trees in it")


def stripped(tree: Tree | DataError) -> Tree | DataError:
    """Return a tree without traces and function tags; an error stays an error."""
    from treewright.trees import root_at, strip_function_tags, strip_traces

    if isinstance(tree, DataError):
        return tree
    bare = strip_traces(tree)
    if bare is None:
        return DataError("the tree has only traces; nothing is left when they are stripped")
    return root_at(strip_function_tags(bare))


def _pair_sources(path: str) -> Iterator[Tree | DataError]:
    from treewright.corpora import scan_lines

    for line in scan_lines(path):
        yield line.record if isinstance(line.record, DataError) else line.record.source


def _bracket_trees(path: str) -> Iterator[Tree | DataError]:
    from treewright.corpora import MAX_WORDS, check_size
    from treewright.trees import scan_trees

    for line, tree in scan_trees(path):
        if isinstance(tree, DataError):
            yield tree
            continue
        try:
            check_size(tree.words(), MAX_WORDS, what="the tree", where=f"{path}:{line}")
        except DataError as error:
            yield error
        else:
            yield tree
