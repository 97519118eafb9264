"""The service: shortening, parsing and aligning over HTTP, and a page to do it on.

Needs the extra `serve`; only what is asked for is imported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from treewright.service.settings import Settings

if TYPE_CHECKING:
    from treewright.service.application import make_app
    from treewright.service.pool import Pool
    from treewright.service.running import serve

_LATE = {"Pool": "pool", "make_app": "application", "serve": "running"}


def __getattr__(name: str) -> object:
    """Import what needs the extra when someone asks for it."""
    from importlib import import_module

    from treewright.errors import TreewrightError, how_to_install

    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return getattr(import_module(f"{__name__}.{_LATE[name]}"), name)
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("treewright"):
            raise
        message = f"the service needs {error.name}; {how_to_install('serve')}"
        raise TreewrightError(message) from None


__all__ = ["Pool", "Settings", "make_app", "serve"]
