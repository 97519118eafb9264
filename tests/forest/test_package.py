from __future__ import annotations

import sys

import treewright.forest

from ..programs import run_program


def test_importing_the_room_does_not_import_numba() -> None:
    check = "import sys, treewright.forest; sys.exit('numba' in sys.modules)"
    path = [str(entry) for entry in sys.path if entry]
    run_program(sys.executable, "-c", f"import sys; sys.path[:0] = {path}; {check}")


def test_everything_exported_is_documented() -> None:
    for name in treewright.forest.__all__:
        assert getattr(treewright.forest, name).__doc__, name
