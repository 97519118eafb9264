"""What a signal raises ends the work, wherever the signal arrives."""

from __future__ import annotations

import signal
import sys
import time

import pytest

from treewright.signals import held_back, raised_even_if_lost


class Slow:
    """Something whose destructor runs while a signal arrives."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __del__(self) -> None:
        signal.raise_signal(self.number)


def test_an_interruption_in_a_destructor_is_raised_after_it() -> None:
    def stop(number: int, frame: object) -> None:
        raise SystemExit(7)

    before = signal.signal(signal.SIGTERM, stop), signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    usual = sys.unraisablehook
    try:
        for number, kind in ((signal.SIGINT, KeyboardInterrupt), (signal.SIGTERM, SystemExit)):
            start = time.monotonic()
            with pytest.raises(kind), raised_even_if_lost():
                Slow(number)
                time.sleep(60.0)
            assert time.monotonic() - start < 30.0
            assert sys.unraisablehook is usual
    finally:
        signal.signal(signal.SIGTERM, before[0])
        signal.signal(signal.SIGINT, before[1])


def test_other_errors_are_shown_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def __del__(self) -> None:
            raise ValueError

    seen: list[type[BaseException]] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda lost: seen.append(lost.exc_type))
    with raised_even_if_lost():
        Broken()
    assert seen == [ValueError]


def test_signals_wait_until_work_that_must_not_stop_is_done() -> None:
    done = []
    usual = signal.signal(signal.SIGINT, signal.default_int_handler)
    stopping = signal.getsignal(signal.SIGTERM)
    try:
        with pytest.raises(KeyboardInterrupt), held_back():
            with held_back():
                signal.raise_signal(signal.SIGINT)
                done.append("inner")
            done.append("outer")
        assert done == ["inner", "outer"]
        signal.signal(signal.SIGTERM, lambda number, frame: done.append("handled"))
        with pytest.raises(KeyboardInterrupt), held_back():
            signal.raise_signal(signal.SIGTERM)
            signal.raise_signal(signal.SIGINT)
        assert done[2:] == ["handled"]
        with pytest.raises(ValueError, match="wrong"), held_back():
            raise ValueError("wrong")
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        with held_back():
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, usual)
        signal.signal(signal.SIGTERM, stopping)
