"""`treewright propositions`: what a body of text takes for granted about its domain."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from treewright.cli import console
from treewright.cli.groups import lazy_group
from treewright.errors import UsageError

if TYPE_CHECKING:
    from treewright.engine import Engine

_COMMANDS = ("learn", "label", "show", "roles", "score", "browse", "enrich", "export", "judge")

app = lazy_group(
    "Learn from text what does what to what, and use it.",
    {name: f"treewright.cli.propositions_{name}" for name in _COMMANDS},
)


@contextmanager
def opened_engine(name: str | None, jobs: int, parser: str) -> Iterator[Engine | None]:
    """Open an engine if one is asked for, or several processes."""
    from treewright.engine import open_engine

    if name is None and jobs == 1:
        yield None
        return
    if console.trees_of(parser) == "-":
        raise UsageError("with --jobs or --engine, the trees must be a file, not -")
    with open_engine(name or "embedded", jobs) as opened:
        yield opened
