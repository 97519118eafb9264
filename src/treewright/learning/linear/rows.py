"""`FeatureRows`: the feature vectors of everything that a derivation is made of.

A row stands for a rule of the grammar, for the copy of a production it lacks, for a node that may
be dropped, or for a gap. An edge of a forest has one row, or none; the feature vector of a
derivation is the sum of its edges' rows, and its score that of their scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.arrays import Floats, Ints, Longs
from treewright.forest import Forest
from treewright.pruning.features import table_size

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Columns = Ints
NO_ROW = -1


class FeatureArrays(NamedTuple):
    """The arrays of `FeatureRows`; the columns and values of rule `r` begin at `pointer[r]`."""

    pointer: Columns
    columns: Columns
    values: Floats
    drops: Columns
    gaps: Columns
    tokens: Columns
    spans: Longs


@dataclass(frozen=True, eq=False)
class FeatureRows:
    """Rows of three kinds, one after another: rules, nodes to drop, gaps.

    Features of rules have real values and the first columns; those of nodes and gaps are binary: a
    row lists their columns, with -1 for a feature seen too rarely. The row of a node also has the
    features of all its tokens, `spans[node, 0]` to before `spans[node, 1]` of the rows of `tokens`.
    """

    rules: csr_matrix
    drops: Columns
    gaps: Columns
    tokens: Columns
    spans: Longs
    num_features: int

    @property
    def num_rows(self) -> int:
        """The number of rows."""
        return int(self.rules.shape[0]) + len(self.drops) + len(self.gaps)

    def scores(self, weights: Floats) -> Floats:
        """Return the score of every row."""
        from treewright.learning.linear import _kernels

        of_rules = self.rules @ weights[: self.rules.shape[1]]
        lost = np.append(0.0, np.cumsum(_kernels.sum_columns(self.tokens, weights)))
        return np.concatenate(
            [
                np.asarray(of_rules),
                _kernels.sum_columns(self.drops, weights)
                + (lost[self.spans[:, 1]] - lost[self.spans[:, 0]]),
                _kernels.sum_columns(self.gaps, weights),
            ]
        )

    def edge_scores(self, forest: Forest, weights: Floats) -> Floats:
        """Return the score of each edge of a forest whose labels are rows."""
        from treewright.learning.linear import _kernels

        result: Floats = _kernels.score_edges(forest.label, self._arrays, weights)
        return result

    @cached_property
    def _arrays(self) -> FeatureArrays:
        rules = self.rules
        of_rules = (rules.indptr, rules.indices, rules.data)
        return FeatureArrays(*of_rules, self.drops, self.gaps, self.tokens, self.spans)

    def totals(self, uses: Floats) -> Floats:
        """Return the value of every feature, summed over rows with the given numbers of uses."""
        from treewright.learning.linear import _kernels

        totals = np.zeros(self.num_features)
        rules, drops = int(self.rules.shape[0]), len(self.drops)
        totals[: self.rules.shape[1]] = self.rules.T @ uses[:rules]
        dropped = uses[rules : rules + drops]
        _kernels.add_to_columns(self.drops, dropped, totals)
        _kernels.add_to_columns(self.gaps, uses[rules + drops :], totals)
        changes = np.zeros(len(self.tokens) + 1)
        np.add.at(changes, self.spans[:, 0], dropped)
        np.add.at(changes, self.spans[:, 1], -dropped)
        _kernels.add_to_columns(self.tokens, np.cumsum(changes[:-1]), totals)
        return totals

    def vector(self, rows: Longs, signs: Floats) -> tuple[Longs, Floats]:
        """Return the sum of some rows, each times its sign: ascending columns, and values."""
        rules, drops = int(self.rules.shape[0]), len(self.drops)
        columns: list[Longs] = []
        values: list[Floats] = []
        of_rule = rows < rules
        for row, sign in zip(rows[of_rule].tolist(), signs[of_rule].tolist(), strict=True):
            part = slice(self.rules.indptr[row], self.rules.indptr[row + 1])
            columns.append(self.rules.indices[part].astype(np.int64))
            values.append(sign * self.rules.data[part])
        dropped = (rows >= rules) & (rows < rules + drops)
        between = rows >= rules + drops
        spans = self.spans[rows[dropped] - rules]
        lengths = spans[:, 1] - spans[:, 0]
        tokens = np.repeat(spans[:, 1] - np.cumsum(lengths), lengths) + np.arange(lengths.sum())
        for listed, sign in (
            (self.drops[rows[dropped] - rules], signs[dropped]),
            (self.gaps[rows[between] - rules - drops], signs[between]),
            (self.tokens[tokens], np.repeat(signs[dropped], lengths)),
        ):
            columns.append(listed.ravel().astype(np.int64))
            values.append(np.repeat(sign, listed.shape[1]))
        where, what = np.concatenate(columns), np.concatenate(values)
        found, place = np.unique(where[where >= 0], return_inverse=True)
        sums = np.bincount(place, weights=what[where >= 0], minlength=len(found))
        kept = sums != 0.0
        return found[kept], sums[kept]


def number_features(
    keys: Sequence[NDArray[np.uint64]], min_count: int, first: int
) -> tuple[NDArray[np.uint64], list[Columns]]:
    """Number hashed features from `first` on; return their keys, and the columns of each array.

    A feature seen fewer than `min_count` times gets no column.
    """
    from treewright.pruning.features import _kernels

    table, counts = np.zeros(1 << 12, dtype=np.uint64), np.zeros(1 << 12, dtype=np.int32)
    for array in keys:
        table, counts = _kernels.count_keys(table, counts, array)
    often = np.sort(table[counts >= min_count])
    table, number = _kernels.build_table(often, table_size(len(often)))
    number[number >= 0] += first
    return often, [_kernels.number_keys(table, number, array) for array in keys]
