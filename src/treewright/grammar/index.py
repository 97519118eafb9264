"""The match index: rules compiled to flat tables that kernels walk through.

In preorder a fragment is a sequence of symbols, one per node: the number of the production it
spells out there, or `FRONTIER`. A tree node has exactly one production, so matching all source
fragments at once is a walk through the trie of these sequences with two choices per step: continue
with the node's production, or stop at it. The cost depends on the fragments that match, not on the
size of the grammar.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.grammar.rule import UNLINKED, Rule
from treewright.trees import Tree
from treewright.trees.packed import Vocabulary

FRONTIER = 0
Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Production = tuple[int, ...]


class TrieTables(NamedTuple):
    """Hash tables for productions and trie edges; every table size is a power of two."""

    production_slot: Ints
    production_ptr: Longs
    production_item: Ints
    edge_state: Ints
    edge_symbol: Ints
    edge_next: Ints
    fragment_ptr: Longs
    fragment_rule: Ints


class RuleTables(NamedTuple):
    """What applying a rule needs: target root and symbols, and where each frontier node is linked.

    `category` runs along the source frontier: the label of the linked target node, or -1 for ε.
    `inserted` are the target frontier nodes without a source, `inserted_category` their labels.
    """

    target_root: Ints
    target_ptr: Longs
    target_symbol: Ints
    frontier_ptr: Longs
    category: Ints
    link: Ints
    inserted_ptr: Longs
    inserted: Ints
    inserted_category: Ints


@dataclass(frozen=True, eq=False)
class RuleIndex:
    """All tables of one grammar, and the vocabularies that trees must be packed with."""

    labels: Vocabulary
    words: Vocabulary
    productions: dict[Production, int]
    trie: TrieTables
    rules: RuleTables
    insertions: Ints
    has_copy: NDArray[np.bool_]
    has_deletion: NDArray[np.bool_]

    @classmethod
    def compile(cls, rules: Iterable[Rule]) -> RuleIndex:
        """Compile rules in order; a rule's number in the tables is its position."""
        compiler = _Compiler()
        for number, rule in enumerate(rules):
            compiler.add(number, rule)
        return compiler.finish()


@dataclass
class _Compiler:
    labels: Vocabulary = field(default_factory=Vocabulary)
    words: Vocabulary = field(default_factory=Vocabulary)
    productions: dict[Production, int] = field(default_factory=dict)
    edges: dict[tuple[int, int], int] = field(default_factory=dict)
    accepting: dict[int, list[int]] = field(default_factory=dict)
    columns: dict[str, list[int]] = field(
        default_factory=lambda: {name: [] for name in RuleTables._fields}
    )
    insertions: list[int] = field(default_factory=list)
    copies: set[int] = field(default_factory=set)
    deletions: set[int] = field(default_factory=set)
    states: int = 1

    def add(self, number: int, rule: Rule) -> None:
        source = self.symbols(rule.source)
        target = self.symbols(rule.target)
        if rule.source is None:
            self.insertions.append(number)
        else:
            self.accepting.setdefault(self.state(source), []).append(number)
        self.note_plain(rule, source)
        labels = [self.labels.add(label) for label in rule.target_frontier]
        columns = self.columns
        columns["target_root"].append(
            -1 if rule.target is None else self.labels.add(rule.target.label)
        )
        columns["target_symbol"] += target
        columns["target_ptr"].append(len(columns["target_symbol"]))
        columns["link"] += rule.links
        columns["category"] += [-1 if link == UNLINKED else labels[link] for link in rule.links]
        columns["frontier_ptr"].append(len(columns["link"]))
        columns["inserted"] += rule.inserted
        columns["inserted_category"] += [labels[j] for j in rule.inserted]
        columns["inserted_ptr"].append(len(columns["inserted"]))

    def note_plain(self, rule: Rule, source: list[int]) -> None:
        """Remember which productions have their copy and deletion rules in the grammar."""
        if rule.source is None or any(source[1:]):
            return
        if rule.is_copy:
            self.copies.add(source[0])
        elif rule.target is None:
            self.deletions.add(source[0])

    def symbols(self, fragment: Tree | None) -> list[int]:
        if fragment is None:
            return []
        return [self.symbol(node) for node in fragment.nodes()]

    def symbol(self, node: Tree) -> int:
        label = self.labels.add(node.label)
        if node.word is not None:
            production: Production = (label, -1 - self.words.add(node.word))
        elif node.children:
            production = (label, *[self.labels.add(child.label) for child in node.children])
        else:
            return FRONTIER
        return self.productions.setdefault(production, len(self.productions) + 1)

    def state(self, symbols: list[int]) -> int:
        state = 0
        for symbol in symbols:
            following = self.edges.setdefault((state, symbol), self.states)
            if following == self.states:
                self.states += 1
            state = following
        return state

    def finish(self) -> RuleIndex:
        from treewright.grammar import _kernels

        items = np.array([i for p in self.productions for i in p], dtype=np.int32)
        lengths = [len(p) for p in self.productions]
        pointer = np.concatenate(([0, 0], np.cumsum(lengths, dtype=np.int64))).astype(np.int64)
        edges = np.array([(s, y, n) for (s, y), n in self.edges.items()], dtype=np.int32)
        accepted = [self.accepting.get(state, []) for state in range(self.states)]
        slots = _kernels.hash_productions(pointer, items, _table_size(len(lengths)))
        state, symbol, following = _kernels.hash_edges(
            edges.reshape(-1, 3), _table_size(len(edges))
        )
        trie = TrieTables(
            slots,
            pointer,
            items,
            state,
            symbol,
            following,
            np.concatenate(([0], np.cumsum([len(a) for a in accepted], dtype=np.int64))),
            np.array([rule for rules in accepted for rule in rules], dtype=np.int32),
        )
        arrays: dict[str, Any] = {
            name: np.array([0, *column], dtype=np.int64)
            if name.endswith("_ptr")
            else np.array(column, dtype=np.int32)
            for name, column in self.columns.items()
        }
        return RuleIndex(
            self.labels,
            self.words,
            self.productions,
            trie,
            RuleTables(**arrays),
            np.array(self.insertions, dtype=np.int32),
            _flags(self.copies, len(lengths)),
            _flags(self.deletions, len(lengths)),
        )


def _flags(members: set[int], count: int) -> NDArray[np.bool_]:
    flags = np.zeros(count + 1, dtype=np.bool_)
    flags[list(members)] = True
    return flags


def _table_size(entries: int) -> int:
    """The power of two that leaves a hash table at most half full."""
    return 1 << max(3, (2 * entries).bit_length())
