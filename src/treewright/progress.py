"""Progress reporting: the library reports, the command line draws."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol, TypeVar

Item = TypeVar("Item")


class Progress(Protocol):
    """What long work reports about itself. The library uses only this."""

    def track(
        self, items: Iterable[Item], description: str, total: int | None = None
    ) -> Iterator[Item]:
        """Pass `items` through, showing how far along they are."""
        ...

    def say(self, message: str) -> None:
        """Show one line about the current work."""
        ...


class Silent:
    """The default: no output at all."""

    def track(
        self, items: Iterable[Item], description: str, total: int | None = None
    ) -> Iterator[Item]:
        """Pass `items` through."""
        yield from items

    def say(self, message: str) -> None:
        """Say nothing."""


SILENT = Silent()
