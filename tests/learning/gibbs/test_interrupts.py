"""An interrupt while kernels run is an error like any other, not the end of the process."""

from __future__ import annotations

import sys
from pathlib import Path

from ...programs import run_program

PROGRAM = """
import signal
from tests.learning.gibbs.toys import PAIRS, Corpus

def stop(number, frame):
    raise KeyboardInterrupt

sampler = Corpus(PAIRS).sampler(1)
sampler.sweep(1.0), sampler.start_at_random(), sampler.resample_hyperparameters()
signal.signal(signal.SIGALRM, stop)
caught = 0
for tick in range(300):
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.0002 + 0.00001 * tick)
        while True:
            sampler.sweep(1.0)
            if tick % 3 == 0:
                sampler.resample_hyperparameters()
    except (KeyboardInterrupt, SystemError):
        # Numba turns an error that comes while it hands over a result into a SystemError.
        caught += 1
print(caught)
"""


def test_an_interrupt_never_ends_in_a_crash() -> None:
    root = Path(__file__).parents[3]
    found = run_program(sys.executable, "-c", PROGRAM, text=True, check=False, cwd=root)
    assert (found.returncode, found.stdout) == (0, "300\n"), found.stderr
