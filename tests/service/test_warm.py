"""What importing the service does to a process: nothing."""

from __future__ import annotations

import subprocess
import sys

CHECK = """
import gc, signal
import treewright.service.application
assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL
assert not gc.get_freeze_count()
"""


def test_an_import_changes_neither_signals_nor_memory() -> None:
    subprocess.run([sys.executable, "-c", CHECK], check=True, timeout=120)
