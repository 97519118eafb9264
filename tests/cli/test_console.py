"""What the commands share: here, when they announce that kernels are compiled."""

from __future__ import annotations

from pathlib import Path

import pytest

from treewright.cli.console import announce_compiling
from treewright.data import sample_path

from .runner import succeed

SWEEP = "learning/gibbs/local/sweep"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return where numba would keep the kernel of another package."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    folder = tmp_path / "transduction_0a1b"
    folder.mkdir()
    (folder / "_kernels.generate-179.py311.nbi").touch()
    return tmp_path


def test_only_the_kernels_that_are_needed_count(
    cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    announce_compiling("transduction/generate")
    assert capsys.readouterr().err == ""
    for kernels in (["transduction/synchronise"], [SWEEP], ["transduction/generate", SWEEP]):
        announce_compiling(*kernels)
        assert capsys.readouterr().err.startswith("Compiling kernels: ")
    (cache / "local_2c3d").mkdir()
    (cache / "local_2c3d" / "_kernels.sweep-336.py311.nbi").touch()
    announce_compiling("transduction/generate", SWEEP)
    assert capsys.readouterr().err == ""


def test_kernels_beside_their_source_count(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr("treewright.cli.console.__file__", str(tmp_path / "cli" / "console.py"))
    folder = tmp_path / "learning" / "gibbs" / "local" / "__pycache__"
    folder.mkdir(parents=True)
    announce_compiling(SWEEP)
    assert capsys.readouterr().err.startswith("Compiling kernels: ")
    (folder / "_kernels.sweep-336.py311.nbi").touch()
    announce_compiling(SWEEP)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("learner", "kernel"),
    [("gibbs", SWEEP), ("em", "transduction/synchronise"), ("vb", "transduction/synchronise")],
)
def test_training_needs_the_kernels_of_its_learner(
    learner: str, kernel: str, announced: list[str], pairs: Path
) -> None:
    succeed("train", learner, pairs, "--model", "m.tw", "--iterations", "1")
    assert announced == [kernel]
    dev = ["--dev", sample_path("test")]
    succeed("train", learner, pairs, "--model", "m.tw", "--iterations", "1", *dev)
    assert announced[1:] == [kernel, "transduction/generate"]
