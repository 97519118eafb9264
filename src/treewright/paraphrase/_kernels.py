"""Kernels over sparse columns (`space.Columns`)."""

from __future__ import annotations

from treewright.compiling import njit


@njit(nogil=True)
def add_columns(columns, which, weight, total):
    """Add the given columns, each times its weight, to `total`."""
    start, row, value = columns
    for place in range(len(which)):
        by = weight[place]
        for entry in range(start[which[place]], start[which[place] + 1]):
            total[row[entry]] += by * value[entry]
