"""Generation: a source tree and a grammar give the forest of all target trees.

The chart of the large-margin paper (Figure 1): forest nodes are (source node, target category), or
(source node, ε) for deletions. Productions without a copy or deletion rule in the grammar get one
weighted by the model's `Unseen`, so that every tree can be rewritten.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.corpora import is_word
from treewright.errors import DataError
from treewright.forest import Forest
from treewright.grammar import Grammar, Unseen
from treewright.transduction.application import Application
from treewright.transduction.insertion import Insertions
from treewright.transduction.targets import TargetForest, spread
from treewright.trees import Tree, TreeTable

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]


class Transducer:
    """Rewrites source trees with a grammar.

    `unseen` weighs the copy and the deletion of productions that the grammar lacks (`None`: rules
    only).
    """

    def __init__(self, grammar: Grammar, unseen: Unseen | None = None) -> None:
        self.grammar = grammar
        self.unseen = unseen
        self._applications: dict[int, Application] = {}

    def ready(self, sources: Sequence[TreeTable]) -> Sequence[Transducer]:
        """Return what rewrites each of these trees, having read them all at once."""
        return [self] * len(sources)

    @cached_property
    def target_words(self) -> NDArray[np.int32]:
        """The number of words in each rule's target, punctuation not counted."""
        packed = self.grammar.packed
        return packed.count_target_words(np.array(list(map(is_word, packed.words.names)), np.bool_))

    @cached_property
    def insertions(self) -> Insertions:
        """The forest nodes that insert target material, the same for every source tree."""
        return Insertions.of(self.grammar)

    def application(self, number: int) -> Application:
        """Return rule `number` ready for use."""
        if number not in self._applications:
            self._applications[number] = Application.of(self.grammar.rules[number])
        return self._applications[number]

    def forest(self, source: Tree | TreeTable) -> TargetForest:
        """Build the forest of all rewritings of a tree, under its own root label if possible."""
        from treewright.transduction import _kernels

        table = source if isinstance(source, TreeTable) else TreeTable(source)
        chart = self.chart(table)
        copy, delete, weights = self._supply(table, chart.tree.production)
        own = _kernels.Own(copy, delete, False, len(self.grammar))
        forest, *of_nodes = self.assemble(table, chart, *_kernels.generate(chart, own))
        return TargetForest(
            self.grammar,
            self.application,
            self.target_words,
            table,
            forest,
            spread(forest.label, self.grammar.weights, weights),
            of_nodes[0],
            of_nodes[1],
        )

    def chart(self, source: TreeTable) -> Any:
        """Return what kernels know about a tree and the grammar (a `Chart` of `_kernels`)."""
        from treewright.grammar import _kernels as matching
        from treewright.transduction import _kernels

        index = self.grammar.index
        ids = dict(index.labels.ids)
        label = np.array(
            [ids.setdefault(node.label, len(ids)) for node in source.nodes], dtype=np.int32
        )
        end = np.array(source.end, dtype=np.int32)
        production = np.zeros(len(source), dtype=np.int32)
        if len(self.grammar):
            find = index.words.find
            word = [-1 if node.word is None else find(node.word) for node in source.nodes]
            production = matching.find_productions(
                index.trie, label, np.array(word, dtype=np.int32), end
            )
        categories = len(ids)
        return _kernels.Chart(
            index.trie,
            index.rules,
            _kernels.Source(label, end, production),
            categories,
            self.insertions.nodes(categories),
            self.insertions.num_nodes,
        )

    def assemble(
        self, source: TreeTable, chart: Any, growth: Any, roots: NDArray[np.int32]
    ) -> tuple[Forest, NDArray[np.int32], NDArray[np.int32]]:
        """Return the finished forest, and what its nodes stand for."""
        from treewright.transduction import _kernels

        root = _goal(roots[:-1], int(chart.tree.label[0]), source)
        grown = self.insertions.before(growth)
        *arrays, kept = _kernels.assemble(
            grown.head, grown.tail_ptr, grown.tail, grown.label, len(grown.node_source), root
        )
        return Forest(*arrays), grown.node_source[kept], grown.node_target[kept]

    def _supply(
        self, source: TreeTable, production: NDArray[np.int32]
    ) -> tuple[Bools, Bools, Floats]:
        """Return where to supply copies and deletions, and the weights of all of them."""
        size = len(source)
        weights = np.zeros((size, 2))
        if self.unseen is None:
            nowhere = np.zeros(size, dtype=np.bool_)
            return nowhere, nowhere, weights.ravel()
        copy = ~self.grammar.index.has_copy[production]
        delete = ~self.grammar.index.has_deletion[production]
        self.weigh_unseen(self.unseen, source, production, copy | delete, weights)
        return copy, delete, weights.ravel()

    def weigh_unseen(
        self,
        unseen: Unseen,
        source: TreeTable,
        production: NDArray[np.int32],
        needed: Bools,
        weights: Floats,
    ) -> None:
        """Put the weights of copying and deleting the needed nodes into the rows of `weights`.

        They depend on nothing but the production, so those of the grammar's are remembered.
        """
        known = self._unseen_weights
        weights[needed] = known[production[needed]]
        new = np.flatnonzero(np.isnan(weights[:, 0])).tolist()
        if new:
            weights[new] = [unseen.weights(source.nodes[x]) for x in new]
            known[production[new]] = weights[new]
            known[0] = np.nan

    @cached_property
    def _unseen_weights(self) -> Floats:
        """The unseen weights of each production of the grammar met so far, else NaN.

        Row 0 is that of productions which the grammar does not have.
        """
        return np.full((len(self.grammar.index.has_copy), 2), np.nan)


def _goal(roots: NDArray[np.int32], label: int, source: TreeTable) -> int:
    """Return the forest node of the whole tree: in its own category, or else in the first one."""
    if roots[label] >= 0:
        return int(roots[label])
    possible = roots[roots >= 0]
    if len(possible) == 0:
        raise DataError(
            f"the grammar derives no target tree from a source rooted in {source.tree.label}"
        )
    return int(possible[0])
