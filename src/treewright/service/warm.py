"""What the server of processes has ready before it makes one: models loaded, kernels in memory.

Workers are forked from it, so that one that was killed is replaced in no time.
"""

from __future__ import annotations

import gc
import json
import os

from treewright.errors import TreewrightError
from treewright.progress import SILENT, Progress
from treewright.service.work import Answer, Job, Warming, Work

_VARIABLE = "TREEWRIGHT_SERVICE"
"""Set for the server of processes only, which imports this module before anything else."""


def announce(work: Work) -> None:
    """Say what the server of processes, which is not running yet, is to have ready."""
    os.environ[_VARIABLE] = json.dumps({"models": work.models, "remember": work.remember})


def do(job: Job, progress: Progress) -> Answer:
    """Do a job in a worker."""
    assert _WORK is not None, "workers come from a process in which work was announced"
    return _WORK(job, progress)


def _made() -> Work:
    work = Work(**json.loads(os.environ[_VARIABLE]))
    try:
        work(Warming(), SILENT)
    except (TreewrightError, OSError):
        # The first worker meets the same error, and can say so.
        return work
    # What lives to the end is shared by all workers.
    gc.freeze()
    return work


# Elsewhere an import must change nothing: making it ready ignores signals and freezes memory.
_WORK = _made() if _VARIABLE in os.environ else None
