"""Generation: a source tree and a grammar give the forest of all target trees.

The chart of the large-margin paper (Figure 1): forest nodes are (source node, target category), or
(source node, ε) for deletions. Productions without a copy or deletion rule in the grammar get one
weighted by the model's `Unseen`, so that every tree can be rewritten.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from treewright.corpora import is_word
from treewright.errors import DataError
from treewright.forest import Forest
from treewright.grammar import Gaps, Grammar, Model, Pruning, Rule, Unseen
from treewright.grammar.encoded.pruning import EncodedPruning
from treewright.transduction.application import Application
from treewright.transduction.insertion import Insertions
from treewright.transduction.targets import SourceNodes, TargetForest, spread
from treewright.trees import Tree
from treewright.trees.packed import PackedTrees


class Transducer:
    """Rewrites source trees with a grammar.

    `unseen` weighs the copy and the deletion of productions the grammar lacks (`None`: its rules
    alone), and `pruning` lets any children of a node go, so that nearly every length can be made.
    """

    def __init__(
        self, grammar: Grammar, unseen: Unseen | None = None, pruning: Pruning | None = None
    ) -> None:
        self.grammar = grammar
        self.unseen = unseen
        self.pruning = pruning
        self._applications: dict[int, Application] = {}

    @classmethod
    def of(cls, model: Model) -> Transducer:
        """Make the transducer of a model."""
        return cls(model.grammar, model.unseen, model.pruning)

    def ready(self, sources: Sequence[Tree]) -> list[Transducer]:
        """Return what rewrites each of these trees, having read them all at once.

        It gives the same forests, sooner where an encoder reads the sentences.
        """
        if not isinstance(self.pruning, EncodedPruning) or not sources:
            return [self] * len(sources)
        bound = []
        for pruning in self.pruning.ready(sources):
            other = copy(self)
            other.pruning = pruning
            bound.append(other)
        return bound

    @cached_property
    def target_words(self) -> NDArray[np.int32]:
        """The number of words in each rule's target fragment, punctuation not counted."""
        return np.array([_count_words(rule) for rule in self.grammar.rules], dtype=np.int32)

    @cached_property
    def insertions(self) -> Insertions:
        """The forest nodes that insert target material, the same for every source tree."""
        return Insertions.of(self.grammar)

    def application(self, number: int) -> Application:
        """Return rule `number` made ready for use."""
        if number not in self._applications:
            self._applications[number] = Application.of(self.grammar.rules[number])
        return self._applications[number]

    def forest(self, source: Tree) -> TargetForest:
        """Build the forest of all rewritings of a tree, under its own root label if possible."""
        from treewright.grammar import _kernels as matching
        from treewright.transduction import _kernels

        index = self.grammar.index
        inside: list[Tree] = []
        packed = PackedTrees.pack(
            [source],
            labels=index.labels.copy(),
            words=index.words,
            frozen_words=True,
            nodes=inside,
        )
        is_open = self.pruning is not None and self.pruning.open
        gaps = Gaps.of(packed.end if is_open else np.zeros_like(packed.end))
        nodes = SourceNodes(inside, packed.end.tolist(), packed.left.tolist(), gaps)
        production = matching.find_productions(index.trie, packed.label, packed.word, packed.end)
        copy, delete, whole, own = self._own_edges(production, nodes)
        growth, roots = _kernels.generate(
            index.trie,
            index.rules,
            packed.label,
            packed.end,
            production,
            copy,
            delete,
            whole,
            gaps,
            len(self.grammar),
            len(packed.labels),
            self.insertions.nodes(len(packed.labels)),
            self.insertions.num_nodes,
        )
        root = _goal(roots[:-1], int(packed.label[0]), source)
        grown = self.insertions.before(growth)
        *arrays, kept = _kernels.assemble(
            grown.head, grown.tail_ptr, grown.tail, grown.label, len(grown.node_source), root
        )
        forest = Forest(*arrays)
        return TargetForest(
            self.grammar,
            self.application,
            self.target_words,
            nodes,
            forest,
            spread(forest.label, self.grammar.weights, own),
            grown.node_source[kept],
            grown.node_target[kept],
            whole,
        )

    def _own_edges(
        self, production: NDArray[np.int32], source: SourceNodes
    ) -> tuple[NDArray[np.bool_], NDArray[np.bool_], bool, NDArray[np.float64]]:
        """Return where to supply copies and deletions, whole or not, and the own edges' weights."""
        nodes, size = source.nodes, len(source.nodes)
        weights = np.zeros(2 * size + len(source.gaps.parent))
        if self.unseen is None:
            nowhere = np.zeros(size, dtype=np.bool_)
            return nowhere, nowhere, False, weights
        # A walk over gaps that keeps all children is the copy: one of the two is enough.
        pruned = np.diff(source.gaps.pointer) > 0
        copy = ~self.grammar.index.has_copy[production]
        delete = ~self.grammar.index.has_deletion[production]
        both = weights[: 2 * size].reshape(size, 2)
        prices = None
        if self.pruning is not None:
            prices = self.pruning.prices(nodes, source.end, source.gaps)
            weights[2 * size :] = prices.gaps
        whole = prices is not None and prices.drops is not None
        needed = np.flatnonzero(copy & ~pruned if whole else copy | delete | pruned).tolist()
        if needed:
            both[needed] = [self.unseen.weights(nodes[x]) for x in needed]
        if prices is not None and prices.drops is not None:
            both[:, 1] = prices.drops
            delete[:] = True
        else:
            weights[2 * size :] += np.where(source.gaps.closes, both[source.gaps.parent, 0], 0.0)
        return copy & ~pruned, delete, whole, weights


def _goal(roots: NDArray[np.int32], label: int, source: Tree) -> int:
    if roots[label] >= 0:
        return int(roots[label])
    possible = roots[roots >= 0]
    if len(possible) == 0:
        raise DataError(
            f"the grammar derives no target tree from a source rooted in {source.label}"
        )
    return int(possible[0])


def _count_words(rule: Rule) -> int:
    if rule.target is None:
        return 0
    return sum(is_word(word) for word in rule.target.words())
