"""When kernels are compiled: only where that pays, with the same results."""

import os
import resource
import warnings
from pathlib import Path

import numpy as np
import pytest

from treewright import compiling
from treewright.cli.doctor import SENTENCE, SHORTENED
from treewright.compiling import dispatching
from treewright.compiling.policy import COST, NOTED, Policy
from treewright.errors import UsageError

from ..programs import TREEWRIGHT, run_program

ADVICE = b"Set NUMBA_CACHE_DIR to one that is.\n"


@pytest.fixture
def policy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Policy:
    """Return the policy of a fresh process, which keeps kernels in the folder of the test."""
    monkeypatch.setenv("TREEWRIGHT_JIT", "auto")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    fresh = Policy()
    for module in ("policy", "kernels", "dispatching"):
        monkeypatch.setattr(f"treewright.compiling.{module}.policy", fresh)
    return fresh


def compress(jit: str, *arguments: str, **env: str) -> tuple[str, bytes]:
    """Run `compress` on README's sentence; return what it prints on both streams."""
    env = {**os.environ, "TREEWRIGHT_JIT": jit, **env}
    done = run_program(*TREEWRIGHT, "compress", SENTENCE, *arguments, env=env)
    return done.stdout.decode(), done.stderr


def test_the_first_answer_takes_seconds_and_compiles_nothing(tmp_path: Path) -> None:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out, err = compress("auto", NUMBA_CACHE_DIR=str(tmp_path))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert (out, err) == (f"{SHORTENED['news']}\n", b"")
    assert list(tmp_path.iterdir()) == []
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 4.0


@pytest.mark.parametrize(
    "arguments",
    [(), ("--json", "--rate", "0.5"), ("--explain", "--max-chars", "60"), ("--model", "headline")],
)
def test_compiled_and_uncompiled_outputs_are_equal(arguments: tuple[str, ...]) -> None:
    assert compress("0", *arguments)[0] == compress("1", *arguments)[0]


@pytest.mark.parametrize("home", ["/nonexistent", "/dev/null"])
def test_where_nothing_can_be_kept_it_is_said_once_and_all_works(home: str) -> None:
    out, err = compress("auto", HOME=home, NUMBA_CACHE_DIR="/dev/null/x")
    assert out == f"{SHORTENED['news']}\n"
    assert err.endswith(ADVICE)
    assert err.count(b"\n") == 1


def test_long_work_is_compiled_and_says_so_once_a_kind(
    policy: Policy, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    said: list[str] = []
    policy.say, policy.speaker = said.append, os.getpid()
    kernels = [compiling.njit()(function) for function in (_plus, _times)]
    assert [kernel(2, 3) for kernel in kernels] == [5, 6]
    assert said == list(tmp_path.iterdir()) == []
    monkeypatch.setattr("treewright.compiling.kernels.PATIENCE", -1.0)
    for _ in range(3):
        assert [kernel(2, 3) for kernel in kernels] == [5, 6]
    [told] = said
    assert told.endswith(", this once (treewright doctor --warm compiles all).")
    assert len(list(tmp_path.glob("*/*.nbi"))) == 2


def _plus(one: int, other: int) -> int:
    return one + other


def _times(one: int, other: int) -> int:
    return one * other


def test_much_uncompiled_work_is_compiled_even_if_it_is_spread_over_runs(
    policy: Policy, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    note = tmp_path / "treewright-uncompiled-seconds"
    policy.speaker = os.getpid()
    policy.spend(NOTED)
    policy.note_work()
    assert not note.exists()
    policy.spend(COST / 2)
    policy.note_work()
    assert float(note.read_text()) == NOTED + COST / 2
    # A folder that held it would seem to hold kernels.
    assert list(tmp_path.iterdir()) == [note]
    later = Policy(speaker=os.getpid())
    monkeypatch.setattr("treewright.compiling.policy.policy", later)
    later.spend(COST / 2 - NOTED - 1.0)
    assert not later.busy
    later.spend(1.1)
    assert later.busy
    assert float(note.read_text()) == 0.0
    later.note_work()
    assert Policy()._earlier == 0.0


@pytest.mark.parametrize("content", ["", "many", "-3.0", "nan"])
def test_a_note_that_makes_no_sense_counts_for_nothing(
    policy: Policy, tmp_path: Path, content: str
) -> None:
    (tmp_path / "treewright-uncompiled-seconds").write_text(content)
    policy.spend(COST - 1.0)
    assert not policy.busy
    policy.spend(2.0)
    assert policy.busy


def test_where_nothing_can_be_written_nothing_is_noted(
    policy: Policy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", "/dev/null/x")
    policy.speaker = os.getpid()
    policy.spend(COST / 2)
    policy.note_work()
    assert Policy()._earlier == 0.0


def test_the_environment_forces_either(
    policy: Policy, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TREEWRIGHT_JIT", "0")
    policy.busy = True
    assert compiling.njit()(_plus)(2, 3) == 5
    assert list(tmp_path.iterdir()) == []
    policy.busy = False
    monkeypatch.setenv("TREEWRIGHT_JIT", "1")
    assert compiling.njit()(_plus)(2, 3) == 5
    assert len(list(tmp_path.glob("*/*.nbi"))) == 1
    monkeypatch.setenv("TREEWRIGHT_JIT", "often")
    with pytest.raises(UsageError, match=r"TREEWRIGHT_JIT is 'often'; it can be 0 .* or auto"):
        compiling.njit()(_plus)(2, 3)


def test_integers_overflow_silently_and_alike() -> None:
    kernel = compiling.njit()(_mixed)
    values = np.random.default_rng(0).integers(0, 1 << 64, (200, 2), dtype=np.uint64)
    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for compiled in (False, True):
            with compiling.forced(compiled):
                found.append([int(kernel(value, salt)) for value, salt in values])
    assert found[0] == found[1]
    assert len(set(found[0])) == len(values)


def _mixed(value: np.uint64, salt: np.uint64) -> np.uint64:
    return (value ^ salt) * np.uint64(0x9E3779B97F4A7C15) + (salt << np.uint64(7))


@pytest.mark.parametrize("error", [AttributeError, ModuleNotFoundError, EOFError])
def test_kept_files_that_cannot_be_read_are_replaced(error: type[Exception]) -> None:
    """Such as those of an earlier version, about types that have moved since."""
    calls: list[str] = []

    class Kept:
        def save_overload(self, signature: object, result: object) -> None:
            calls.append("save")
            if len(calls) == 1:
                raise error

        def flush(self) -> None:
            calls.append("flush")

    gate = dispatching._Gate.__new__(dispatching._Gate)
    gate.kept = Kept()
    gate.save_overload(None, None)
    assert calls == ["save", "flush", "save"]
