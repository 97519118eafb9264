"""Generation: a source tree and a grammar give the forest of all target trees.

The chart of the large-margin paper (Figure 1): forest nodes are (source node, target category), or
(source node, ε) for deletions. Productions without a copy or deletion rule in the grammar get one
weighted by the model's `Unseen`, so that every tree can be rewritten.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.arrays import Floats, Ints, Longs
from treewright.corpora import is_word
from treewright.errors import DataError
from treewright.forest import Forest
from treewright.grammar import Grammar, Unseen
from treewright.transduction.application import Application
from treewright.transduction.insertion import Insertions
from treewright.transduction.targets import TargetForest
from treewright.trees import Tree, TreeTable

Fields = tuple[Grammar, Callable[[int], Application], Ints, TreeTable, Forest, Floats, Ints, Ints]

_NONE = np.empty(0)


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
    def target_words(self) -> Ints:
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
        own = self.supply(table, chart.tree.production, np.zeros(len(table) + 1, dtype=np.int64))
        grown = _kernels.generate(chart, own, self.grammar.weights)
        return TargetForest(*self.complete(table, *grown))

    def chart(self, source: TreeTable) -> Any:
        """Return what kernels know about a tree and the grammar (a `Chart` of `_kernels`)."""
        from treewright.grammar import _kernels as matching
        from treewright.transduction import _kernels

        index = self.grammar.index
        ids = index.labels.ids
        numbers = [ids.get(node.label, -1) for node in source.nodes]
        if -1 in numbers:
            ids = dict(ids)
            numbers = [ids.setdefault(node.label, len(ids)) for node in source.nodes]
        label = np.array(numbers, dtype=np.int32)
        end = source.arrays.end
        production = np.zeros(len(source), dtype=np.int32)
        if len(self.grammar):
            find = index.words.ids.get
            word = [-1 if node.word is None else find(node.word, -1) for node in source.nodes]
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
            self.insertions,
        )

    def supply(
        self,
        source: TreeTable,
        production: Ints,
        pointer: Longs,
        prices: Floats = _NONE,
        drops: Floats | None = None,
    ) -> Any:
        """Return the tree's own edges (an `Own` of `_kernels`), given where each node's gaps are.

        Weights of unseen rules depend on nothing but the production, so those of the grammar's are
        remembered.
        """
        from treewright.transduction import _kernels

        size, whole = len(source), drops is not None
        if self.unseen is None:
            nowhere = np.zeros(size, dtype=np.bool_)
            weights = np.zeros(2 * size + len(prices))
            return _kernels.Own(nowhere, nowhere, whole, len(self.grammar), weights)
        index, known = self.grammar.index, self._unseen_weights
        copies, deletes, weights, unknown = _kernels.supply(
            production,
            index.has_copy,
            index.has_deletion,
            known,
            pointer,
            prices,
            _NONE if drops is None else drops,
        )
        if len(unknown):
            nodes = source.nodes
            found = np.array([self.unseen.weights(nodes[x]) for x in unknown.tolist()])
            weights[2 * unknown] = found[:, 0]
            if not whole:
                weights[2 * unknown + 1] = found[:, 1]
            of_grammar = production[unknown] > 0
            known[production[unknown[of_grammar]]] = found[of_grammar]
        return _kernels.Own(copies, deletes, whole, len(self.grammar), weights)

    def complete(self, source: TreeTable, *grown: NDArray[Any]) -> Fields:
        """Return the fields of a `TargetForest`, given what the kernel that builds it returns."""
        *arrays, node_source, node_target, weights = grown
        if not len(node_source):
            raise DataError(
                f"the grammar derives no target tree from a source rooted in {source.tree.label}"
            )
        forest = Forest(*arrays)
        return (
            self.grammar,
            self.application,
            self.target_words,
            source,
            forest,
            weights,
            node_source,
            node_target,
        )

    @cached_property
    def _unseen_weights(self) -> Floats:
        """The unseen weights of each production of the grammar met so far, else NaN.

        Row 0 is that of productions which the grammar does not have.
        """
        return np.full((len(self.grammar.index.has_copy), 2), np.nan)
