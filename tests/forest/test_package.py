from __future__ import annotations

import subprocess
import sys

import treewright.forest


def test_importing_the_room_does_not_import_numba() -> None:
    check = "import sys, treewright.forest; sys.exit('numba' in sys.modules)"
    path = [str(entry) for entry in sys.path if entry]
    subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:0] = {path}; {check}"], check=True
    )


def test_everything_exported_is_documented() -> None:
    for name in treewright.forest.__all__:
        assert getattr(treewright.forest, name).__doc__, name
