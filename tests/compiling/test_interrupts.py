"""An interrupt while kernels run is an interrupt, not another error or the end of the process."""

import signal
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from treewright.compiling import forced, njit

from ..programs import run_program

PROGRAM = """
import signal
from treewright.signals import raised_even_if_lost

{prepare}

signal.signal(signal.SIGALRM, signal.default_int_handler)
caught = 0
for tick in range(300):
    try:
        with raised_even_if_lost():
            signal.setitimer(signal.ITIMER_REAL, 0.0002 + 0.00001 * tick)
            while True:
                {work}
    except KeyboardInterrupt:
        caught += 1
print(caught)
"""

SAMPLER = """
from tests.learning.gibbs.toys import PAIRS, Corpus
sampler = Corpus(PAIRS).sampler(1)
sampler.sweep(1.0), sampler.start_at_random(), sampler.resample_hyperparameters()
"""

WHILE_IMPORTED = """
import signal, sys
from treewright.compiling import njit

@njit()
def nothing():
    return 0

class Interrupting:
    def find_spec(self, name, path, target=None):
        if name == "numba":
            try:
                signal.raise_signal(signal.SIGINT)
            except KeyboardInterrupt:
                print("lost")

signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, Interrupting())
try:
    nothing.compiled
except KeyboardInterrupt:
    print("interrupted")
print("numba" in sys.modules)
"""

COMPRESSOR = """
from treewright.compression import Compressor
from treewright.cli.doctor import SENTENCE
compressor = Compressor.load("news")
compressor.compress(SENTENCE, rate=0.6)
"""


@pytest.mark.parametrize(
    ("prepare", "work"),
    [
        (SAMPLER, "sampler.sweep(1.0), sampler.resample_hyperparameters()"),
        (COMPRESSOR, "compressor.compress(SENTENCE, rate=0.6)"),
    ],
)
def test_an_interrupt_never_ends_in_a_crash(prepare: str, work: str) -> None:
    root = Path(__file__).parents[2]
    program = PROGRAM.format(prepare=prepare, work=work)
    found = run_program(sys.executable, "-c", program, text=True, check=False, cwd=root)
    assert (found.returncode, found.stdout) == (0, "300\n"), found.stderr


def test_an_interrupt_while_numba_is_imported_is_raised_when_that_is_done(tmp_path: Path) -> None:
    """Extension modules drop what is raised while they are set up."""
    program = tmp_path / "program.py"
    program.write_text(WHILE_IMPORTED)
    found = run_program(sys.executable, program, text=True)
    assert found.stdout == "interrupted\nTrue\n"


class Bounds(NamedTuple):
    low: np.ndarray
    high: np.ndarray


@njit(nogil=True)
def slow_bounds(rounds: int) -> tuple[np.ndarray, np.ndarray]:
    total = 0
    for k in range(rounds):
        total += k ^ total
    return np.full(1, total), np.full(2, total)


@njit(nogil=True)
def named_bounds(size: int) -> Bounds:
    return Bounds(np.zeros(size), np.ones(size))


@njit(nogil=True)
def widths(size: int) -> np.ndarray:
    bounds = named_bounds(size)
    return bounds.high - bounds.low


def test_an_interrupt_within_a_kernel_is_raised_when_it_returns() -> None:
    slow_bounds.compiled(1)
    usual = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        with forced(True), pytest.raises(KeyboardInterrupt):
            signal.setitimer(signal.ITIMER_REAL, 0.001)
            while True:
                slow_bounds(10_000_000)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, usual)


def test_a_kernel_must_not_return_a_named_tuple_to_python() -> None:
    """If a signal comes while numba makes one, the process crashes."""
    with forced(True):
        assert widths(2).tolist() == [1.0, 1.0]
        with pytest.raises(TypeError, match="named_bounds returns Bounds to Python"):
            named_bounds(np.int8(2))


def test_an_interrupt_while_a_kernel_is_compiled_is_raised_when_that_is_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """LLVM calls Python back while it compiles or loads; an exception there ends in a crash."""
    events: list[str] = []
    dispatcher = widths.compiled
    load = dispatcher._cache.load_overload

    def interrupted(*arguments: object) -> object:
        signal.raise_signal(signal.SIGINT)
        events.append("loading")
        return load(*arguments)

    monkeypatch.setattr(dispatcher._cache, "load_overload", interrupted)
    usual = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with forced(True), pytest.raises(KeyboardInterrupt):
            widths(np.int16(3))
        assert events == ["loading"]
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        assert widths(np.int16(3)).tolist() == [1.0, 1.0, 1.0]
    finally:
        signal.signal(signal.SIGINT, usual)
