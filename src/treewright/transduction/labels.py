"""Edge labels of target forests: rules of the grammar, then edges that a source tree supplies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from treewright.arrays import Ints

RULE, COPY, DELETE, GAP = range(4)


class EdgeKind:
    """What an edge does: apply a rule, copy or delete one production, or cross a gap.

    Plain integers: to compare an array with a member of an enumeration is slow, and NumPy drops
    an interrupt that comes while it asks the enumeration for attributes.
    """

    RULE, COPY, DELETE, GAP = RULE, COPY, DELETE, GAP


class EdgeLabel(NamedTuple):
    """What one edge stands for; numbers that do not apply to its kind are -1."""

    kind: int
    """One of `EdgeKind`."""
    rule: int = -1
    node: int = -1
    gap: int = -1


class EdgeColumns(NamedTuple):
    """The same for all edges of a forest, one column each."""

    kind: Ints
    rule: Ints
    node: Ints
    gap: Ints


@dataclass(frozen=True, slots=True)
class EdgeLabels:
    """How labels are numbered: `num_rules` rules, a copy and a deletion per node, then gaps."""

    num_rules: int
    num_nodes: int

    @property
    def first_gap(self) -> int:
        """The label of gap 0."""
        return self.num_rules + 2 * self.num_nodes

    def read(self, label: int) -> EdgeLabel:
        """Return what an edge with this label stands for."""
        own = label - self.num_rules
        if own < 0:
            return EdgeLabel(EdgeKind.RULE, rule=label)
        if own >= 2 * self.num_nodes:
            return EdgeLabel(EdgeKind.GAP, gap=own - 2 * self.num_nodes)
        kind = EdgeKind.DELETE if own % 2 else EdgeKind.COPY
        return EdgeLabel(kind, node=own // 2)

    def columns(self, labels: Ints) -> EdgeColumns:
        """Return what edges with these labels stand for."""
        from treewright.transduction._kernels import read_labels

        return EdgeColumns(*read_labels(labels, self.num_rules, self.num_nodes))
