"""The exceptions: everything a user can cause ends in a `TreewrightError`."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


class TreewrightError(Exception):
    """Base of all errors a user can cause; the text is one line that says what to do."""


class UsageError(TreewrightError):
    """The request itself is invalid: an unknown name, or options that contradict each other."""


class DataError(TreewrightError):
    """Something in the input is wrong; `where` is `file:line:column` or a pair's id."""

    def __init__(self, message: str, *, where: str = "") -> None:
        super().__init__(message, where)
        self.message = message
        self.where = where

    def __reduce__(self) -> tuple[Any, ...]:
        # By default `where` would be passed by position, and the error could not leave a worker
        # process.
        return partial(type(self), where=self.where), (self.message,)

    def __str__(self) -> str:
        return f"{self.where}: {self.message}" if self.where else self.message


class ParseError(DataError):
    """Text that is not in the expected format, at a known position."""


class ModelFileError(DataError):
    """A model file that is damaged, of another kind, or from a newer version."""


@dataclass
class Problems:
    """Collects the bad items of a batch, so one of them never loses the rest.

    With `strict` the first problem is raised; otherwise each one is passed to `report` and kept.
    """

    strict: bool = False
    report: Callable[[DataError], None] | None = None
    errors: list[DataError] = field(default_factory=list)

    def add(self, error: DataError) -> None:
        """Record one bad item, or raise it when strict."""
        if self.strict:
            raise error
        self.errors.append(error)
        if self.report is not None:
            self.report(error)

    def good(self, items: Iterable[Item | DataError]) -> Iterator[Item]:
        """Yield the good items of a stream, and record the errors among them."""
        for item in items:
            if isinstance(item, DataError):
                self.add(item)
            else:
                yield item

    def made(self, make: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Yield what is made of each item, and record the errors of those that cannot be used."""
        for item in items:
            try:
                result = make(item)
            except DataError as error:
                self.add(error)
            else:
                yield result


def how_to_install(extra: str) -> str:
    """Say how an extra is installed; the package is on no index to install it from by name."""
    return f"run pip install '.[{extra}]' in the folder that Treewright was installed from"


def check_type(value: object, kind: Any, what: str, wanted: str) -> None:
    """Raise a `UsageError` if a value from a user does not have one of the given types."""
    if not isinstance(value, kind):
        raise UsageError(f"{what} must be {wanted}, found {reprlib.repr(value)}")


def choose(name: str, choices: Collection[str], what: str) -> str:
    """Return `name` if it is one of `choices`; otherwise raise an error that lists them."""
    if name not in choices:
        raise UsageError(f"unknown {what} {name!r}; choose one of: {', '.join(sorted(choices))}")
    return name


def check_least(settings: object, *names: str, least: int = 1) -> None:
    """Raise a `UsageError` if one of these settings is below the least that it may be."""
    for name in names:
        value = getattr(settings, name)
        if value < least:
            raise UsageError(f"{name} must be at least {least}, found {value}")
