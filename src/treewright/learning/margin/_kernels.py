"""Kernels for sparse vectors: ascending `indices` and their `values`; many in a row by a
pointer.
"""

from __future__ import annotations

import numpy as np

from treewright.compiling import njit


@njit(nogil=True)
def sparse_dense(indices, values, dense):
    """Return the dot product of a sparse and a dense vector."""
    total = 0.0
    for k in range(len(indices)):
        total += values[k] * dense[indices[k]]
    return total


@njit(nogil=True)
def rows_dense(pointer, indices, values, dense):
    """Return the dot product of each sparse row and a dense vector."""
    out = np.empty(len(pointer) - 1)
    for row in range(len(out)):
        begin, end = pointer[row], pointer[row + 1]
        out[row] = sparse_dense(indices[begin:end], values[begin:end], dense)
    return out


@njit(nogil=True)
def add_rows(pointer, indices, values, factors, dense):
    """Add the sparse rows, each times its factor, to a dense vector in place."""
    for row in range(len(factors)):
        factor = factors[row]
        if factor != 0.0:
            for k in range(pointer[row], pointer[row + 1]):
                dense[indices[k]] += factor * values[k]


@njit(nogil=True)
def add_sparse(indices, values, factor, dense):
    """Add a sparse vector times `factor` to a dense vector in place."""
    for k in range(len(indices)):
        dense[indices[k]] += factor * values[k]


@njit(nogil=True)
def sparse_sparse(indices, values, other_indices, other_values):
    """Return the dot product of two sparse vectors."""
    total = 0.0
    i = j = 0
    while i < len(indices) and j < len(other_indices):
        if indices[i] == other_indices[j]:
            total += values[i] * other_values[j]
            i += 1
            j += 1
        elif indices[i] < other_indices[j]:
            i += 1
        else:
            j += 1
    return total


@njit(nogil=True)
def rows_sparse(pointer, indices, values, other_indices, other_values):
    """Return the dot product of each sparse row and a sparse vector."""
    out = np.empty(len(pointer) - 1)
    for row in range(len(out)):
        begin, end = pointer[row], pointer[row + 1]
        out[row] = sparse_sparse(indices[begin:end], values[begin:end], other_indices, other_values)
    return out


@njit(nogil=True)
def combine(indices, values, factor, other_indices, other_values, other_factor):
    """Return a linear combination of two sparse vectors, over the union of their indices."""
    size = len(indices) + len(other_indices)
    out_indices = np.empty(size, np.int32)
    out_values = np.empty(size)
    i = j = k = 0
    while i < len(indices) or j < len(other_indices):
        if j == len(other_indices) or (i < len(indices) and indices[i] < other_indices[j]):
            out_indices[k] = indices[i]
            out_values[k] = factor * values[i]
            i += 1
        elif i == len(indices) or other_indices[j] < indices[i]:
            out_indices[k] = other_indices[j]
            out_values[k] = other_factor * other_values[j]
            j += 1
        else:
            out_indices[k] = indices[i]
            out_values[k] = factor * values[i] + other_factor * other_values[j]
            i += 1
            j += 1
        k += 1
    return out_indices[:k].copy(), out_values[:k].copy()
