"""Where compiled kernels are kept."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

_NAME = "treewright-kernels"
_NOTE = "treewright-uncompiled-seconds"


def candidates() -> list[Path]:
    """Return the folders that may hold compiled kernels, most preferred first.

    If `NUMBA_CACHE_DIR` is set, it is the only one. Kernels that the package's owner compiled are
    kept beside the package and serve every user.
    """
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        return [Path(chosen) / _NAME]
    package = Path(__file__).parents[1]
    return [package / "__pycache__" / _NAME, *_of_the_user()]


def _of_the_user() -> list[Path]:
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA")
        return [Path(base) / _NAME] if base else []
    try:
        home = Path.home()
    except RuntimeError:
        return []
    usual = home / ("Library/Caches" if sys.platform == "darwin" else ".cache")
    return [Path(os.environ.get("XDG_CACHE_HOME") or usual) / _NAME]


def existing() -> Path | None:
    """Return the first folder that holds kernels, if any."""
    return next((folder for folder in candidates() if os.access(folder, os.R_OK | os.X_OK)), None)


def writable() -> Path | None:
    """Return the first folder that can be written to, whether or not it exists yet."""
    return next((folder for folder in candidates() if _can_be_written(folder)), None)


def _can_be_written(folder: Path) -> bool:
    """Whether a folder, or the nearest existing one above it, can be written to."""
    there = (path for path in (folder, *folder.parents) if os.access(path, os.F_OK))
    return os.access(next(there), os.W_OK | os.X_OK)


def noted_seconds() -> float:
    """Return how long earlier runs have worked uncompiled, as far as it was noted."""
    note = _note()
    if note is not None:
        with contextlib.suppress(OSError, ValueError):
            return max(0.0, float(note.read_text(encoding="ascii")))
    return 0.0


def note_seconds(seconds: float) -> None:
    """Note how long runs have worked uncompiled, if there is a place for it."""
    note = _note()
    if note is None:
        return
    draft = note.with_name(f"{note.name}.{os.getpid()}")
    with contextlib.suppress(OSError):
        note.parent.mkdir(parents=True, exist_ok=True)
        try:
            draft.write_text(f"{seconds:.1f}\n", encoding="ascii")
            draft.replace(note)
        finally:
            draft.unlink(missing_ok=True)


def _note() -> Path | None:
    # Beside the folder of kernels: one with a note in it would look as if it held kernels.
    folder = writable()
    return None if folder is None else folder.with_name(_NOTE)
