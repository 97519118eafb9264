"""`Pruning`: how likely a child is dropped where its parent stays.

A grammar of whole productions can keep or drop a child only in productions it has seen. Pruning
frees that: any children of any node may go, but not all, each at a price learned from the training
pairs given the parent's label, its own, and whether it is the head. It extends the copy rule of a
production never seen to the rules that copy only a part of it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from treewright.corpora import Pair
from treewright.grammar.node_alignment import DELETED, NodeAlignment
from treewright.trees import Tree
from treewright.trees.heads import head_child

Child = tuple[str, str, bool]
"""The parent's label, the child's label, and whether the child is the parent's head."""

STRENGTH = 5.0
"""Counts by which the rate of a child is drawn to that of its label under any parent."""


@dataclass(frozen=True)
class Pruning:
    """Drop rates of children; `dropped[child]` of `seen[child]` went in training."""

    seen: Mapping[Child, float]
    dropped: Mapping[Child, float]
    _known: dict[tuple[str, ...], list[float]] = field(
        default_factory=dict, repr=False, compare=False
    )

    @classmethod
    def learn(cls, pairs: Iterable[Pair]) -> Pruning:
        """Count, over word-aligned pairs, the children of nodes that are not themselves deleted."""
        seen: Counter[Child] = Counter()
        dropped: Counter[Child] = Counter()
        for pair in pairs:
            alignment = NodeAlignment.of(pair)
            nodes = alignment.source.nodes
            for x, node in enumerate(nodes):
                if alignment.to[x] == DELETED or not node.children:
                    continue
                head = head_child(node)
                for place, y in enumerate(alignment.source.children(x)):
                    child = (node.label, nodes[y].label, place == head)
                    seen[child] += 1
                    dropped[child] += alignment.to[y] == DELETED
        return cls(seen, dropped)

    def weights(self, node: Tree) -> list[float]:
        """Return the log-probabilities of keeping and of dropping each child, in turn."""
        production = (node.label, *[child.label for child in node.children])
        if production not in self._known:
            head = head_child(node)
            weights: list[float] = []
            for place, label in enumerate(production[1:]):
                rate = self._rate((node.label, label, place == head))
                weights += (math.log1p(-rate), math.log(rate))
            self._known[production] = weights
        return self._known[production]

    def _rate(self, child: Child) -> float:
        """Return a smoothed drop rate: of the child, else of its label, else of all children."""
        seen, dropped = self._by_label.get(child[1:], (0.0, 0.0))
        prior = (dropped + STRENGTH * self._overall) / (seen + STRENGTH)
        dropped, seen = self.dropped.get(child, 0.0), self.seen.get(child, 0.0)
        return (dropped + STRENGTH * prior) / (seen + STRENGTH)

    @cached_property
    def _by_label(self) -> dict[tuple[str, bool], tuple[float, float]]:
        sums: dict[tuple[str, bool], tuple[float, float]] = {}
        for child, seen in self.seen.items():
            before = sums.get(child[1:], (0.0, 0.0))
            sums[child[1:]] = (before[0] + seen, before[1] + self.dropped.get(child, 0.0))
        return sums

    @cached_property
    def _overall(self) -> float:
        """The rate over all children, kept off 0 and 1 so that nothing is impossible."""
        return (sum(self.dropped.values()) + 0.5) / (sum(self.seen.values()) + 1.0)

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for a model file."""
        return {
            "children": [
                [*child, seen, self.dropped.get(child, 0)]
                for child, seen in sorted(self.seen.items())
            ]
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Pruning:
        """Undo `as_dict`; a `ValueError` says what is wrong."""
        seen: dict[Child, float] = {}
        dropped: dict[Child, float] = {}
        for parent, label, head, total, gone in values["children"]:
            if not 0 <= gone <= total < math.inf:
                raise ValueError(f"{gone} of {total} children dropped under {parent}")
            seen[parent, label, bool(head)] = total
            dropped[parent, label, bool(head)] = gone
        return cls(seen, dropped)
