"""What all tests of training need: one thread, and a small start."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from .toys import start_small


@pytest.fixture(autouse=True)
def small_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Start every training from the toy parser."""
    start_small(monkeypatch, tmp_path)


@pytest.fixture
def torch_left_alone() -> Iterator[None]:
    """Set back what training sets for the whole process."""
    torch = pytest.importorskip("torch")
    threads = torch.get_num_threads()
    yield
    torch.use_deterministic_algorithms(False)
    torch.set_num_threads(threads)
    torch.set_flush_denormal(False)
