"""Signals that end the work: what their handlers raise is not lost, and does no harm."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, NoReturn

_ENDING = [
    getattr(signal, name)
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGALRM")
    if hasattr(signal, name)
]
_PAUSE = 0.01
"""Seconds until an exception that was lost is raised once more."""


@contextmanager
def raised_even_if_lost() -> Iterator[None]:
    """Raise an interruption or exit again, a moment later, if it came where Python drops it.

    A handler runs wherever the program happens to be. If that is a destructor or a callback of the
    garbage collector, Python prints what the handler raised and goes on.
    """
    usual = sys.unraisablehook

    def hook(lost: Any) -> None:
        ends = issubclass(lost.exc_type, KeyboardInterrupt | SystemExit)
        if ends and _in_main_thread():
            _raise_soon(lost.exc_value or lost.exc_type())
        else:
            usual(lost)

    if hasattr(signal, "setitimer"):
        sys.unraisablehook = hook
    try:
        yield
    finally:
        sys.unraisablehook = usual


def _raise_soon(error: BaseException) -> None:
    def handle(number: int, frame: object) -> NoReturn:
        raise error.with_traceback(None)

    signal.signal(signal.SIGALRM, handle)
    signal.setitimer(signal.ITIMER_REAL, _PAUSE)


@contextmanager
def held_back() -> Iterator[None]:
    """Let signals wait until the end, for code that cannot bear an exception just anywhere."""
    waiting: list[int] = []
    try:
        with ExitStack() as restored:
            # The last to be restored is the first of them, the interrupt key.
            for number in _ENDING if _in_main_thread() else ():
                handler = signal.getsignal(number)
                if callable(handler):
                    restored.callback(signal.signal, number, handler)
                    signal.signal(number, lambda number, frame: waiting.append(number))
            yield
    finally:
        for number in dict.fromkeys(waiting):
            signal.raise_signal(number)


def _in_main_thread() -> bool:
    """Whether this is the thread that runs handlers and may change them."""
    return threading.current_thread() is threading.main_thread()
