"""The names of engines, and what is said where one cannot run."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from treewright.engine import open_engine
from treewright.engine.embedded import MEMORY, EmbeddedEngine
from treewright.errors import TreewrightError, UsageError


@pytest.mark.parametrize(
    ("name", "memory"),
    [
        ("embedded", MEMORY),
        ("embedded=500MB", 500_000_000),
        ("embedded=1.5gb", 1_500_000_000),
        ("embedded=1 GiB", 1 << 30),
    ],
)
def test_the_memory_of_the_embedded_engine(name: str, memory: int) -> None:
    engine = open_engine(name, jobs=3)
    assert isinstance(engine, EmbeddedEngine)
    assert (engine.memory, engine.jobs) == (memory, 3)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("duckdb", "unknown engine 'duckdb'; expected embedded"),
        ("", "unknown engine"),
        ("spark=", "unknown engine"),
        ("embedded=", "a number and a unit"),
        ("embedded=500", "a number and a unit"),
        ("embedded=1MB", "at least 200MB"),
    ],
)
def test_bad_names(name: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        open_engine(name)


def test_without_spark_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(TreewrightError, match=r"needs pyspark.*\[cluster\]"):
        open_engine("spark")


@pytest.mark.parametrize("home", ["", "nowhere"])
def test_without_java_the_error_says_what_to_install(
    home: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: object())
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("JAVA_HOME", home)
    with pytest.raises(TreewrightError, match=r"needs Java 17 or later .* install it"):
        open_engine("spark")


def test_naming_an_engine_imports_nothing_heavy() -> None:
    code = (
        "import sys; from treewright.engine import open_engine; open_engine('embedded'); "
        "print({'duckdb', 'pyspark', 'pyarrow', 'pandas'} & set(sys.modules))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=os.environ, check=True
    )
    assert run.stdout == "set()\n"
