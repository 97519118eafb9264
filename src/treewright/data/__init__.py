"""Small hand-written corpora for trying things out: sentences and their compressions, and simple
English sentences with German translations.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from treewright.errors import choose

SAMPLES = ("train", "test")
PARALLEL = ("train", "dev")
LANGUAGES = ("en", "de")


def sample_path(name: str) -> Path:
    """Return the path of a part of the sample corpus, `"train"` or `"test"`."""
    choose(name, SAMPLES, "part of the sample corpus")
    return Path(str(files(__name__) / f"sample.{name}.jsonl"))


def parallel_path(name: str, language: str) -> Path:
    """Return the path of a part of the parallel sample, `"train"` or `"dev"`, in `"en"` or `"de"`.

    Sentences are tokenised, one on each line.
    """
    choose(name, PARALLEL, "part of the parallel sample")
    choose(language, LANGUAGES, "language of the parallel sample")
    return Path(str(files(__name__) / f"parallel.{name}.{language}"))
