"""Synchronous parsing: a tree pair and a grammar give the forest of their derivations."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treewright.arrays import Bools, Floats, Ints, Longs
from treewright.corpora import Pair
from treewright.forest import Forest
from treewright.grammar import Grammar
from treewright.trees import PackedTrees


@dataclass(frozen=True, eq=False)
class PairForest:
    """All derivations of one pair; labels are rule numbers, nodes (source, target), with
    -1 for ε.
    """

    forest: Forest
    node_source: Ints
    node_target: Ints


def pair_forest(grammar: Grammar, pair: Pair) -> PairForest | None:
    """Return the forest of synchronous derivations, or `None` if the grammar has none.

    Nodes are paired only as the pair's word alignment (if it has one) allows.
    """
    from treewright.grammar import _kernels as matching
    from treewright.transduction import _growth_kernels, _kernels

    index = grammar.index
    packed = PackedTrees.pack(
        [pair.source, pair.target_tree],
        labels=index.labels.copy(),
        words=index.words,
        frozen_words=True,
    )
    middle = packed.offset[1]
    source, target = (
        (packed.label[part], packed.word[part], packed.end[part])
        for part in (slice(None, middle), slice(middle, None))
    )
    production = matching.find_productions(index.trie, *source)
    production2 = matching.find_productions(index.trie, *target)
    parts, root = _kernels.synchronise(
        index.trie,
        index.rules,
        index.insertions,
        source[2],
        production,
        target[0],
        target[2],
        production2,
        admissible(packed, pair.alignment),
    )
    if root < 0:
        return None
    growth = _growth_kernels.Growth(*parts)
    *arrays, kept = _growth_kernels.assemble(
        growth.head, growth.tail_ptr, growth.tail, growth.label, len(growth.node_source), root
    )
    return PairForest(Forest(*arrays), growth.node_source[kept], growth.node_target[kept])


def admissible(packed: PackedTrees, alignment: tuple[tuple[int, int], ...] | None) -> Bools:
    """Say which source and target nodes can be aligned; the last row and column are ε.

    Two nodes can if at least one word link joins them and none leaves either; a node may be deleted
    or inserted if none of its words is linked.
    """
    middle = packed.offset[1]
    size, size2 = int(middle), len(packed.label) - int(middle)
    if alignment is None:
        return np.ones((size + 1, size2 + 1), dtype=np.bool_)
    links = np.array(alignment, dtype=np.int64).reshape(-1, 2)
    inside = _inside(links[:, 0], packed.left[:middle], packed.right[:middle])
    inside2 = _inside(links[:, 1], packed.left[middle:], packed.right[middle:])
    both = inside @ inside2.T
    total, total2 = inside.sum(axis=1), inside2.sum(axis=1)
    allowed = np.zeros((size + 1, size2 + 1), dtype=np.bool_)
    allowed[:-1, :-1] = (both > 0) & (both == total[:, None]) & (both == total2[None, :])
    allowed[:-1, -1] = total == 0
    allowed[-1, :-1] = total2 == 0
    return allowed


def _inside(position: Longs, left: Ints, right: Ints) -> Floats:
    """Return a matrix (node, link) of 1 where the link's word lies in the node's span."""
    spanned = (left[:, None] <= position) & (position < right[:, None])
    return spanned.astype(np.float64)
