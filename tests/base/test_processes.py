"""Work in processes: results, what is said, and an end of all of it when something goes wrong."""

from __future__ import annotations

import os
import signal
import time
from collections import Counter
from multiprocessing import active_children
from pathlib import Path

import pytest

from treewright.errors import DataError, TreewrightError
from treewright.files import atomic_write
from treewright.processes import STEPS, Done, Said, Step, in_processes, results
from treewright.progress import Progress


def square(number: int, progress: Progress) -> int:
    for _ in progress.track(range(250), "squaring", 250):
        pass
    progress.say(f"{number} in process {os.getpid()}")
    return number * number


def test_results_come_in_order_and_what_is_said_comes_along() -> None:
    events = list(in_processes(square, [3, 1, 2], 2))
    assert results(events) == [9, 1, 4]
    assert {event.place for event in events if isinstance(event, Done)} == {0, 1, 2}
    said = [event.message for event in events if isinstance(event, Said)]
    assert Counter(message.partition(" ")[0] for message in said) == {"1": 1, "2": 1, "3": 1}
    assert str(os.getpid()) not in " ".join(said)
    assert sum(isinstance(event, Step) for event in events) == 3 * STEPS


def wait_or_fail(number: int, progress: Progress) -> int:
    if number == 0:
        raise DataError("no such thing", where="here")
    time.sleep(60.0)
    return number


def test_an_error_ends_the_others() -> None:
    before = time.monotonic()
    with pytest.raises(DataError, match="here: no such thing"):
        list(in_processes(wait_or_fail, [1, 0, 2, 3, 4], 2))
    assert time.monotonic() - before < 30.0
    assert active_children() == []


def be_killed(number: int, progress: Progress) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_killed_process_is_an_error_with_advice() -> None:
    with pytest.raises(TreewrightError) as caught:
        list(in_processes(be_killed, [1, 2, 3], 2))
    assert str(caught.value).startswith("a process was killed (perhaps out of memory); use fewer")
    assert active_children() == []


def write_slowly(path: Path, progress: Progress) -> None:
    with atomic_write(path) as handle:
        handle.write("half")
        handle.flush()
        progress.say("writing")
        time.sleep(60.0)


def test_an_interrupt_ends_all_and_leaves_no_half_written_file(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        for event in in_processes(write_slowly, [tmp_path / name for name in "abcd"], 2):
            assert event == Said("writing")
            assert list(tmp_path.iterdir())
            raise KeyboardInterrupt
    assert active_children() == []
    assert list(tmp_path.iterdir()) == []


class OddError(Exception):
    """An error that cannot be pickled."""

    def __init__(self) -> None:
        super().__init__(lambda: None)


def fail_oddly(number: int, progress: Progress) -> int:
    if number:
        raise OddError
    raise ConnectionResetError("the server has gone")


def test_every_error_reaches_the_parent_with_where_it_arose() -> None:
    with pytest.raises(ConnectionResetError, match="the server has gone") as caught:
        list(in_processes(fail_oddly, [0], 2))
    assert "in fail_oddly" in caught.value.__notes__[0]
    with pytest.raises(RuntimeError, match="in fail_oddly"):
        list(in_processes(fail_oddly, [1], 2))
    assert active_children() == []


def test_there_are_no_more_processes_than_items() -> None:
    events = in_processes(square, [3, 1, 2], 60)
    assert len(active_children()) == 3
    assert results(events) == [9, 1, 4]
    assert active_children() == []
