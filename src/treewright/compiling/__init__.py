"""Kernels: plain Python functions over arrays, which run compiled where that pays.

    from treewright.compiling import njit

    @njit(nogil=True)
    def total(values): ...

A kernel is compiled by numba and kept in a folder (`folders`) for later runs. Compiling all that
one sentence needs takes half a minute and more; running it as it stands, a second or two. So,
unless the environment variable `TREEWRIGHT_JIT` forces either (`0`: never, `1`: always), a kernel
that is kept compiled runs compiled. Any other runs as it stands until it has taken so long that
compiling pays, or until someone says beforehand that there is much work (`expect_work`). Results
are the same.

A template becomes a kernel of its own by `specialise`, with other kernels in the place of those it
calls.
"""

from treewright.compiling.elementwise import greatest, lanes, least
from treewright.compiling.inventory import Inventory, take_inventory
from treewright.compiling.kernels import Kernel, njit, specialise
from treewright.compiling.policy import begin_command, expect_work, forced

__all__ = [
    "Inventory",
    "Kernel",
    "begin_command",
    "expect_work",
    "forced",
    "greatest",
    "lanes",
    "least",
    "njit",
    "specialise",
    "take_inventory",
]
