"""Settings for the whole suite: which examples are drawn, data found beside the project."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Kernels are tested compiled; `TREEWRIGHT_JIT=0 pytest tests/forest` tests them as they stand.
os.environ.setdefault("TREEWRIGHT_JIT", "1")

# The suite draws the same examples on every run; `HYPOTHESIS_PROFILE=wide` new ones, and more.
_shared = {"deadline": None, "database": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("suite", derandomize=True, max_examples=100, **_shared)
settings.register_profile("wide", derandomize=False, max_examples=1000, print_blob=True, **_shared)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))

DATA = Path(__file__).resolve().parents[1].parent / "shared" / "data"


@pytest.fixture(scope="session")
def data() -> Path:
    """Return the folder of real data, or skip where it is absent."""
    if not DATA.is_dir():
        pytest.skip(f"no real data at {DATA}")
    return DATA


ROOMS = [
    *("forest", "transduction", "learning", "pruning", "compression"),
    *("alignment", "lm", "translation", "paraphrase", "propositions", "parsing", "others"),
    *("pages", "documents", "integrations", "service", "cli"),
]
"""In which order the rooms are tested.

With `--dist worksteal`, each of two workers gets one half of the tests, and later, when it has
nothing left to do, the end of what the other still has. The first line is such a half. Most of the
time goes into compiling, which should happen once: the two begin with kernels that only they need,
and what both need, one has compiled before the other comes to it. The pages are the longest tests;
at the very end, one worker would wait for the other.
"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the rooms in their order."""
    items.sort(key=lambda item: ROOMS.index(_room(item.path)))


def _room(path: Path) -> str:
    folder = path.relative_to(Path(__file__).parent).parts[0]
    if folder == path.name:
        return "pages"
    return folder if folder in ROOMS else "others"
