"""Which kernels are kept compiled, and where."""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass
from pathlib import Path

from treewright.compiling import folders
from treewright.compiling.kernels import known_kernels


@dataclass(frozen=True)
class Inventory:
    """The folder of compiled kernels, or where it would be; `None` if there can be none.

    `kept` counts the kernels in it that are compiled for this processor and this version.
    """

    folder: Path | None
    is_writable: bool
    kept: int


def take_inventory() -> Inventory:
    """Look for the package's kernels in the folder that they would be loaded from."""
    import treewright

    for module in pkgutil.walk_packages(treewright.__path__, "treewright."):
        if module.name.endswith("_kernels"):
            importlib.import_module(module.name)
    writable = folders.writable()
    folder = folders.existing() or writable
    if folder is None:
        return Inventory(None, is_writable=False, kept=0)
    from treewright.compiling.dispatching import is_kept

    kept = sum(is_kept(kernel, folder) for kernel in known_kernels())
    return Inventory(folder, is_writable=folder == writable, kept=kept)
