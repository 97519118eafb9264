"""Kernels: plain Python functions over arrays, which run compiled when that pays off.

    from treewright.compiling import njit

    @njit(nogil=True)
    def total(values): ...

A kernel is compiled by numba and kept in a folder (`folders`) for later runs. Compiling everything
one sentence needs takes half a minute or more; running it uncompiled, a second or two. The
environment variable `TREEWRIGHT_JIT` forces either (`0`: never compile, `1`: always). Otherwise a
kernel that was kept runs compiled; any other runs uncompiled until it has taken so long that
compiling pays off, or until someone announces much work (`expect_work`). Results are the same.

`specialise` makes a kernel from a template, replacing the kernels that the template calls.
"""

from treewright.compiling.elementwise import greatest, lanes, least
from treewright.compiling.integers import (
    LARGEST,
    WIDEST,
    laid_out,
    multiply_codes,
    pack_codes,
)
from treewright.compiling.inventory import Inventory, take_inventory
from treewright.compiling.kernels import Kernel, njit, specialise
from treewright.compiling.policy import begin_command, expect_work, forced
from treewright.compiling.records import records

__all__ = [
    "LARGEST",
    "WIDEST",
    "Inventory",
    "Kernel",
    "begin_command",
    "expect_work",
    "forced",
    "greatest",
    "laid_out",
    "lanes",
    "least",
    "multiply_codes",
    "njit",
    "pack_codes",
    "records",
    "specialise",
    "take_inventory",
]
