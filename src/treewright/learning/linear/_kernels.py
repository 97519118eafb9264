"""Kernels for binary features: sums over a row's columns, and back to the columns."""

from __future__ import annotations

import numpy as np

from treewright.compiling import njit


@njit(nogil=True, inline="always")
def sum_row(columns, row, weights):
    """Return the summed weights of one row's columns."""
    total = 0.0
    for k in range(columns.shape[1]):
        if columns[row, k] >= 0:
            total += weights[columns[row, k]]
    return total


@njit(nogil=True)
def sum_columns(columns, weights):
    """Return the summed weights of each row's columns; -1 is no column."""
    sums = np.empty(len(columns))
    for row in range(len(columns)):
        sums[row] = sum_row(columns, row, weights)
    return sums


@njit(nogil=True)
def add_to_columns(columns, values, totals):
    """Add each row's value to the totals of its columns, in place."""
    for row in range(len(columns)):
        if values[row] != 0.0:
            for k in range(columns.shape[1]):
                if columns[row, k] >= 0:
                    totals[columns[row, k]] += values[row]


@njit(nogil=True)
def score_edges(label, rows, weights):
    """Return the score of each edge's row; `rows` are a `FeatureArrays`."""
    pointer, drops, gaps = rows.pointer, rows.drops, rows.gaps
    rules = len(pointer) - 1
    scores = np.zeros(len(label))
    for edge in range(len(label)):
        row = label[edge]
        if row < 0:
            continue
        if row < rules:
            for k in range(pointer[row], pointer[row + 1]):
                scores[edge] += rows.values[k] * weights[rows.columns[k]]
        elif row < rules + len(drops):
            scores[edge] = sum_row(drops, row - rules, weights)
            for token in range(rows.spans[row - rules, 0], rows.spans[row - rules, 1]):
                scores[edge] += sum_row(rows.tokens, token, weights)
        else:
            scores[edge] = sum_row(gaps, row - rules - len(drops), weights)
    return scores
