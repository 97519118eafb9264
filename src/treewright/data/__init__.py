"""A small hand-written sample corpus of sentences and their compressions, for trying things out."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from treewright.errors import choose

SAMPLES = ("train", "test")


def sample_path(name: str) -> Path:
    """Return the path of a part of the sample corpus, `"train"` or `"test"`."""
    choose(name, SAMPLES, "part of the sample corpus")
    return Path(str(files(__name__) / f"sample.{name}.jsonl"))
