"""Loading optional libraries late, once, and with errors that say what to install."""

from __future__ import annotations

import threading
from collections.abc import Callable
from importlib import import_module
from typing import Any, Generic, TypeVar

from treewright.errors import UsageError, how_to_install

Loaded = TypeVar("Loaded")


class Lazy(Generic[Loaded]):
    """A value that is made on first use, by only one thread.

    If making it fails, the next caller tries again.
    """

    def __init__(self, load: Callable[[], Loaded]) -> None:
        self._load = load
        self._loaded: list[Loaded] = []
        self._lock = threading.Lock()

    def get(self) -> Loaded:
        """Return the value."""
        with self._lock:
            if not self._loaded:
                self._loaded.append(self._load())
            return self._loaded[0]


def import_extra(module: str, extra: str) -> Any:
    """Import a module of an extra, or raise a `UsageError` with the command that installs it."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module:
            raise _broken(module, extra, error) from error
        raise UsageError(
            f"the parser {extra} needs {module}, which is not installed; {how_to_install(extra)}"
        ) from None
    except ImportError as error:
        raise _broken(module, extra, error) from error


def _broken(module: str, extra: str, error: ImportError) -> UsageError:
    return UsageError(
        f"{module} is installed but does not start ({error}); for what goes with it, "
        f"{how_to_install(extra)}"
    )
