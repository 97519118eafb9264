"""The sample corpus and its model as files, made once."""

from __future__ import annotations

from pathlib import Path

import pytest

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
