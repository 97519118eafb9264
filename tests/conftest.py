"""Settings for the whole suite: the same examples on every run, data found beside the project."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Kernels are tested compiled; `TREEWRIGHT_JIT=0 pytest tests/forest` tests them as they stand.
os.environ.setdefault("TREEWRIGHT_JIT", "1")

settings.register_profile(
    "suite",
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("suite")

DATA = Path(__file__).resolve().parents[1].parent / "shared" / "data"


@pytest.fixture(scope="session")
def data() -> Path:
    """Return the folder of real data, or skip where it is absent."""
    if not DATA.is_dir():
        pytest.skip(f"no real data at {DATA}")
    return DATA
