"""`CompressionForest`: all rewritings of a tree by rules and by prunings, and how to read them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treewright.forest import CountCurve, Derivation, Forest, expectation, restrict
from treewright.grammar import Rule, pruning_rule
from treewright.pruning.chains import Joint
from treewright.pruning.gaps import Gaps
from treewright.pruning.risk import PRICE, risk_weights
from treewright.transduction import (
    GAP,
    EdgeKind,
    Kept,
    Partial,
    Result,
    TargetForest,
    child_labels,
    join,
)

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
Places = NDArray[np.integer[Any]]


@dataclass(frozen=True, eq=False, kw_only=True)
class CompressionForest(TargetForest):
    """A forest whose edges may also be gaps; a walk over them keeps some children of a node.

    In a forest split by heads (`split_by_heads`), `pairs` has the token that each edge keeps
    together with its governor, -1 if there is none. `joint` is there if the model scores neighbours
    too; that is not part of `weights`, unless the forest is split by seams. `surprises`,
    `regrets` and `clashes` are the model's, if it has any (see `Prices`).
    """

    gaps: Gaps
    pairs: Ints | None = None
    joint: Joint | None = None
    surprises: Floats | None = None
    regrets: Floats | None = None
    clashes: Floats | None = None

    @cached_property
    def expectation(self) -> tuple[float, Floats]:
        """The log of what all derivations weigh together, and the expected uses of each edge."""
        return expectation(self.forest, self.weights)

    def agreed_curve(
        self,
        limit: int | None = None,
        *,
        price: float | Floats = PRICE,
        trust: float | None = None,
        costs: ArrayLike | None = None,
    ) -> CountCurve:
        """Return the rewriting of minimum Bayes risk for every number of words, or sum of `costs`.

        This is exact in a forest of prunings that is split by heads, and nearly so with rules of a
        grammar (`risk.py`). `price` is the probability that a word must be worth, possibly one per
        word, and `trust` what a unit of log-weight counts, if not the default.
        """
        return self.curve(limit, weights=self.agreed_weights(price=price, trust=trust), costs=costs)

    def agreed_weights(
        self, *, price: float | Floats = PRICE, trust: float | None = None
    ) -> Floats:
        """Return what each edge adds to the objective of `agreed_curve`."""
        if self.pairs is None and not len(self.grammar):
            raise ValueError("split the forest by heads first")
        return risk_weights(self, price=price, trust=trust)

    def without(self, closed: NDArray[np.bool_]) -> CompressionForest:
        """Return the derivations that use none of the closed edges, without dead ends."""
        left, nodes, edges = restrict(self.forest, ~closed)
        return self.carried_to(left, nodes, edges)

    def carried_to(
        self, forest: Forest, nodes: Places, edges: Places, **new: Any
    ) -> CompressionForest:
        """Return another forest over the same source, given where its nodes and edges come from.

        `new` are fields of it that do not come from this one.
        """
        carried: dict[str, Any] = {
            "forest": forest,
            "node_source": self.node_source[nodes],
            "node_target": self.node_target[nodes],
            **new,
        }
        if "weights" not in new:
            carried["weights"] = self.weights[edges]
        if "pairs" not in new and self.pairs is not None:
            carried["pairs"] = self.pairs[edges]
        return replace(self, **carried)

    @cached_property
    def completed(self) -> list[int]:
        """The node that each gap completes, -1 if it does not close."""
        completed: list[int] = np.where(self.gaps.closes, self.gaps.parent, -1).tolist()
        return completed

    def rules(self, derivation: Derivation) -> Iterator[Rule]:
        """Yield the rules of a derivation from the root down, with a walk over gaps as one rule."""
        stack = [derivation]
        while stack:
            step = stack.pop()
            gap = self.edge(step.edge).gap
            if gap < 0:
                yield self.rule(step.edge)
                stack.extend(reversed(step.children))
                continue
            node = self.source.nodes[self.gaps.parent[gap]]
            kept, below = self._unwind(step)
            yield pruning_rule(node.label, child_labels(node), kept)
            stack.extend(reversed(below))

    def _unwind(self, step: Derivation) -> tuple[list[bool], list[Derivation]]:
        """Return which children a walk over gaps keeps, and how each is derived."""
        gaps = self.gaps
        kept: list[bool] = []
        below: list[Derivation] = []
        going_on = True
        while going_on:
            gap = self.edge(step.edge).gap
            going_on = bool(gaps.left[gap] >= 0)
            parts = step.children[1:] if going_on else step.children
            keeps = int(gaps.right[gap] >= 0 and not gaps.pauses[gap])
            below[:0] = parts
            kept[:0] = [False] * (len(parts) - keeps) + [True] * keeps
            step = step.children[0]
        return kept, below

    def count_unseen(self, derivation: Derivation) -> int:
        """Return how many rules of a derivation the grammar does not have; a walk counts as one."""
        edges = list(derivation.edges())
        gap = self.edges.gap[edges]
        walks = np.count_nonzero(self.gaps.closes[gap[gap >= 0]])
        return int(np.count_nonzero((self.edges.kind[edges] != EdgeKind.RULE) & (gap < 0)) + walks)

    def apply(self, edge: int, tails: Sequence[Result]) -> Result:
        """Combine the results of an edge's tails; a gap that does not close gives a row."""
        kinds, numbers, _ = self.steps
        if kinds[edge] != GAP:
            return super().apply(edge, tails)
        children = [part for part in tails if isinstance(part, Partial)]
        before = tails[0]
        kept = (*before.children, *children) if isinstance(before, Kept) else tuple(children)
        completes = self.completed[numbers[edge]]
        return Kept(kept) if completes < 0 else join(self.source.nodes[completes].label, kept)
