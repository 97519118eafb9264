"""What the commands share: messages on stderr, progress bars, JSON lines, reading trees."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sized
from typing import TYPE_CHECKING, Any, TypeVar

from treewright.errors import DataError, Problems

if TYPE_CHECKING:
    from rich.table import Table

    from treewright.corpora import Pair
    from treewright.progress import Progress
    from treewright.trees import Tree

Item = TypeVar("Item")
_SHOWN = 20


class Bars:
    """Progress bars on stderr, drawn only where a person watches."""

    def track(
        self, items: Iterable[Item], description: str, total: int | None = None
    ) -> Iterator[Item]:
        """Pass `items` through under a bar with an estimate of the time left."""
        from rich.console import Console
        from rich.progress import track

        console = Console(stderr=True)
        if total is None and isinstance(items, Sized):
            total = len(items)
        yield from track(
            items,
            description,
            total,
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )

    def say(self, message: str) -> None:
        """Print one line on stderr."""
        say(message)


def progress() -> Progress:
    """Return the progress reporter of the command line."""
    return Bars()


def say(message: str) -> None:
    """Print one line on stderr."""
    sys.stderr.write(f"{message}\n")


def put(line: str) -> None:
    """Print one line of data on stdout."""
    sys.stdout.write(f"{line}\n")


def put_json(value: Any) -> None:
    """Print one JSON value on one line of stdout."""
    put(json.dumps(value, ensure_ascii=False))


def put_table(table: Table) -> None:
    """Print a table on stdout, as wide as it needs to be where nobody watches."""
    from rich.console import Console

    console = Console()
    if not console.is_terminal:
        console = Console(width=160)
    console.print(table)


def collect(strict: bool) -> Problems:
    """Return a collector that shows the first problems as they come."""
    problems = Problems(strict=strict)

    def show(error: DataError) -> None:
        if len(problems.errors) <= _SHOWN:
            say(f"skipped: {error}")

    problems.report = show
    return problems


def conclude(problems: Problems, what: str) -> None:
    """Say at the end how many items were skipped, if any."""
    if problems.errors:
        say(f"{len(problems.errors)} {what} skipped (--strict stops at the first)")


def aligned_pairs(path: str, target: int, problems: Problems) -> list[Pair]:
    """Read the pairs of a corpus and align those that come without an alignment."""
    from treewright.alignment import align_pairs
    from treewright.corpora import read_pairs

    return list(align_pairs(read_pairs(path, target=target, problems=problems), problems))


def source_trees(path: str) -> Iterator[Tree | DataError]:
    """Stream trees in order, bad ones as errors: bracket files, or the sources of a `.jsonl`."""
    if path.endswith(".jsonl"):
        from treewright.corpora import scan_lines

        for line in scan_lines(path):
            yield line.record if isinstance(line.record, DataError) else line.record.source
        return
    from treewright.trees import scan_trees

    for scanned in scan_trees(path):
        yield scanned.tree
