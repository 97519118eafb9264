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


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the pages in the middle: they are the longest tests, which one worker would be left with
    at the end, and before they run their programs the others have compiled most kernels.
    """
    pages = [item for item in items if item.path.parent.name == "tests"]
    others = [item for item in items if item.path.parent.name != "tests"]
    middle = len(others) // 2
    items[:] = [*others[:middle], *pages, *others[middle:]]
