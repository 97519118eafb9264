"""The sample corpus and its model as files, made once."""

from __future__ import annotations

from pathlib import Path

import pytest

import treewright
from treewright.cli import console
from treewright.data import sample_path

from ..compression.toys import closed, sample_model


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a model of the sample corpus."""
    path = tmp_path_factory.mktemp("model") / "sample.tw"
    sample_model().save(path)
    return path


@pytest.fixture(scope="session")
def closed_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a toy model that has no rules for what it never saw."""
    path = tmp_path_factory.mktemp("model") / "closed.tw"
    closed().save(path)
    return path


@pytest.fixture(scope="session")
def pairs() -> Path:
    """Return the unseen pairs of the sample corpus."""
    return sample_path("test")


@pytest.fixture(autouse=True)
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run every test in a folder of its own."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture(autouse=True)
def announced(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the kernels that commands ask for; whether this machine has them is not said."""
    asked: list[str] = []

    def announce(*kernels: str) -> None:
        for kernel in kernels:
            package, function = kernel.rsplit("/", 1)
            source = Path(treewright.__file__).parent / package / "_kernels.py"
            assert f"\ndef {function}(" in source.read_text(encoding="utf-8")
        asked.extend(kernels)

    monkeypatch.setattr(console, "announce_compiling", announce)
    return asked
