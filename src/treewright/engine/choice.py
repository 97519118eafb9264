"""The names of engines, as `--engine` takes them."""

from __future__ import annotations

import re

from treewright.engine.protocol import Engine
from treewright.errors import UsageError

NAMES = "embedded, embedded=MEMORY (as in embedded=500MB), spark or spark=URL"

_UNITS = {"KB": 10**3, "MB": 10**6, "GB": 10**9, "KIB": 1 << 10, "MIB": 1 << 20, "GIB": 1 << 30}
_MEMORY = re.compile(r"(\d+(?:\.\d+)?)\s*([KMG]I?B)", re.IGNORECASE)
_LEAST = 200 * 10**6


def open_engine(name: str = "embedded", jobs: int = 1) -> Engine:
    """Return the engine of this name; `jobs` processes and threads are the embedded engine's."""
    kind, _, value = name.partition("=")
    if kind == "embedded":
        from treewright.engine.embedded import MEMORY, EmbeddedEngine

        return EmbeddedEngine(jobs, _memory(value) if "=" in name else MEMORY)
    if kind == "spark" and name != "spark=":
        from treewright.engine.session import check_installed

        check_installed()
        from treewright.engine.spark import SparkEngine

        return SparkEngine(value or None)
    raise UsageError(f"unknown engine {name!r}; expected {NAMES}")


def _memory(text: str) -> int:
    found = _MEMORY.fullmatch(text)
    if found is None:
        raise UsageError(f"a memory limit is a number and a unit, as in 500MB; found {text!r}")
    memory = int(float(found[1]) * _UNITS[found[2].upper()])
    if memory < _LEAST:
        raise UsageError(f"the embedded engine needs at least 200MB, found {text!r}")
    return memory
