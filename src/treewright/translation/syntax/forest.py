"""`TranslationForest`: all translations that rules give a source tree."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from treewright.arrays import Floats, Ints
from treewright.errors import DataError
from treewright.forest import Forest
from treewright.grammar import Grammar
from treewright.transduction import Transducer, Yields
from treewright.translation.syntax import _kernels
from treewright.translation.syntax.features import OWN
from treewright.trees import Tree, TreeTable

KINDS = ("glue", "copy", "drop", "pass", "part")
"""What edges without a rule do: the first four in the order of the kernels' numbers, and the
beginning of another edge, which is taken apart.
"""
PART = -1 - KINDS.index("part")
"""The label of such a beginning."""


ANYTHING = np.iinfo(np.int32).max
"""The category of targets of any category."""


class Places(NamedTuple):
    """What the nodes of a forest stand for: a label of the source, and the words it covers.

    `height` counts the nodes below with the same words, and `category` is that of the target.
    """

    label: tuple[str, ...]
    left: Ints
    right: Ints
    height: Ints
    category: Ints

    def take(self, nodes: Ints) -> Places:
        """Return what these nodes stand for."""
        labels = tuple([self.label[node] for node in nodes.tolist()])
        return Places(labels, *(column[nodes] for column in self[1:]))


class Action(NamedTuple):
    """What an edge does: apply a rule, or one of `KINDS` (`rule` is -1); and where."""

    kind: str
    rule: int
    label: str
    start: int
    end: int


@dataclass(frozen=True, eq=False)
class TranslationForest:
    """A forest over (source node, target category), with what its edges write and their features.

    The label of an edge is its rule, or -1 minus a number of `KINDS`. Words are numbered as in the
    grammar; those beyond are `extra`.
    """

    grammar: Grammar
    forest: Forest
    places: Places
    yields: Yields
    features: Floats
    """A column for each feature of the rules, then for each of `OWN`."""
    extra: tuple[str, ...]

    def action(self, edge: int) -> Action:
        """Return what an edge does."""
        label, node = int(self.forest.label[edge]), int(self.forest.head[edge])
        kind = "rule" if label >= 0 else KINDS[-1 - label]
        places = self.places
        span = int(places.left[node]), int(places.right[node])
        return Action(kind, max(label, -1), places.label[node], *span)

    def text(self, word: int) -> str:
        """Return a word by its number."""
        names = self.grammar.packed.words.names
        return names[word] if word < len(names) else self.extra[word - len(names)]


class Deriver:
    """Turns source trees into forests of translations, with one grammar.

    Every tree has a translation: a node that no rule covers is translated child by child, in the
    order of the source (glue); a word that has no rule is copied. A word of the training text may
    also be dropped then. Without `copy`, words that have no rule are dropped.
    """

    def __init__(self, grammar: Grammar, *, copy: bool = True) -> None:
        if grammar.features is None:
            raise ValueError("the grammar has no features")
        self.grammar = grammar
        self.copy = copy
        self._transducer = Transducer(grammar)
        self._word_column = grammar.feature_names.index("word")

    @cached_property
    def _targets(self) -> _kernels.Targets:
        packed, tables = self.grammar.packed, self.grammar.index.rules
        return _kernels.Targets(
            packed.columns.target_ptr,
            packed.columns.target_symbol,
            packed.columns.link_ptr,
            packed.columns.link,
            tables.inserted_ptr,
            tables.inserted,
            packed.productions.words,
        )

    @cached_property
    def _strings(self) -> int:
        """The category of strings, or -1 if targets are trees."""
        return self.grammar.index.string_category if self.grammar.has_strings else -1

    def forest(
        self, tree: Tree, *, spelled: tuple[str, ...] | None = None, glue: bool = True
    ) -> TranslationForest:
        """Build the forest of a tree; words are copied as they are `spelled`.

        Without `glue`, only rules are used, and a tree that they do not derive is an error.
        """
        table = TreeTable(tree)
        spelled = tree.words() if spelled is None else spelled
        chart = self._transducer.chart(table)
        words = self.grammar.packed.words
        drops = np.array([not self.copy or node.word in words for node in table.nodes])
        copies = np.full(len(table), self.copy)
        anything = chart.categories if self._strings < 0 else self._strings
        first_own, size = len(self.grammar), len(table)
        found = _kernels.Derived(*_kernels.derive(chart, anything, first_own, copies, drops, glue))
        if not found.node_source.size:
            raise DataError(f"the rules derive nothing from a tree rooted in {tree.label}")
        extra: dict[str, int] = {}
        copied = np.full(size, -1, np.int32)
        for x in self._copied(found.label, first_own, size):
            word = spelled[table.left[x]]
            copied[x] = words.find(word)
            if copied[x] < 0:
                copied[x] = len(words) + extra.setdefault(word, len(extra))
        ptr, item = _kernels.write_yields(
            found.label, found.tail_ptr, first_own, size, self._targets, copied
        )
        own = found.label - first_own
        label = np.where(own < 0, found.label, -1 - own // size).astype(np.int32)
        return TranslationForest(
            self.grammar,
            Forest(found.head, found.tail_ptr, found.tail, found.node_ptr, label),
            _places(table, found, anything),
            Yields(ptr, item),
            self._features(found, anything, size),
            tuple(extra),
        )

    def _copied(self, label: Ints, first_own: int, size: int) -> list[int]:
        own = label - first_own
        places: list[int] = (own[(own >= 0) & (own // size == _kernels.COPY)] % size).tolist()
        return places

    def _features(self, found: _kernels.Derived, anything: int, size: int) -> Floats:
        """Return the features of all edges."""
        features = self.grammar.features
        assert features is not None
        own = found.label - len(self.grammar)
        rows = np.zeros((own.size, features.shape[1] + len(OWN)))
        ruled = own < 0
        rows[ruled, : features.shape[1]] = features[found.label[ruled]]
        for column, kind in enumerate((_kernels.GLUE, _kernels.COPY, _kernels.DROP)):
            rows[~ruled & (own // size == kind), features.shape[1] + column] = 1.0
        rows[~ruled & (own // size == _kernels.COPY), self._word_column] = 1.0
        if self._strings < 0:
            taken = np.repeat(np.arange(own.size), np.diff(found.tail_ptr))
            mismatched = found.node_target[found.tail] == anything
            counts = np.bincount(taken[mismatched & ruled[taken]], minlength=own.size)
            rows[:, -1] = counts
        return rows


def _places(source: TreeTable, found: _kernels.Derived, anything: int) -> Places:
    left, right = np.array(source.left, np.int32), np.array(source.right, np.int32)
    height = np.zeros(len(source), np.int32)
    for x in range(len(source) - 2, -1, -1):
        if source.end[x] > x + 1 and right[x + 1] == right[x]:
            height[x] = height[x + 1] + 1
    nodes = found.node_source
    label = tuple([source.nodes[x].label for x in nodes.tolist()])
    # The number for any category depends on the labels of the tree.
    category = np.where(found.node_target == anything, ANYTHING, found.node_target)
    return Places(label, left[nodes], right[nodes], height[nodes], category.astype(np.int32))
