"""`Pruner`: a transducer that may also drop any children of any node, at learned prices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from treewright.grammar import Grammar, Unseen
from treewright.pruning.chains import Chain, Joint
from treewright.pruning.forests import CompressionForest
from treewright.pruning.gaps import NO_PRICES, Gaps, Pruning
from treewright.transduction import Transducer
from treewright.trees import Tree, TreeTable

if TYPE_CHECKING:
    from treewright.pruning.model import Model


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
        return list(map(self._with, self.pruning.ready(sources)))

    def at(self, share: float) -> Pruner:
        """Return what rewrites trees to versions that may have this share of the words."""
        pruning = None if self.pruning is None else self.pruning.at(share)
        return self if pruning is None or pruning is self.pruning else self._with(pruning)

    def _with(self, pruning: Pruning) -> Pruner:
        # For every sentence; `copy` would take ten times as long.
        other = type(self).__new__(type(self))
        vars(other).update(vars(self), pruning=pruning)
        return other

    def forest(self, source: Tree | TreeTable) -> CompressionForest:
        """Build the forest of all rewritings of a tree, under its own root label if possible."""
        from treewright.pruning import _kernels

        table = source if isinstance(source, TreeTable) else TreeTable(source)
        is_open = self.pruning is not None and self.pruning.open
        chart = self.chart(table)
        gaps = Gaps.of(chart.tree.end if is_open else np.zeros(len(table), dtype=np.int32))
        prices = NO_PRICES if self.pruning is None else self.pruning.prices(table, gaps)
        own = self.supply(table, chart.tree.production, gaps.pointer, prices.gaps, prices.drops)
        grown = _kernels.generate_prunings(chart, own, gaps[:], self.grammar.weights)
        return CompressionForest(
            *self.complete(table, *grown),
            deletes_whole=prices.drops is not None,
            gaps=gaps,
            joint=None if prices.seams is None else Joint.of(Chain(table.arrays, gaps), prices),
            surprises=prices.surprises,
            regrets=prices.regrets,
            clashes=prices.clashes,
        )
