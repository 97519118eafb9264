"""The match index: rules compiled to flat tables that kernels walk through.

A tree node has exactly one production, so matching all source fragments at once is a walk through
the trie of their symbols with two choices per step: go on with the node's production, or stop at
it. The cost is that of the fragments that match, whatever the size of the grammar.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from treewright.arrays import Bools, Ints, Longs, starts
from treewright.grammar.packed import STRING_TARGET, PackedRules, prepare_work
from treewright.grammar.rule import Rule
from treewright.trees import Vocabulary

_STRINGS = "\0"
"""The category of strings in the vocabulary of labels; no text has this character."""


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

    `category` runs along the source frontier: the label of the linked target variable, or -1 for ε.
    `inserted` are the target variables without a source, `inserted_category` their labels.
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
    """All tables of one grammar, and the vocabularies that trees must be packed with.

    The last label is the category of strings, which no tree has.
    """

    labels: Vocabulary
    words: Vocabulary
    trie: TrieTables
    rules: RuleTables
    insertions: Ints
    has_copy: Bools
    has_deletion: Bools

    @property
    def string_category(self) -> int:
        """The number of the category of strings."""
        return self.labels.ids[_STRINGS]

    @classmethod
    def compile(cls, rules: Iterable[Rule]) -> RuleIndex:
        """Compile rules in order; a rule's number in the tables is its position."""
        from treewright.grammar import _table_kernels as kernels

        packed = PackedRules.pack(rules)
        prepare_work(packed)
        productions, columns = packed.productions, packed.columns
        labels = packed.labels.copy()
        strings = labels.add(_STRINGS)
        variables = kernels.Variables(*kernels.find_variables(productions, columns, strings))
        has_copy, has_deletion = kernels.find_plain(productions, columns)
        sourced = columns.source_ptr[1:] > columns.source_ptr[:-1]
        root = columns.target_root
        return cls(
            labels,
            packed.words,
            _trie(packed),
            RuleTables(
                np.where(root == STRING_TARGET, np.int32(strings), root),
                columns.target_ptr,
                columns.target_symbol,
                columns.link_ptr,
                variables.category,
                columns.link,
                variables.inserted_ptr,
                variables.inserted,
                variables.inserted_category,
            ),
            np.flatnonzero(~sourced).astype(np.int32),
            has_copy,
            has_deletion,
        )


def _trie(packed: PackedRules) -> TrieTables:
    from treewright.grammar import _table_kernels as kernels

    pointer, item = packed.productions
    state, (edge_state, edge_symbol, following), states = kernels.grow_trie(packed.columns)
    sourced = np.flatnonzero(state >= 0)
    order = np.argsort(state[sourced], kind="stable")
    return TrieTables(
        kernels.hash_productions(pointer, item, _table_size(len(pointer) - 2)),
        pointer,
        item,
        edge_state,
        edge_symbol,
        following,
        starts(np.bincount(state[sourced], minlength=states)),
        sourced[order].astype(np.int32),
    )


def _table_size(entries: int) -> int:
    """Return the power of two that leaves a hash table at most half full."""
    return 1 << max(3, (2 * entries).bit_length())
