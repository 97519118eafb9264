"""One BLAS thread while the parser computes: its matrices are too small to divide."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from threadpoolctl import ThreadpoolController

_lock = threading.Lock()
_users = 0
_limit: Any = None


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Limit BLAS to one thread; the last of several concurrent users restores the others.

    The limit applies to the whole process, so users in several threads must share one.
    """
    global _users, _limit
    with _lock:
        if _users == 0:
            _take_control()
            _limit = _controller().limit(limits=1, user_api="blas")
        _users += 1
    try:
        yield
    finally:
        with _lock:
            _users -= 1
            if _users == 0:
                _take_control()
                _limit.restore_original_limits()
                _limit = None


def _take_control() -> None:
    """Let this thread set limits: threadpoolctl (from 3.8) ignores all threads but the first that
    did.
    """
    for library in _controller().lib_controllers:
        clear = getattr(library, "clear_controlling_thread", None)
        if clear is not None:
            clear(force=True)


@lru_cache(maxsize=1)
def _controller() -> ThreadpoolController:
    return ThreadpoolController()
