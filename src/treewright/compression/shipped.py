"""The models that come with the package."""

from __future__ import annotations

import os
from pathlib import Path

from treewright.errors import UsageError, check_type

FOLDER = Path(__file__).with_name("shipped_models")
NAMES = ("news", "headline")


def model_path(name: str | Path) -> Path:
    """Return the file of a shipped model, or of a user's model."""
    check_type(name, str | os.PathLike, "a model", "given by its name or its path")
    if str(name) in NAMES:
        return FOLDER / f"{name}.model"
    path = Path(name)
    if str(name) != "-" and not path.exists():
        raise UsageError(
            f"there is no model {str(name)!r}; choose one of {', '.join(NAMES)}, or give a file"
        )
    return path
