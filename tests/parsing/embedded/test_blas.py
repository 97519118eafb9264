"""One BLAS thread, whichever Python thread asks for it, and all of them afterwards."""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np
import pytest
from threadpoolctl import ThreadpoolController

from treewright.parsing.embedded.blas import one_blas_thread


def numbers() -> list[int]:
    found = ThreadpoolController().select(user_api="blas").info()
    return [library["num_threads"] for library in found if "numpy" in library["filepath"]]


def in_thread(work: Callable[[], None]) -> None:
    thread = threading.Thread(target=work)
    thread.start()
    thread.join(60.0)
    assert not thread.is_alive()


@pytest.fixture
def several() -> list[int]:
    """How many threads BLAS has here; with one there is nothing to see."""
    np.ones((2, 2)) @ np.ones((2, 2))
    found = numbers()
    if max(found, default=1) == 1:
        pytest.skip("BLAS has one thread")
    return found


def test_another_thread_than_the_first_limits_it_too(several: list[int]) -> None:
    inside: list[list[int]] = []

    def work() -> None:
        with one_blas_thread():
            inside.append(numbers())

    work()
    in_thread(work)
    assert inside == [[1] * len(several)] * 2
    assert numbers() == several


def test_the_last_user_gives_the_others_back(several: list[int]) -> None:
    entered, leave = threading.Event(), threading.Event()

    def work() -> None:
        with one_blas_thread():
            entered.set()
            leave.wait(10)

    thread = threading.Thread(target=work)
    with one_blas_thread():
        thread.start()
        entered.wait(10)
    assert numbers() == [1] * len(several)
    leave.set()
    thread.join(60.0)
    assert not thread.is_alive()
    assert numbers() == several
