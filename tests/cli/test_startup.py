"""What a command for one sentence must not wait for."""

import sys

import pytest

from ..programs import run_program


@pytest.mark.parametrize(
    ("wanted", "unwanted"),
    [
        ("treewright.cli.app", ("numpy", "rich", "treewright.cli.parse", "treewright.trees")),
        ("treewright.parsing", ("numba", "numpy")),
        ("treewright.text", ("numba", "numpy")),
        ("treewright.compression", ("rich", "scipy.special", "treewright.learning")),
    ],
)
def test_an_import_leaves_out_what_it_does_not_need(wanted: str, unwanted: tuple[str, ...]) -> None:
    program = f"import sys, {wanted}; print(*[name for name in {unwanted} if name in sys.modules])"
    found = run_program(sys.executable, "-c", program, text=True)
    assert (found.stdout, found.stderr) == ("\n", "")
