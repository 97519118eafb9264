"""When kernels are compiled. Nothing here imports numba."""

from __future__ import annotations

import atexit
import contextlib
import functools
import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from treewright.compiling import folders
from treewright.errors import UsageError

VARIABLE = "TREEWRIGHT_JIT"
_WISHES = {"": None, "auto": None, "0": False, "1": True}

LOADING = 0.4
"""Seconds of uncompiled work after which kept kernels are loaded: about what that costs."""

PATIENCE = 4.0
"""Seconds of uncompiled work after which a kernel is compiled: about what that costs."""

COST = 40.0
"""Seconds of uncompiled work after which everything that is called is compiled: about what that
costs for `compress`. Work of earlier runs counts, too."""

NOTED = 4.0
"""Seconds of uncompiled work from which a run counts: who shortens a sentence now and then never
waits."""

MUCH = 500
"""How many sentences or trees make it worth compiling everything at once."""


_NO_FOLDER = (
    "Compiled kernels cannot be kept, so long work compiles them in every run: no folder for "
    "them is writable. Set NUMBA_CACHE_DIR to one that is."
)


@dataclass
class Policy:
    """What is known about the work of this process, and how to show messages."""

    busy: bool = False
    """Whether there is enough work to compile every kernel that is called."""
    forced: bool | None = None
    granted: set[int] = field(default_factory=set)
    """Threads running a kernel that has taken long enough to be compiled."""
    spent: float = 0.0
    """Seconds that kernels have taken uncompiled."""
    alone: bool = False
    """Whether only a Treewright command runs in this process."""
    say: Callable[[str], None] | None = None
    said: set[str] = field(default_factory=set)
    speaker: int = 0
    """The process that shows messages; its forks are silent."""

    def may_compile(self) -> bool | None:
        """Whether kernels are compiled: always, never, or (`None`) when it pays off."""
        wish = environment() if self.forced is None else self.forced
        if wish is None and (self.busy or threading.get_ident() in self.granted):
            return True
        return wish

    @property
    def loads(self) -> bool:
        """Whether it is time to load the kernels that are kept compiled."""
        return self.spent > LOADING and self._kept

    @functools.cached_property
    def _kept(self) -> bool:
        return folders.existing() is not None

    @functools.cached_property
    def _earlier(self) -> float:
        return folders.noted_seconds()

    def spend(self, seconds: float) -> None:
        """Count work that was done uncompiled; when it has become much, kernels are compiled."""
        self.spent += seconds
        if self.spent > NOTED and not self.busy and self.spent + self._earlier > COST:
            folders.note_seconds(0.0)
            expect_work()

    def note_work(self) -> None:
        """Keep in mind for later runs what this one has done uncompiled."""
        if self.spent > NOTED and not self.busy and os.getpid() == self.speaker:
            folders.note_seconds(self._earlier + self.spent)

    def note_folder(self) -> None:
        """Show a message if compiled kernels cannot be kept."""
        if self.say is not None and not folders.existing() and not folders.writable():
            self.say_once(_NO_FOLDER)

    def say_once(self, message: str) -> None:
        """Show a line, once per process."""
        if self.say is not None and message not in self.said and os.getpid() == self.speaker:
            self.said.add(message)
            self.say(message)


policy = Policy()
"""The policy of this process; its forks inherit it."""

_changes: list[Callable[[], None]] = []


def on_change(reconsider: Callable[[], None]) -> None:
    """Have `reconsider` called whenever the answer to "compile?" may have changed."""
    _changes.append(reconsider)


def _changed() -> None:
    for reconsider in _changes:
        reconsider()


def begin_command(say: Callable[[str], None]) -> None:
    """Let a command that has its process to itself say what it compiles."""
    policy.alone, policy.say, policy.speaker = True, say, os.getpid()
    atexit.register(policy.note_work)


def environment() -> bool | None:
    """Return what the environment demands: always compiled, never, or (`None`) neither."""
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return False
    value = os.environ.get(VARIABLE, "")
    if value not in _WISHES:
        raise UsageError(
            f"{VARIABLE} is {value!r}; it can be 0 (never compile), 1 (always) or auto"
        )
    return _WISHES[value]


def expect_work(items: int = MUCH) -> None:
    """Announce how many sentences or trees there are; if there are enough, kernels are compiled
    when they are first called.

    This is optional: a kernel that is called often enough is compiled anyway. It saves time until
    then, and is needed if a single call of a kernel processes a whole corpus.
    """
    if items >= MUCH and not policy.busy:
        policy.busy = True
        _changed()


@contextlib.contextmanager
def forced(compiled: bool) -> Iterator[None]:
    """Run every kernel compiled, or every kernel uncompiled, whatever the environment says."""
    before, policy.forced = policy.forced, compiled
    _changed()
    try:
        yield
    finally:
        policy.forced = before
        _changed()
