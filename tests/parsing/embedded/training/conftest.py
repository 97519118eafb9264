"""What all tests of training need: one thread, and a transformer small enough to make."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from .toys import make_transformer


@pytest.fixture(autouse=True, scope="module")
def one_thread() -> Iterator[None]:
    """Keep torch to one thread: the order of sums is part of what is reproduced.

    Runs round tiny numbers to 0 in the whole process, which other tests would wonder at.
    """
    torch = pytest.importorskip("torch")
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
    torch.set_flush_denormal(False)


@pytest.fixture(scope="session")
def transformer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a random transformer."""
    return make_transformer(tmp_path_factory.mktemp("transformer"))
