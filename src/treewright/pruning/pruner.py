"""`Pruner`: a transducer that may also drop any children of any node, at learned prices."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from treewright.grammar import Grammar, Unseen
from treewright.pruning.forests import CompressionForest
from treewright.pruning.gaps import Gaps, Prices, Pruning
from treewright.transduction import Transducer, spread
from treewright.trees import Tree, TreeTable

if TYPE_CHECKING:
    from treewright.pruning.model import Model

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]


class Pruner(Transducer):
    """Rewrites source trees with a grammar and by pruning, so nearly every length can be reached.

    Without `pruning`, only rules drop anything.
    """

    def __init__(
        self, grammar: Grammar, unseen: Unseen | None = None, pruning: Pruning | None = None
    ) -> None:
        super().__init__(grammar, unseen)
        self.pruning = pruning

    @classmethod
    def of(cls, model: Model) -> Pruner:
        """Make the pruner of a model."""
        return cls(model.grammar, model.unseen, model.pruning)

    def ready(self, sources: Sequence[TreeTable]) -> Sequence[Pruner]:
        """Return what rewrites each of these trees, having read them all at once.

        The forests are the same, but come sooner if an encoder reads the sentences.
        """
        if self.pruning is None or not sources:
            return [self] * len(sources)
        # Copies share what is found out about the grammar, if it is found out before.
        _ = self.target_words, self.insertions
        bound = []
        for pruning in self.pruning.ready(sources):
            other = copy(self)
            other.pruning = pruning
            bound.append(other)
        return bound

    def forest(self, source: Tree | TreeTable) -> CompressionForest:
        """Build the forest of all rewritings of a tree, under its own root label if possible."""
        from treewright.pruning import _kernels
        from treewright.transduction._kernels import Own

        table = source if isinstance(source, TreeTable) else TreeTable(source)
        is_open = self.pruning is not None and self.pruning.open
        end = np.array(table.end, dtype=np.int32)
        gaps = Gaps.of(end if is_open else np.zeros_like(end))
        prices = None if self.pruning is None else self.pruning.prices(table, gaps)
        chart = self.chart(table)
        copies, deletes, weights = self._own(table, chart.tree.production, gaps, prices)
        whole = prices is not None and prices.drops is not None
        own = Own(copies, deletes, whole, len(self.grammar))
        grown = _kernels.generate_prunings(chart, own, gaps)
        forest, *of_nodes = self.assemble(table, chart, *grown)
        return CompressionForest(
            self.grammar,
            self.application,
            self.target_words,
            table,
            forest,
            spread(forest.label, self.grammar.weights, weights),
            of_nodes[0],
            of_nodes[1],
            deletes_whole=whole,
            gaps=gaps,
        )

    def _own(
        self,
        source: TreeTable,
        production: NDArray[np.int32],
        gaps: Gaps,
        prices: Prices | None,
    ) -> tuple[Bools, Bools, Floats]:
        """Return where to supply copies and deletions, and the weights of all own edges."""
        size = len(source)
        weights = np.zeros(2 * size + len(gaps.parent))
        if self.unseen is None:
            nowhere = np.zeros(size, dtype=np.bool_)
            return nowhere, nowhere, weights
        # A walk over gaps that keeps all children is the copy: one of the two is enough.
        pruned = np.diff(gaps.pointer) > 0
        copies = ~self.grammar.index.has_copy[production]
        deletes = ~self.grammar.index.has_deletion[production]
        both = weights[: 2 * size].reshape(size, 2)
        if prices is not None:
            weights[2 * size :] = prices.gaps
        drops = None if prices is None else prices.drops
        needed = copies | deletes | pruned if drops is None else copies & ~pruned
        self.weigh_unseen(self.unseen, source, production, needed, both)
        if drops is None:
            weights[2 * size :] += np.where(gaps.closes, both[gaps.parent, 0], 0.0)
        else:
            both[:, 1] = drops
            deletes[:] = True
        return copies & ~pruned, deletes, weights
