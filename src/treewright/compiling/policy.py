"""When kernels are compiled. Nothing here imports numba."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from treewright.errors import UsageError

VARIABLE = "TREEWRIGHT_JIT"
_WISHES = {"": None, "auto": None, "0": False, "1": True}

PATIENCE = 10.0
"""Seconds that a kernel takes uncompiled, in all, before it is compiled: about what that costs."""


@dataclass
class Policy:
    """What is known about the work of this process, and who is told when a kernel is compiled."""

    busy: bool = False
    """Whether there is enough work for every kernel it needs to be compiled."""
    forced: bool | None = None
    granted: int = 0
    """How many kernels are running that have taken long enough to be compiled now."""
    listener: Callable[[str], None] | None = None
    told: set[str] = field(default_factory=set)

    def may_compile(self) -> bool | None:
        """Whether kernels are compiled: always, never, or (`None`) where it pays."""
        wish = environment() if self.forced is None else self.forced
        return wish if wish is not None else (self.busy or self.granted > 0) or None

    def tell(self, module: str) -> None:
        """Tell the listener that a kernel of a module is compiled, once a module."""
        if self.listener is not None and module not in self.told:
            self.told.add(module)
            self.listener(module)


policy = Policy()
"""That of this process; one that is forked from it inherits it."""

_changes: list[Callable[[], None]] = []


def on_change(reconsider: Callable[[], None]) -> None:
    """Have `reconsider` called whenever the answer to "compile?" may have changed."""
    _changes.append(reconsider)


def _changed() -> None:
    for reconsider in _changes:
        reconsider()


def environment() -> bool | None:
    """Return what the environment asks for: always compiled, never, or (`None`) neither."""
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return False
    value = os.environ.get(VARIABLE, "")
    if value not in _WISHES:
        raise UsageError(
            f"{VARIABLE} is {value!r}; it can be 0 (never compile), 1 (always) or auto"
        )
    return _WISHES[value]


def expect_work() -> None:
    """Say that what follows is long: kernels are compiled when they are first called.

    Training, and anything over a corpus, says so; a text or two do not.
    """
    if not policy.busy:
        policy.busy = True
        _changed()


@contextlib.contextmanager
def forced(compiled: bool) -> Iterator[None]:
    """Run every kernel compiled, or every kernel uncompiled, whatever the environment asks for."""
    before, policy.forced = policy.forced, compiled
    _changed()
    try:
        yield
    finally:
        policy.forced = before
        _changed()
