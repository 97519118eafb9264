import os
import re
from pathlib import Path

import pytest

from treewright.cli import doctor

from ..programs import TREEWRIGHT, run_program
from .runner import fail, run, succeed


def test_a_good_installation() -> None:
    told = succeed("doctor").lines
    assert told[0].startswith("treewright 0.")
    assert "model news: works" in told
    assert "model headline: works" in told
    assert "parser: works" in told
    assert any(line.startswith("extra plots: ") for line in told)
    assert any(re.match(r"models: news \(\d+\.\d MB\), headline \(", line) for line in told)
    assert any(re.match(r"speed: a model loads in .* on \d+ processors", line) for line in told)
    assert told[-1] == "all is well"


def test_a_model_that_is_damaged_or_answers_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(doctor.SHORTENED, "news", "Something else.")
    monkeypatch.setitem(doctor.SHORTENED, "headliner", "No such model.")
    found = run("doctor")
    assert found.status == 1
    assert "model news: gives another answer than it should" in found.lines
    assert any(line.startswith("model headliner: ") for line in found.lines)
    assert "parser: works" in found.lines
    assert "2 of the checks failed" in found.err


def test_compiled_kernels_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    folder = tmp_path / "treewright-kernels"
    place = f"compiled kernels: 0 for this processor and version, in {folder}"
    assert place in run_doctor("0", tmp_path)
    code = "import numpy; from treewright.forest._kernels import log_sum; log_sum(numpy.zeros(2))"
    run_program(TREEWRIGHT[0], "-c", code, env={**os.environ, "TREEWRIGHT_JIT": "1"})
    assert place.replace(" 0 ", " 1 ") in run_doctor("0", tmp_path)
    (index,) = folder.glob("*.nbi")
    index.write_bytes(b"damaged")
    assert place in run_doctor("0", tmp_path)


def run_doctor(jit: str, folder: Path) -> str:
    env = {**os.environ, "TREEWRIGHT_JIT": jit, "NUMBA_CACHE_DIR": str(folder)}
    return run_program(*TREEWRIGHT, "doctor", env=env).stdout.decode()


def test_where_no_folder_can_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", "/dev/null/x")
    assert (
        "compiled kernels: no folder can be written; set NUMBA_CACHE_DIR" in succeed("doctor").out
    )
    assert "set NUMBA_CACHE_DIR" in fail(1, "doctor", "--warm")


def test_without_a_home_or_a_cache(tmp_path: Path) -> None:
    env = {**os.environ, "HOME": str(tmp_path / "none"), "NUMBA_CACHE_DIR": "/dev/null/x"}
    env["TREEWRIGHT_JIT"] = "0"
    told = run_program(*TREEWRIGHT, "doctor", env=env).stdout.decode()
    assert "none cannot be written; nothing needs it, but nothing is kept there" in told
    assert "slow: TREEWRIGHT_JIT=0 forbids compiling kernels" in told
    assert told.endswith("all is well\n")


def test_all_is_compiled_beforehand(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = [step for step in doctor.STEPS if step[:2] in (("train", "em"),)]
    monkeypatch.setattr(doctor, "STEPS", (*steps, doctor.STEPS[-1]))
    told = succeed("doctor", "--warm").err.splitlines()
    assert told[0].startswith("Compiling all kernels into ")
    assert [line.rpartition(",")[0] for line in told[1:3]] == [
        "1 of 2: train em",
        "2 of 2: transduce",
    ]
    assert told[3].startswith("All kernels are compiled; it took ")


def test_what_is_compiled_beforehand_are_commands_that_there_are() -> None:
    names = {step[:2] if step[0] == "train" else step[:1] for step in doctor.STEPS}
    for name in names:
        succeed(*name, "--help")
