"""A command that is told to end leaves nothing half done."""

import signal
import time
from pathlib import Path
from subprocess import DEVNULL, PIPE

import pytest

from ..programs import TREEWRIGHT, started


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_no_file_is_left_by_a_command_that_is_stopped(
    tmp_path: Path, number: signal.Signals, jobs: int
) -> None:
    arguments = ["compress", "--lines", "--jobs", jobs, "--output", "short.txt"]
    with started(*TREEWRIGHT, *arguments, stdin=PIPE, stderr=PIPE, stdout=DEVNULL) as process:
        for _ in range(600):
            if list(tmp_path.iterdir()):
                break
            time.sleep(0.1)
        assert [path.name[:11] for path in tmp_path.iterdir()] == [".short.txt."]
        process.send_signal(number)
        assert process.communicate(timeout=60)[1] == b""
        # If the key is pressed within `exec`, as when a module defines a dataclass, Python ends
        # itself by the same signal.
        ends = (128 + number, -number) if number == signal.SIGINT else (128 + number,)
        assert process.returncode in ends
    assert list(tmp_path.iterdir()) == []
