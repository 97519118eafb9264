"""Work for a pool of processes: some of it never ends, and some of it ends the process."""

from __future__ import annotations

import os
import signal
import threading

from treewright.progress import Progress


def toil(item: tuple[str, int], progress: Progress) -> tuple[int, int]:
    what, number = item
    if what == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if what == "hang":
        threading.Event().wait()
    if what == "fail":
        raise ValueError(number)
    return number, os.getpid()
